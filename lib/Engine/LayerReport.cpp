// One report from those of a layer's kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/LayerReport.h"

#include "Engine/TuningCosts.h"

#include <algorithm>
#include <utility>

namespace lintel {
namespace {

void forgetCosts(TuningReport &report) {
  report.objectsCompiled = 0;
  report.compileMilliseconds = 0;
  report.verifyMilliseconds = 0;
  report.timeMilliseconds = 0;
  report.totalMilliseconds = 0;
}

} // namespace

TuningReport reportOfBuckets(const Problem &problem,
                             std::vector<TuningReport> kernels) {
  TuningReport report = kernels.back();
  report.problem = problem.text();
  report.rows = problem.rows();
  forgetCosts(report);
  for (const TuningReport &kernel : kernels) {
    addCosts(report, kernel);
    report.maxError = std::max(report.maxError, kernel.maxError);
    report.noisy |= kernel.noisy;
    report.interrupted |= kernel.interrupted;
  }
  report.buckets = std::move(kernels);
  return report;
}

TuningReport reportedAs(TuningReport report, KernelSource source) {
  report.source = source;
  for (TuningReport &bucket : report.buckets)
    bucket.source = source;
  return report;
}

TuningReport reportedAsFound(TuningReport report, KernelSource source,
                             double lookupMilliseconds) {
  report = reportedAs(std::move(report), source);
  for (TuningReport &bucket : report.buckets)
    forgetCosts(bucket);
  forgetCosts(report);
  report.totalMilliseconds = lookupMilliseconds;
  return report;
}

} // namespace lintel
