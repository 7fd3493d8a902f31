// Work and traffic of one call, and the rates they give.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/Throughput.h"

namespace lintel {
namespace {

double elementsOf(Broadcast broadcast, double rows, double columns) {
  switch (broadcast) {
  case Broadcast::scalar:
    return 1;
  case Broadcast::column:
    return columns;
  case Broadcast::row:
    return rows;
  case Broadcast::full:
    break;
  }
  return rows * columns;
}

} // namespace

double floatingPointOperations(const Problem &problem) {
  return 2.0 * static_cast<double>(problem.rows().typical) *
         static_cast<double>(problem.n()) * static_cast<double>(problem.k());
}

double bytesMoved(const Problem &problem) {
  const auto rows = static_cast<double>(problem.rows().typical);
  const auto columns = static_cast<double>(problem.n());
  const auto depth = static_cast<double>(problem.k());
  const auto sizeOf = [](DType dtype) {
    return static_cast<double>(byteSize(dtype));
  };
  const DataTypes &types = problem.types();
  double bytes = rows * depth * sizeOf(types.activation) +
                 columns * depth * sizeOf(types.weight);
  bytes +=
      problem.epilogue().numResults() * rows * columns * sizeOf(types.result);
  for (const EpilogueOperand &operand : problem.epilogue().operands())
    bytes +=
        elementsOf(operand.broadcast, rows, columns) * sizeOf(operand.dtype);
  return bytes;
}

PeakRate choosePeak(double storedGflops, double runGflops) {
  if (storedGflops >= runGflops && storedGflops > 0)
    return {storedGflops, PeakSource::stored};
  return {runGflops, PeakSource::run};
}

PeakRate setPeakShare(TuningReport &report, PeakRate peak) {
  if (peak.gflops > 0 && report.gflops > peak.gflops)
    peak = {report.gflops, PeakSource::run};
  report.peakFraction = peak.gflops > 0 ? report.gflops / peak.gflops : 0;
  report.peakSource = peak.source;
  return peak;
}

PeakRate setThroughput(TuningReport &report, const Problem &problem,
                       PeakRate peak) {
  report.gflops = report.gbps = 0;
  if (report.medianMicroseconds > 0) {
    // Operations per nanosecond are giga-operations per second.
    const double perNanosecond = 1 / (report.medianMicroseconds * 1000);
    report.gflops = floatingPointOperations(problem) * perNanosecond;
    report.gbps = bytesMoved(problem) * perNanosecond;
  }
  return setPeakShare(report, peak);
}

} // namespace lintel
