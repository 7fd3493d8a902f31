// One report from those of a layer's kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/LayerReport.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

using namespace lintel;

namespace {

/// That cost 1, 2, 4 and 8 times `cost` milliseconds.
TuningReport report(const char *schedule, double cost) {
  TuningReport report;
  report.schedule = schedule;
  report.objectsCompiled = static_cast<int>(cost);
  report.compileMilliseconds = cost;
  report.verifyMilliseconds = 2 * cost;
  report.timeMilliseconds = 4 * cost;
  report.totalMilliseconds = 8 * cost;
  report.maxError = 0.125 / cost;
  return report;
}

const Problem kLayer = Problem::parse("?x64:64x32 bias").value();

TEST(LayerReport, SumsCostsAndTakesTheRestFromTheLastKernel) {
  TuningReport noisy = report("tile=1x16", 1);
  noisy.noisy = true;
  const TuningReport all =
      reportOfBuckets(kLayer, {noisy, report("tile=8x16", 10)});
  EXPECT_EQ(all.problem, kLayer.text());
  EXPECT_EQ(all.rows, RowRange::any());
  EXPECT_EQ(all.schedule, "tile=8x16");
  EXPECT_EQ(all.objectsCompiled, 11);
  EXPECT_EQ(all.compileMilliseconds, 11);
  EXPECT_EQ(all.verifyMilliseconds, 22);
  EXPECT_EQ(all.timeMilliseconds, 44);
  EXPECT_EQ(all.totalMilliseconds, 88);
  EXPECT_EQ(all.maxError, 0.125);
  EXPECT_TRUE(all.noisy);
  EXPECT_FALSE(all.interrupted);
  ASSERT_EQ(all.buckets.size(), 2u);
  EXPECT_EQ(all.buckets[0].schedule, "tile=1x16");
}

TEST(LayerReport, ARaceThatWasStoppedIsSaidOfTheLayer) {
  for (const size_t bucket : {0, 1}) {
    std::vector<TuningReport> kernels = {report("tile=1x16", 1),
                                         report("tile=8x16", 10)};
    kernels[bucket].interrupted = true;
    const TuningReport all = reportOfBuckets(kLayer, kernels);
    EXPECT_TRUE(all.interrupted) << bucket;
    EXPECT_FALSE(all.buckets[1 - bucket].interrupted) << bucket;
  }
}

TEST(LayerReport, OneThatWasMadeKeepsItsCosts) {
  const TuningReport made = reportedAs(
      reportOfBuckets(kLayer, {report("tile=1x16", 1), report("tile=8x16", 2)}),
      KernelSource::pinned);
  EXPECT_EQ(made.source, KernelSource::pinned);
  EXPECT_EQ(made.buckets[0].source, KernelSource::pinned);
  EXPECT_EQ(made.objectsCompiled, 3);
  EXPECT_EQ(made.totalMilliseconds, 24);
}

TEST(LayerReport, OneThatWasFoundCostsTheLookUp) {
  const TuningReport found = reportedAsFound(
      reportOfBuckets(kLayer, {report("tile=1x16", 1), report("tile=8x16", 2)}),
      KernelSource::cache, 0.5);
  EXPECT_EQ(found.source, KernelSource::cache);
  EXPECT_EQ(found.objectsCompiled, 0);
  EXPECT_EQ(found.compileMilliseconds, 0);
  EXPECT_EQ(found.timeMilliseconds, 0);
  EXPECT_EQ(found.totalMilliseconds, 0.5);
  for (const TuningReport &bucket : found.buckets) {
    EXPECT_EQ(bucket.source, KernelSource::cache);
    EXPECT_EQ(bucket.objectsCompiled, 0);
    EXPECT_EQ(bucket.totalMilliseconds, 0);
  }
  // What the kernels are is kept.
  EXPECT_EQ(found.schedule, "tile=8x16");
  EXPECT_EQ(found.maxError, 0.125);
}

} // namespace
