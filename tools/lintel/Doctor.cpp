// lintel doctor: what the machine has, and whether all is well.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheDamage.h"
#include "Command.h"
#include "Console.h"
#include "JsonLine.h"
#include "KernelOptions.h"
#include "ReadBandwidth.h"
#include "Table.h"

#include "Engine/EngineImpl.h"
#include "Engine/PeakMeter.h"

#include <memory>

namespace lintel::tool {

namespace {

struct DoctorArguments {
  KernelOptions kernel; ///< only --threads and --json are on the command line
};

/// The state of the kernels on disk.
struct CacheHealth {
  size_t entries = 0;
  uint64_t bytes = 0;
  std::vector<std::string> complaints;
};

struct Findings {
  HostReport host;
  Target target;
  int threads = 1;
  double peakGflops = 0;
  double readGbps = 0;
  CacheHealth cache;
  bool isWell() const {
    return cache.complaints.empty() && host.cacheProblem.empty();
  }
};

Expected<CacheHealth> examineCache(Cache &cache) {
  CacheHealth health;
  Expected<std::vector<CacheListing>> listings = cache.list();
  if (!listings)
    return listings.error();
  Expected<std::vector<std::string>> complaints = findDamage(cache, *listings);
  if (!complaints)
    return complaints.error();
  health.complaints = std::move(*complaints);
  health.entries = listings->size();
  for (const CacheListing &listing : *listings)
    health.bytes += listing.bytes;
  return health;
}

Expected<Findings> examine(const KernelOptions &options) {
  constexpr double kPeakMilliseconds = 100;
  auto engine = makeEngine(options);
  if (!engine)
    return engine.error();
  Engine::Impl &impl = (*engine)->internals();
  Findings findings;
  findings.host = (*engine)->host();
  findings.target = impl.target;
  findings.threads = impl.threads;
  PeakMeter peak(*impl.executor, impl.threads, impl.target);
  peak.sampleFor(kPeakMilliseconds);
  findings.peakGflops = peak.gflops();
  Expected<double> bandwidth =
      measureReadBandwidth(*impl.executor, impl.threads, impl.target);
  if (!bandwidth)
    return bandwidth.error();
  findings.readGbps = *bandwidth;
  if (impl.cache) {
    Expected<CacheHealth> health = examineCache(*impl.cache);
    if (!health)
      return health.error();
    findings.cache = std::move(*health);
  }
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

std::string findingsText(const Findings &findings) {
  const HostReport &host = findings.host;
  const Target &target = findings.target;
  const std::string onThreads =
      " on " + std::to_string(findings.threads) + " threads";
  Table table("", {});
  table.addRow({"CPU", host.cpu});
  table.addRow({"cores", std::to_string(target.cores)});
  table.addRow({"ISA level", host.isa});
  table.addRow({"usable", featureNames(host, true)});
  table.addRow({"missing", featureNames(host, false)});
  table.addRow({"CPU caches", "L1d " + bytesText(double(target.l1)) + ", L2 " +
                                  bytesText(double(target.l2)) + ", L3 " +
                                  bytesText(double(target.l3))});
  table.addRow({"target", host.target});
  table.addRow({"OpenMP", host.openmp});
  table.addRow(
      {"FMA peak", fixed(findings.peakGflops, 1, " GFLOP/s") + onThreads});
  table.addRow(
      {"memory", fixed(findings.readGbps, 1, " GB/s read") + onThreads});
  if (!host.cacheProblem.empty())
    table.addRow({"kernel cache", "off: " + host.cacheProblem});
  else
    table.addRow({"kernel cache", host.cacheDirectory + ": " +
                                      std::to_string(findings.cache.entries) +
                                      " entries, " +
                                      bytesText(double(findings.cache.bytes))});
  for (const std::string &complaint : findings.cache.complaints)
    table.addRow({"damaged", complaint});
  return table.text();
}

std::string findingsJson(const Findings &findings) {
  const HostReport &host = findings.host;
  const Target &target = findings.target;
  return jsonLine([&](llvm::json::OStream &out) {
    writeText(out, "cpu", host.cpu);
    writeText(out, "isa", host.isa);
    writeText(out, "target", host.target);
    out.attributeObject("features", [&] {
      for (const auto &[name, usable] : host.features)
        out.attribute(name, usable);
    });
    out.attributeObject("cpu_caches", [&] {
      out.attribute("l1", target.l1);
      out.attribute("l2", target.l2);
      out.attribute("l3", target.l3);
    });
    out.attribute("cores", target.cores);
    out.attribute("threads", findings.threads);
    writeText(out, "openmp", host.openmp);
    writeNumber(out, "peak_gflops", findings.peakGflops, 2);
    writeNumber(out, "read_gbps", findings.readGbps, 2);
    out.attributeObject("kernel_cache", [&] {
      writeText(out, "directory", host.cacheDirectory);
      writeText(out, "problem", host.cacheProblem);
      out.attribute("entries", findings.cache.entries);
      out.attribute("bytes", findings.cache.bytes);
      out.attributeArray("damaged", [&] {
        for (const std::string &complaint : findings.cache.complaints)
          out.value(llvm::json::fixUTF8(complaint));
      });
    });
  });
}

int doctor(const DoctorArguments &arguments) {
  Expected<Findings> findings = examine(arguments.kernel);
  if (!findings)
    return printError(findings.error());
  print(arguments.kernel.json ? findingsJson(*findings)
                              : findingsText(*findings));
  return findings->isWell() ? kSuccess : kFailed;
}

} // namespace

Command makeDoctorCommand(CLI::App &app) {
  auto arguments = std::make_shared<DoctorArguments>();
  CLI::App *parser = app.add_subcommand(
      "doctor", "what the machine has; exit 1 if something is wrong");
  addThreadsOption(*parser, arguments->kernel.threads);
  parser->add_flag("--json", arguments->kernel.json, "one JSON object");
  return {parser, [arguments] { return doctor(*arguments); }};
}

} // namespace lintel::tool
