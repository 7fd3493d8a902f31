// lintel doctor: what the machine has, and whether all is well.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheDamage.h"
#include "Command.h"
#include "Console.h"
#include "JsonLine.h"
#include "KernelOptions.h"
#include "PeakText.h"
#include "Table.h"

#include "Engine/EngineImpl.h"
#include "Engine/EnginePeaks.h"
#include "Engine/HostJson.h"

#include <memory>
#include <optional>
#include <string>

namespace lintel::tool {

namespace {

struct DoctorArguments {
  KernelOptions kernel; ///< only --threads and --json are on the command line
  bool measure = false;
};

/// The state of the kernels on disk.
struct CacheHealth {
  bool isListed = false; ///< whether the rest but `problem` means something
  size_t entries = 0;
  uint64_t bytes = 0;
  CacheDamage damage;
  std::string problem; ///< why nothing can be read or kept there, or ""
};

/// What the machine can do at most.
struct PeakFindings {
  ThreadPeaks now; ///< of the engine's threads
  PeakSource source = PeakSource::run;
  std::string notMeasured;           ///< why `now` has nothing, or ""
  std::optional<MachinePeaks> known; ///< of all numbers of threads measured
  std::string notKept;               ///< why new ones could not be kept, or ""
  std::string notUsed;               ///< why kept ones are not used, or ""
};

struct Findings {
  HostReport host;
  Target target;
  int threads = 1;
  PeakFindings peaks;
  CacheHealth cache;
  bool isWell() const {
    return cache.damage.isEmpty() && cache.problem.empty() &&
           peaks.notKept.empty();
  }
};

CacheHealth examineCache(Cache &cache) {
  CacheHealth health;
  Expected<CacheSurvey> survey = cache.survey();
  Expected<CacheDamage> damage = survey ? findDamage(cache, *survey)
                                        : Expected<CacheDamage>(survey.error());
  if (!damage) {
    health.problem = damage.error().message();
    return health;
  }
  health.isListed = true;
  health.damage = std::move(*damage);
  if (Status writable = cache.checkWritable(); !writable)
    health.problem = writable.error().message();
  health.entries = survey->listings.size();
  for (const CacheListing &listing : survey->listings)
    health.bytes += listing.bytes;
  return health;
}

Expected<PeakFindings> measureAndKeep(Engine::Impl &impl) {
  Expected<MachinePeaks> peaks = impl.measurePeaks();
  if (!peaks)
    return peaks.error().in("--measure");
  PeakFindings findings;
  findings.now = *peaks->of(impl.threads);
  if (!impl.cache)
    findings.notKept = "the cache is off";
  else if (Status kept = impl.cache->putPeaks(*peaks); !kept)
    findings.notKept = kept.error().message();
  else
    findings.source = PeakSource::stored;
  findings.known = std::move(*peaks);
  return findings;
}

/// The peaks that are kept; where none are for the engine's threads, those of a
/// quick look.
PeakFindings lookAtPeaks(Engine::Impl &impl) {
  PeakFindings findings;
  findings.known = impl.storedPeaks;
  findings.notUsed = impl.peaksProblem;
  if (findings.known)
    if (const ThreadPeaks *row = findings.known->of(impl.threads)) {
      findings.now = *row;
      findings.source = PeakSource::stored;
      return findings;
    }
  if (Expected<ThreadPeaks> now = glanceAtPeaks(impl))
    findings.now = *now;
  else
    findings.notMeasured = now.error().message();
  return findings;
}

Expected<Findings> examine(const DoctorArguments &arguments) {
  auto engine = makeEngine(arguments.kernel);
  if (!engine)
    return engine.error();
  Engine::Impl &impl = (*engine)->internals();
  Findings findings;
  findings.host = (*engine)->host();
  findings.target = impl.target;
  findings.threads = impl.threads;
  Expected<PeakFindings> peaks =
      arguments.measure ? measureAndKeep(impl)
                        : Expected<PeakFindings>(lookAtPeaks(impl));
  if (!peaks)
    return peaks.error();
  findings.peaks = std::move(*peaks);
  if (impl.cache)
    findings.cache = examineCache(*impl.cache);
  else
    findings.cache.problem = findings.host.cacheProblem;
  return findings;
}

/// The names of the features that are (or are not) usable.
std::string featureNames(const HostReport &host, bool usable) {
  std::string names;
  for (const auto &[name, isUsable] : host.features)
    if (isUsable == usable)
      names += (names.empty() ? "" : " ") + name;
  return names.empty() ? "none" : names;
}

/// What the engine's threads reach.
void addRowsOfNow(Table &table, const Findings &findings) {
  const PeakFindings &peaks = findings.peaks;
  if (!peaks.notMeasured.empty()) {
    table.addRow({"FMA peak, memory", "not measured: " + peaks.notMeasured});
    return;
  }
  const std::string onThreads =
      " on " + counted(findings.threads, "thread", "threads");
  const auto addPeak = [&](std::string_view name, ProductInstruction what) {
    table.addRow(
        {std::string(name) + " peak",
         fixed(peaks.now.gflops(what).best, 1, " GFLOP/s") + onThreads});
  };
  addPeak("FMA", ProductInstruction::fma);
  for (ProductInstruction instruction : instructionsBesideFma(peaks.now))
    addPeak(toString(instruction), instruction);
  const double gbps = peaks.now.memoryGbps.best;
  table.addRow(
      {"memory", gbps > 0 ? fixed(gbps, 1, " GB/s read") + onThreads
                          : "not measured: too little of it is free, or may be "
                            "addressed (ulimit -v)"});
}

/// Rows of other numbers of threads stay when one is measured.
std::string measuredText(const ThreadPeaks &row) {
  return row.measuredUnixSeconds > 0
             ? "; measured " + timeText(row.measuredUnixSeconds)
             : "";
}

void addKeptRows(Table &table, const PeakFindings &peaks) {
  if (!peaks.notKept.empty())
    table.addRow({"peaks", "not kept: " + peaks.notKept});
  else if (!peaks.notUsed.empty())
    table.addRow({"peaks", "not used: " + peaks.notUsed});
  else if (peaks.known)
    table.addRow(
        {"peaks", "measured " + timeText(peaks.known->measuredUnixSeconds)});
  else
    table.addRow({"peaks", "none kept; 'lintel doctor --measure' measures "
                           "and keeps them"});
  if (peaks.known)
    for (const ThreadPeaks &row : peaks.known->rows)
      table.addRow({"  threads=" + std::to_string(row.threads),
                    peaksText(row) + measuredText(row)});
}

void addCacheRows(Table &table, const HostReport &host,
                  const CacheHealth &cache) {
  if (!host.cacheProblem.empty()) {
    table.addRow({"kernel cache", "off: " + host.cacheProblem});
    return;
  }
  const std::string contents = counted(cache.entries, "entry", "entries") +
                               ", " + bytesText(double(cache.bytes));
  table.addRow({"kernel cache", host.cacheDirectory + ": " +
                                    (cache.isListed ? contents : "unknown")});
  if (cache.damage.ofOtherVersions > 0)
    table.addRow({"of another version",
                  counted(cache.damage.ofOtherVersions, "file", "files") +
                      " there, left to the Lintel that wrote them"});
  if (cache.damage.movedAside > 0)
    table.addRow({"moved aside", counted(cache.damage.movedAside,
                                         "damaged file", "damaged files") +
                                     ", which lintel cache prune removes"});
  if (!cache.problem.empty())
    table.addRow(
        {cache.isListed ? "not writable" : "not readable", cache.problem});
  for (const std::string &complaint : cache.damage.damaged)
    table.addRow({"damaged", complaint});
  for (const std::string &complaint : cache.damage.unreadable)
    table.addRow({"unreadable", complaint});
}

std::string findingsText(const Findings &findings) {
  const HostReport &host = findings.host;
  const Target &target = findings.target;
  Table table("", {});
  table.addRow({"CPU", host.cpu});
  table.addRow({"cores", std::to_string(target.cores)});
  table.addRow({"ISA level", host.isa});
  table.addRow({"usable", featureNames(host, true)});
  table.addRow({"missing", featureNames(host, false)});
  for (const HostCheck &check : host.amx)
    table.addRow(
        {"AMX " + check.name, (check.holds ? "yes: " : "no: ") + check.detail});
  table.addRow({"CPU caches", "L1d " + bytesText(double(target.l1)) + ", L2 " +
                                  bytesText(double(target.l2)) + ", L3 " +
                                  bytesText(double(target.l3))});
  table.addRow({"target", host.target});
  table.addRow({"OpenMP", host.openmp});
  addRowsOfNow(table, findings);
  addKeptRows(table, findings.peaks);
  addCacheRows(table, host, findings.cache);
  return table.text();
}

std::string findingsJson(const Findings &findings) {
  const HostReport &host = findings.host;
  const Target &target = findings.target;
  return jsonLine([&](llvm::json::OStream &out) {
    writeHost(out, host);
    out.attributeObject("cpu_caches", [&] {
      out.attribute("l1", target.l1);
      out.attribute("l2", target.l2);
      out.attribute("l3", target.l3);
    });
    out.attribute("cores", target.cores);
    writeNumber(out, "peak_gflops",
                findings.peaks.now.gflops(ProductInstruction::fma).best, 2);
    writeNumber(out, "read_gbps", findings.peaks.now.memoryGbps.best, 2);
    writeText(out, "peak_source", toString(findings.peaks.source));
    writeText(out, "not_measured", findings.peaks.notMeasured);
    writePeaks(out, "peaks", findings.peaks.known);
    writeText(out, "peaks_problem",
              findings.peaks.notKept.empty() ? findings.peaks.notUsed
                                             : findings.peaks.notKept);
    out.attributeObject("kernel_cache", [&] {
      writeText(out, "directory", host.cacheDirectory);
      writeText(out, "problem", findings.cache.problem);
      out.attribute("entries", findings.cache.entries);
      out.attribute("bytes", findings.cache.bytes);
      writeTexts(out, "damaged", findings.cache.damage.damaged);
      writeTexts(out, "unreadable", findings.cache.damage.unreadable);
      out.attribute("of_other_versions",
                    int64_t(findings.cache.damage.ofOtherVersions));
      out.attribute("moved_aside", int64_t(findings.cache.damage.movedAside));
    });
  });
}

int doctor(const DoctorArguments &arguments) {
  Expected<Findings> findings = examine(arguments);
  if (!findings)
    return printError(findings.error());
  print(arguments.kernel.json ? findingsJson(*findings)
                              : findingsText(*findings));
  return findings->isWell() ? kSuccess : kFailed;
}

} // namespace

Command makeDoctorCommand(CommandParser program) {
  auto arguments = std::make_shared<DoctorArguments>();
  CommandParser parser = program.addCommand(
      "doctor", "what the machine has; exit 1 if something is wrong");
  addThreadsOption(parser, arguments->kernel.threads);
  parser.addFlag("--measure", arguments->measure,
                 "measure what the machine can do at most, and keep it");
  parser.addFlag("--json", arguments->kernel.json, "one JSON object");
  return {parser, [arguments] { return doctor(*arguments); }};
}

} // namespace lintel::tool
