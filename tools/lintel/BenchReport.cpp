// What `lintel bench` measured of one problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BenchReport.h"

#include "JsonLine.h"
#include "Table.h"
#include "TuningText.h"

#include <algorithm>
#include <limits>

namespace lintel::tool {

static void writeRates(llvm::json::OStream &out, const Timing &timing) {
  const TuningReport &report = timing.report;
  writeText(out, "schedule", report.schedule);
  // Picoseconds: the shortest calls take some 40 ns.
  writeNumber(out, "median_us", report.medianMicroseconds, 6);
  writeNumber(out, "min_us", report.minMicroseconds, 6);
  writeNumber(out, "spread",
              timing.spread.value_or(std::numeric_limits<double>::quiet_NaN()),
              4);
  writeNumber(out, "gflops", report.gflops, 3);
  writeNumber(out, "gbps", report.gbps, 3);
  writeNumber(out, "peak_fraction", report.peakFraction, 5);
  writeNumber(out, "peak_gflops", timing.peakGflops, 3);
  writeText(out, "peak_source", toString(report.peakSource));
}

static void writeDoubt(llvm::json::OStream &out, const std::string &doubt) {
  if (!doubt.empty())
    writeText(out, "doubt", doubt);
}

/// Of those with most rows, which the report is about first, or of others.
static std::string doubtOfAny(const std::vector<Timing> &timings) {
  const auto doubtful =
      std::find_if(timings.rbegin(), timings.rend(),
                   [](const Timing &timing) { return !timing.doubt.empty(); });
  if (doubtful == timings.rend())
    return "";
  const std::string rows =
      doubtful == timings.rbegin()
          ? ""
          : "with " + counted(size_t(doubtful->rows), "row", "rows") + ", ";
  return rows + doubtful->doubt;
}

std::string benchJson(const Measurement &measurement) {
  const TuningReport &layer = measurement.layer;
  const std::vector<Timing> &timings = measurement.timings;
  return jsonLine([&](llvm::json::OStream &out) {
    writeSubject(out, layer);
    writeText(out, "source", toString(layer.source));
    writeText(out, "key", layer.key);
    writeRates(out, timings.empty() ? Timing{0, layer} : timings.back());
    writeDoubt(out, doubtOfAny(timings));
    if (!layer.rows.isKnown())
      out.attributeArray("rows", [&] {
        for (const Timing &timing : timings)
          out.object([&] {
            out.attribute("rows", timing.rows);
            writeRates(out, timing);
            writeDoubt(out, timing.doubt);
          });
      });
    writeNumber(out, "ready_ms", measurement.readyMilliseconds, 3);
    out.attribute("noisy", layer.noisy);
    out.attribute("tuning_interrupted", layer.interrupted);
    out.attribute("interrupted", measurement.interrupted);
    if (!measurement.failure.empty())
      writeText(out, "error", measurement.failure);
  });
}

static std::string timingText(const Timing &timing) {
  const TuningReport &report = timing.report;
  const std::string scatter =
      timing.spread ? ", scatter " + fixed(100 * *timing.spread, 1, "%") : "";
  return "  " + report.schedule +
         (timing.idle.empty() ? "" : "; " + timing.idle) + "\n  " +
         millisecondsText(report.medianMicroseconds) + " median, " +
         millisecondsText(report.minMicroseconds) + " min, " +
         fixed(report.gflops, 1, " GFLOP/s, ") +
         fixed(report.gbps, 1, " GB/s, ") +
         fixed(100 * report.peakFraction, 1, "% of peak (") +
         std::string(toString(report.peakSource)) + ", " +
         fixed(timing.peakGflops, 1, " GFLOP/s)") + scatter +
         (timing.doubt.empty() ? "\n"
                               : "\n  doubtful: " + timing.doubt + "\n") +
         (timing.isTunedFlushed
              ? "  weight not flushed between calls, as it is by tune\n"
              : "");
}

std::string benchText(const Problem &problem, const Measurement &measurement) {
  const TuningReport &layer = measurement.layer;
  std::string text = "BENCH " + subjectText(problem, layer) + "\n";
  if (measurement.timings.empty())
    return text + "  nothing to compute\n";
  for (const Timing &timing : measurement.timings)
    text += (layer.rows.isKnown()
                 ? ""
                 : "  rows " + std::to_string(timing.rows) + "\n") +
            timingText(timing);
  return text + "  source " + std::string(toString(layer.source)) +
         doubtText(layer) + ", ready after " +
         fixed(measurement.readyMilliseconds, 1, " ms") +
         (measurement.interrupted
              ? "; interrupted: of what there was time for\n"
          : measurement.failure.empty() ? "\n"
                                        : "; failed with more rows\n");
}

} // namespace lintel::tool
