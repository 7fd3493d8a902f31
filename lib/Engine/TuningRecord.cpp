// What the cache keeps beside an object: the report, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/TuningRecord.h"

#include "Engine/JsonAttributes.h"
#include "Engine/JsonNesting.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <clocale>
#include <limits>
#include <locale.h>
#include <optional>

namespace lintel {
namespace {

using llvm::json::OStream;

constexpr int64_t kRecordVersion = 1;
/// Records are objects in arrays in objects; anything deeper is not one.
constexpr int kDeepestNesting = 8;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void writeNumber(OStream &out, llvm::StringRef name, double value) {
  char digits[32];
  std::to_chars_result end =
      std::to_chars(digits, digits + sizeof digits, value,
                    std::chars_format::general, /*precision=*/7);
  writeDigits(out, name, value, llvm::StringRef(digits, end.ptr - digits));
}

void writeCandidate(OStream &out, const CandidateReport &candidate) {
  out.object([&] {
    writeText(out, "schedule", candidate.schedule);
    writeText(out, "status", candidate.status);
    writeNumber(out, "median_us", candidate.medianMicroseconds);
    if (candidate.promised)
      out.attribute("promised", true);
    if (!candidate.reason.empty())
      writeText(out, "reason", candidate.reason);
  });
}

void writeWinner(OStream &out, const TuningReport &report) {
  out.attributeObject("winner", [&] {
    writeText(out, "schedule", report.schedule);
    writeNumber(out, "median_us", report.medianMicroseconds);
    writeNumber(out, "min_us", report.minMicroseconds);
    if (report.promised)
      out.attribute("promised", true);
    writeNumber(out, "gflops", report.gflops);
    writeNumber(out, "gbps", report.gbps);
    writeNumber(out, "peak_fraction", report.peakFraction);
    writeText(out, "peak_source", toString(report.peakSource));
  });
}

void writeCandidates(OStream &out, const TuningReport &report) {
  out.attributeArray("candidates", [&] {
    for (const CandidateReport &candidate : report.candidates)
      writeCandidate(out, candidate);
  });
}

void writeBucket(OStream &out, const TuningReport &bucket) {
  out.object([&] {
    out.attributeArray("rows", [&] {
      out.value(bucket.rows.least);
      out.value(bucket.rows.most);
    });
    out.attribute("tuned_rows", bucket.rows.typical);
    writeText(out, "key", bucket.key);
    writeWinner(out, bucket);
    writeCandidates(out, bucket);
  });
}

void writePanels(OStream &out, const TuningReport &report) {
  out.attributeArray("panels", [&] {
    for (const PanelReport &panel : report.panels)
      out.object([&] {
        out.attribute("columns", panel.columns);
        out.attribute("group", panel.group);
        writeNumber(out, "slowdown", panel.slowdown);
      });
  });
}

void writeReport(OStream &out, const TuningReport &report) {
  out.object([&] {
    writeText(out, "problem", report.problem);
    writeText(out, "dtype", report.types.text());
    out.attribute("threads", report.threads);
    writeText(out, "isa", report.isa);
    writeText(out, "cpu", report.cpu);
    writeText(out, "source", toString(report.source));
    writeText(out, "key", report.key);
    writeWinner(out, report);
    writeCandidates(out, report);
    if (!report.buckets.empty())
      out.attributeArray("buckets", [&] {
        for (const TuningReport &bucket : report.buckets)
          writeBucket(out, bucket);
      });
    if (!report.panels.empty())
      writePanels(out, report);
    out.attribute("objects_compiled", report.objectsCompiled);
    writeNumber(out, "max_error", report.maxError);
    out.attribute("noisy", report.noisy);
    out.attribute("interrupted", report.interrupted);
    out.attributeObject("ms", [&] {
      writeNumber(out, "compile", report.compileMilliseconds);
      writeNumber(out, "verify", report.verifyMilliseconds);
      writeNumber(out, "time", report.timeMilliseconds);
      writeNumber(out, "total", report.totalMilliseconds);
    });
  });
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Numbers on this thread are read with a decimal point while this lives.
class PointLocale {
public:
  PointLocale()
      : plain(newlocale(LC_ALL_MASK, "C", nullptr)),
        previous(uselocale(plain)) {}
  ~PointLocale() {
    uselocale(previous);
    if (plain)
      freelocale(plain);
  }
  PointLocale(const PointLocale &) = delete;
  PointLocale &operator=(const PointLocale &) = delete;

private:
  locale_t plain, previous;
};

/// Reads members of one object; remembers the first that is not as it should
/// be.
class Members {
public:
  Members(const llvm::json::Object *object, std::string path,
          std::optional<Error> &error)
      : object(object), path(std::move(path)), error(error) {}

  std::string text(llvm::StringRef name) {
    if (auto value = object ? object->getString(name) : std::nullopt)
      return value->str();
    refuse(name, "text");
    return {};
  }
  double number(llvm::StringRef name) {
    if (auto value = object ? object->getNumber(name) : std::nullopt)
      return *value;
    // A measurement that was not finite is written as null.
    if (object && object->getNull(name))
      return std::numeric_limits<double>::infinity();
    refuse(name, "a number");
    return 0;
  }
  int integer(llvm::StringRef name) {
    auto value = object ? object->getInteger(name) : std::nullopt;
    if (value && *value >= 0 && *value <= std::numeric_limits<int>::max())
      return static_cast<int>(*value);
    refuse(name, "an integer >= 0");
    return 0;
  }
  bool boolean(llvm::StringRef name) {
    if (auto value = object ? object->getBoolean(name) : std::nullopt)
      return *value;
    refuse(name, "true or false");
    return false;
  }
  Members member(llvm::StringRef name) {
    const llvm::json::Object *inner =
        object ? object->getObject(name) : nullptr;
    if (!inner)
      refuse(name, "an object");
    return Members(inner, path + name.str() + ".", error);
  }
  const llvm::json::Array *array(llvm::StringRef name) {
    const llvm::json::Array *inner = object ? object->getArray(name) : nullptr;
    if (!inner)
      refuse(name, "an array");
    return inner;
  }
  bool has(llvm::StringRef name) const { return object && object->get(name); }
  void refuse(llvm::StringRef name, std::string_view wanted) {
    if (!error)
      error = Error(ErrorCode::corrupt, "tuning record: " + path + name.str() +
                                            " must be " + std::string(wanted));
  }

private:
  const llvm::json::Object *object;
  std::string path;
  std::optional<Error> &error;
};

std::optional<KernelSource> parseSource(std::string_view name) {
  for (KernelSource source :
       {KernelSource::tuned, KernelSource::cache, KernelSource::pinned})
    if (toString(source) == name)
      return source;
  return std::nullopt;
}

std::optional<PeakSource> parsePeakSource(std::string_view name) {
  for (PeakSource source : {PeakSource::stored, PeakSource::run})
    if (toString(source) == name)
      return source;
  return std::nullopt;
}

std::vector<CandidateReport> readCandidates(const llvm::json::Array &array,
                                            std::optional<Error> &error) {
  std::vector<CandidateReport> candidates;
  candidates.reserve(array.size());
  for (const llvm::json::Value &value : array) {
    Members members(value.getAsObject(), "report.candidates.", error);
    CandidateReport &candidate = candidates.emplace_back();
    candidate.schedule = members.text("schedule");
    candidate.status = members.text("status");
    candidate.medianMicroseconds = members.number("median_us");
    if (members.has("promised"))
      candidate.promised = members.boolean("promised");
    if (members.has("reason"))
      candidate.reason = members.text("reason");
  }
  return candidates;
}

std::vector<PanelReport> readPanels(const llvm::json::Array &array,
                                    std::optional<Error> &error) {
  std::vector<PanelReport> panels;
  for (const llvm::json::Value &value : array) {
    Members members(value.getAsObject(), "report.panels.", error);
    panels.push_back({members.integer("columns"), members.integer("group"),
                      members.number("slowdown")});
  }
  return panels;
}

TuningReport readReport(Members members, std::optional<Error> &error) {
  TuningReport report;
  report.problem = members.text("problem");
  if (Expected<DataTypes> types = DataTypes::parse(members.text("dtype")))
    report.types = *types;
  else
    members.refuse("dtype", "a known element type");
  report.threads = members.integer("threads");
  report.isa = members.text("isa");
  report.cpu = members.text("cpu");
  if (std::optional<KernelSource> source = parseSource(members.text("source")))
    report.source = *source;
  else
    members.refuse("source", "tuned, cache or pinned");
  report.key = members.text("key");

  Members winner = members.member("winner");
  report.schedule = winner.text("schedule");
  report.medianMicroseconds = winner.number("median_us");
  report.minMicroseconds = winner.number("min_us");
  if (winner.has("promised"))
    report.promised = winner.boolean("promised");
  report.gflops = winner.number("gflops");
  report.gbps = winner.number("gbps");
  report.peakFraction = winner.number("peak_fraction");
  if (std::optional<PeakSource> source =
          parsePeakSource(winner.text("peak_source")))
    report.peakSource = *source;
  else
    winner.refuse("peak_source", "stored or run");

  if (const llvm::json::Array *candidates = members.array("candidates"))
    report.candidates = readCandidates(*candidates, error);
  if (members.has("panels"))
    if (const llvm::json::Array *panels = members.array("panels"))
      report.panels = readPanels(*panels, error);
  report.objectsCompiled = members.integer("objects_compiled");
  report.maxError = members.number("max_error");
  report.noisy = members.boolean("noisy");
  report.interrupted = members.boolean("interrupted");

  Members milliseconds = members.member("ms");
  report.compileMilliseconds = milliseconds.number("compile");
  report.verifyMilliseconds = milliseconds.number("verify");
  report.timeMilliseconds = milliseconds.number("time");
  report.totalMilliseconds = milliseconds.number("total");
  return report;
}

} // namespace

std::string_view toString(KernelSource source) {
  switch (source) {
  case KernelSource::tuned:
    return "tuned";
  case KernelSource::cache:
    return "cache";
  case KernelSource::pinned:
    return "pinned";
  }
  return "unknown";
}

std::string_view toString(PeakSource source) {
  switch (source) {
  case PeakSource::stored:
    return "stored";
  case PeakSource::run:
    return "run";
  }
  return "unknown";
}

std::string TuningReport::json() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OStream out(stream);
  writeReport(out, *this);
  return text;
}

std::string TuningRecord::encode() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OStream out(stream);
  out.object([&] {
    out.attribute("record", kRecordVersion);
    writeNumber(out, "peak_gflops", peakGflops);
    out.attributeBegin("report");
    writeReport(out, report);
    out.attributeEnd();
  });
  return text;
}

Expected<TuningRecord> TuningRecord::decode(std::string_view text) {
  if (nestsDeeperThan(kDeepestNesting, text))
    return Error(ErrorCode::corrupt, "tuning record: nested too deep");
  PointLocale locale;
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse(llvm::StringRef(text.data(), text.size()));
  if (!value)
    return Error(ErrorCode::corrupt,
                 "tuning record: " + llvm::toString(value.takeError()));

  std::optional<Error> error;
  Members members(value->getAsObject(), "", error);
  if (members.integer("record") != kRecordVersion)
    members.refuse("record", std::to_string(kRecordVersion));
  TuningRecord record;
  record.peakGflops = members.number("peak_gflops");
  record.report = readReport(members.member("report"), error);
  if (error)
    return *error;
  return record;
}

} // namespace lintel
