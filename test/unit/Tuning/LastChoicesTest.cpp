// A winner that meets a rival at the end of a tuning.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/TiringExecutor.h"
#include "unit/Tuning/TunerFixture.h"
#include "unit/Tuning/WrappingLoader.h"

#include "Runtime/Clock.h"

#include <optional>
#include <set>
#include <tuple>

using namespace lintel;

namespace {

constexpr int kThreads = 4;
/// Large enough for every machine to share it out among all of them: else no
/// winner meets one that deals out chunks.
constexpr const char *kLayer = "128x512:512x512";

enum class Stage { other, timing, meetsWinner, meetsRival };
Stage stage;
/// Of more chunks than threads, which take them as they get free; those that
/// were timed.
using Key = std::tuple<size_t, int64_t, int64_t, int64_t, int64_t>;
std::set<Key> timed;
/// Whether the executor got tired.
bool wasTired;

Key keyOf(const WrappedCall &call) {
  const KernelArgs &args = *call.args;
  return {call.number, args.mc, args.nc, args.gridM, args.gridN};
}

/// Runs the kernel; on one thread it takes twice as long, or it would win where
/// the executor has one thread for all parts.
void runSlowAlone(const WrappedCall &call) {
  const Clock::time_point start = Clock::now();
  call.run();
  if (call.args->gridM * call.args->gridN == 1)
    spend(millisecondsSince(start));
}

/// Makes kernels whose chunks are dealt out a little slower, and makes them
/// fail where they are met once more.
void slowDown(const WrappedCall &call) {
  const KernelArgs &args = *call.args;
  const Clock::time_point start = Clock::now();
  runSlowAlone(call);
  if (args.gridM * args.gridN <= kThreads)
    return;
  const double longer = 1.2 * microsecondsSince(start);
  while (microsecondsSince(start) < longer)
    ;
  const Key key = keyOf(call);
  if (stage == Stage::timing)
    timed.insert(key);
  if (stage == Stage::meetsRival && timed.contains(key))
    TiringExecutor::isTired = wasTired = true;
}

/// As where there is no memory for its workspaces.
TEST(LastChoices, OneThatCannotRunThereKeepsItsPlace) {
  wasTired = false;
  const auto tuner = std::move(
      Tuner::create(hostTarget(), std::make_shared<WrappingLoader<slowDown>>(),
                    std::make_shared<TiringExecutor>())
          .value());
  TuningOptions options;
  options.threads = kThreads;
  options.budgetMilliseconds = 500;
  options.maxNeighbours = 1; // beside chunks that are dealt out
  options.progress = [](size_t done, size_t total, std::string_view what) {
    // The winner goes first, and so it does before its neighbours.
    const bool second = what == "verifying" && total == 2 && done == 1;
    stage = what == "timing" ? Stage::timing
            : second         ? Stage::meetsRival
                             : Stage::other;
  };
  // Times decide whom a winner meets; seldom nobody who was timed before.
  Expected<TuningResult> result = Error(ErrorCode::internal, "not tuned yet");
  for (int tries = 0; tries < 10 && !wasTired; ++tries) {
    timed.clear();
    result = tuner->tune(problemOf(kLayer), options);
    ASSERT_TRUE(result) << result.error().message();
  }
  ASSERT_TRUE(wasTired) << "ten winners met no rival";
  for (const Candidate &candidate : result->candidates)
    EXPECT_NE(candidate.status, CandidateStatus::failed)
        << candidate.schedule.text() << ": " << candidate.reason;
}

/// Whether the winner met one that was timed before, and who ran in that race.
bool metRival;
std::set<Key> ranInLastRace;
Key winnerSoFar;

/// Makes kernels whose chunks are dealt out slower until they meet the winner,
/// on which they then make the better impression: they are timed first.
void impress(const WrappedCall &call) {
  const KernelArgs &args = *call.args;
  const bool isDealt = args.gridM * args.gridN > kThreads;
  const Clock::time_point start = Clock::now();
  runSlowAlone(call);
  if (metRival) {
    if (stage == Stage::timing) {
      ranInLastRace.insert(keyOf(call));
      spend(keyOf(call) == winnerSoFar ? 5 : 0); // held up
    }
    return;
  }
  if (stage == Stage::timing && isDealt) {
    timed.insert(keyOf(call));
    spend(0.2 * millisecondsSince(start));
  }
  if (stage == Stage::meetsWinner) {
    winnerSoFar = keyOf(call);
    spend(40);
  }
  if (stage == Stage::meetsRival) {
    metRival = timed.contains(keyOf(call));
    spend(1); // or it is too short to make an impression
  }
}

TuningOptions watched() {
  TuningOptions options;
  options.threads = kThreads;
  options.budgetMilliseconds = 300;
  options.maxNeighbours = 1;
  options.progress = [](size_t done, size_t total, std::string_view what) {
    stage = what == "timing"                    ? Stage::timing
            : what != "verifying" || total != 2 ? Stage::other
            : done == 0                         ? Stage::meetsWinner
                                                : Stage::meetsRival;
  };
  return options;
}

/// Interrupts tunings once so many were timed in a last race, until one went as
/// `wanted`, and expects the winner that was then about to be replaced.
void expectInterruptsToKeepTheWinner(size_t timedInLastRace, bool (*wanted)()) {
  const auto tuner = std::move(
      Tuner::create(hostTarget(), std::make_shared<WrappingLoader<impress>>(),
                    sequentialExecutor())
          .value());
  TuningOptions options = watched();
  options.stop = [=] { return ranInLastRace.size() == timedInLastRace; };
  for (int tries = 0; tries < 10; ++tries) {
    timed.clear();
    ranInLastRace.clear();
    metRival = false;
    const Expected<TuningResult> result =
        tuner->tune(problemOf(kLayer), options);
    ASSERT_TRUE(result) << result.error().message();
    if (ranInLastRace.size() != timedInLastRace || !wanted())
      continue;
    const auto &[number, mc, nc, gridM, gridN] = winnerSoFar;
    const Schedule &winner = result->winner().schedule;
    EXPECT_EQ(std::tuple(winner.gridM, winner.gridN), std::tuple(gridM, gridN));
    EXPECT_GT(result->winner().medianMicroseconds, 0);
    return;
  }
  FAIL() << "none of ten tunings met a rival so";
}

TEST(LastChoices, AnInterruptBeforeTheWinnerRanKeepsIt) {
  expectInterruptsToKeepTheWinner(
      1, [] { return !ranInLastRace.contains(winnerSoFar); });
}

/// In its only sample it was held up.
TEST(LastChoices, AnInterruptAfterOneRoundKeepsTheWinner) {
  expectInterruptsToKeepTheWinner(2, [] { return true; });
}

/// The kernel that is wrong from its first rival on.
std::optional<size_t> spoiled;
bool asksForNumber;
size_t numberAsked;

void spoilTheWinner(const WrappedCall &call) {
  if (asksForNumber) {
    numberAsked = call.number;
    return;
  }
  runSlowAlone(call);
  if (stage == Stage::meetsWinner && !spoiled)
    spoiled = call.number;
  const KernelArgs &args = *call.args;
  const KernelTensor &output = args.outputs[0];
  if (spoiled == call.number && call.tid == call.nthreads - 1)
    static_cast<float *>(output.data)[(args.m - 1) * output.stride + 511] +=
        1e6;
}

TEST(LastChoices, AnotherThatIsRightTakesThePlaceOfAWrongWinner) {
  const auto tuner = std::move(
      Tuner::create(hostTarget(),
                    std::make_shared<WrappingLoader<spoilTheWinner>>(),
                    sequentialExecutor())
          .value());
  spoiled.reset();
  asksForNumber = false;
  for (int tries = 0; tries < 10 && !spoiled; ++tries) {
    const Expected<TuningResult> result =
        tuner->tune(problemOf(kLayer), watched());
    ASSERT_TRUE(result) << result.error().message();
    if (!spoiled)
      continue;
    asksForNumber = true;
    result->winnerKernel->function()(nullptr, 0, 1);
    EXPECT_NE(numberAsked, *spoiled);
    EXPECT_GT(result->winner().medianMicroseconds, 0);
  }
  EXPECT_TRUE(spoiled) << "in ten tunings nobody met a rival";
}

} // namespace
