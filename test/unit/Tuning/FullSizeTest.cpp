// Who runs at full size, and who cannot.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Tuning/FullSize.h"

#include <gmock/gmock.h>

#include <memory>
#include <utility>

using namespace lintel;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

/// No machine has memory for 64 TiB of weights.
TEST(FullSize, TheFirstThatDoesNotFitLeavesTheOthersTheirTurn) {
  const Target target = zen4();
  const std::shared_ptr<Executor> executor = openMPExecutor();
  const std::unique_ptr<KernelFactory> factory = std::move(
      KernelFactory::create(target, Loader::create().value()).value());
  const TuningOptions options;
  Contest contest(
      problemOf("4096x4194304:4194304x4194304", "f32"),
      {scheduleOf("tile=8x48,mc=128"), scheduleOf("tile=12x32,mc=120")},
      TuningContext{target, executor, *factory}, options);
  for (size_t i : {0, 1})
    contest.contenders()[i].report.medianMicroseconds = 100;
  const Extent raced = {256, std::nullopt};
  const Promises promises(contest, raced, 0);
  FullSize fullSize(contest, raced, promises);
  std::vector<size_t> who = {0, 1}, unable;
  const auto best = fullSize.tryOut(who, std::nullopt, unable);
  ASSERT_TRUE(best) << best.error().message();
  EXPECT_FALSE(*best);
  EXPECT_THAT(who, IsEmpty());
  EXPECT_THAT(unable, ElementsAre(0));
}

} // namespace
