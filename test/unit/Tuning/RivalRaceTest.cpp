// A winner that meets a rival at the end of a tuning.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/TunerFixture.h"
#include "unit/Tuning/WrappingLoader.h"

#include "Runtime/Clock.h"

#include <set>
#include <tuple>

using namespace lintel;

namespace {

constexpr int kThreads = 4;

enum class Stage { other, timing, meetsRival };
Stage stage;
/// Of more chunks than threads, which take them as they get free; those that
/// were timed.
std::set<std::tuple<size_t, int64_t, int64_t, int64_t, int64_t>> timed;
/// What the executor is to do no more, and whether that happened.
bool isTired, wasTired;

/// Makes kernels whose chunks are dealt out a little slower, and makes them
/// fail where they are met once more.
void slowDown(const WrappedCall &call) {
  const KernelArgs &args = *call.args;
  const Clock::time_point start = Clock::now();
  call.run();
  if (args.gridM * args.gridN <= kThreads)
    return;
  const double longer = 1.2 * microsecondsSince(start);
  while (microsecondsSince(start) < longer)
    ;
  const std::tuple key(call.number, args.mc, args.nc, args.gridM, args.gridN);
  if (stage == Stage::timing)
    timed.insert(key);
  if (stage == Stage::meetsRival && timed.contains(key))
    isTired = wasTired = true;
}

/// Runs parts on the calling thread, and none after it got tired.
class TiringExecutor : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    isTired = false;
    for (int32_t part = 0; part < maxThreads && !isTired; ++part)
      body(context, part, maxThreads);
  }
};

/// As where there is no memory for its workspaces.
TEST(RivalRace, OneThatCannotRunThereKeepsItsPlace) {
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
    result = tuner->tune(problemOf("64x256:256x256"), options);
    ASSERT_TRUE(result) << result.error().message();
  }
  ASSERT_TRUE(wasTired) << "ten winners met no rival";
  for (const Candidate &candidate : result->candidates)
    EXPECT_NE(candidate.status, CandidateStatus::failed)
        << candidate.schedule.text() << ": " << candidate.reason;
}

} // namespace
