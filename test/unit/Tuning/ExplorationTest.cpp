// When a tuning looks around the winner of its first race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/TunerFixture.h"
#include "unit/Tuning/WrappingLoader.h"

#include "Schedule/Ranking.h"

#include <gmock/gmock.h>

#include <optional>

using namespace lintel;
using ::testing::SizeIs;

namespace {

using ExplorationTest = TunerTest;

TEST_F(ExplorationTest, TriesNoNeighboursThatItHasNoTimeFor) {
  const char *const layer = "64x96:96x80 bias+relu";
  TuningOptions options = quick();
  options.maxNeighbours = 5;
  options.budgetMilliseconds = 1e-300;
  const auto first =
      selectCandidates(problemOf(layer), hostTarget(), options.threads,
                       options.maxCandidates, options.maxObjects, std::nullopt);
  EXPECT_THAT(tune(layer, options).candidates, SizeIs(first.size()));
}

void takes20ms(const WrappedCall &call) {
  call.run();
  spend(20);
}

/// A first race of 32 ms has time for two of them, a step of 16 for none.
TEST_F(ExplorationTest, TriesNoNeighboursThatTakeLongerThanAStep) {
  TuningOptions options = quick(1);
  options.maxNeighbours = 5;
  options.maxCandidates = options.maxObjects = 2;
  options.budgetMilliseconds = 64;
  const Expected<TuningResult> result =
      tunerWith(std::make_shared<WrappingLoader<takes20ms>>())
          ->tune(problemOf("64x96:96x80"), options);
  ASSERT_TRUE(result) << result.error().message();
  // For busy cores a winner may meet one more.
  EXPECT_LE(result->candidates.size(), 3u);
}

} // namespace
