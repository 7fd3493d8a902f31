// What a tuning runs to tell packing from the rest of a call on a slice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/TunerFixture.h"
#include "unit/Tuning/WrappingLoader.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

using namespace lintel;

namespace {

/// A call of one thread: who runs, on which grid along N, and how often threads
/// were woken before, which they are for each sample.
struct Call {
  std::tuple<size_t, int64_t, int64_t, int64_t, int64_t, int64_t> who;
  int64_t gridN;
  int sample;
};
std::vector<Call> calls;
int samples;

void note(const WrappedCall &call) {
  const KernelArgs &args = *call.args;
  calls.push_back({{call.number, args.mc, args.nc, args.kc, args.blockOrder,
                    args.tileOrder},
                   args.gridN,
                   samples});
  call.run();
}

class CountingExecutor : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    ++samples;
    for (int32_t part = 0; part < maxThreads; ++part)
      body(context, part, maxThreads);
  }
};

/// How often each schedule turned to a grid finer than that of its slice.
std::map<decltype(Call::who), int> turnsToNarrowParts() {
  std::map<decltype(Call::who), std::set<int64_t>> grids;
  for (const Call &call : calls)
    if (call.gridN > 1)
      grids[call.who].insert(call.gridN);
  std::map<decltype(Call::who), int> turns;
  std::map<decltype(Call::who), int64_t> last;
  for (const Call &call : calls) {
    const std::set<int64_t> &known = grids[call.who];
    const bool isNarrow = known.size() > 1 && call.gridN == *known.rbegin();
    turns[call.who] += isNarrow && last[call.who] != call.gridN;
    last[call.who] = call.gridN;
  }
  return turns;
}

/// In how many samples each one that turned to a narrow part ran on the slice
/// before, that of its verification included.
std::map<decltype(Call::who), size_t> samplesBeforeNarrowParts() {
  std::map<decltype(Call::who), std::set<int>> before;
  std::map<decltype(Call::who), size_t> counts;
  std::map<decltype(Call::who), int64_t> finest;
  for (const Call &call : calls)
    finest[call.who] = std::max(finest[call.who], call.gridN);
  for (const auto &[who, turns] : turnsToNarrowParts()) {
    if (turns == 0)
      continue;
    for (const Call &call : calls) {
      if (call.who != who)
        continue;
      if (call.gridN == finest[who])
        break;
      before[who].insert(call.sample);
    }
    counts[who] = before[who].size();
  }
  return counts;
}

class PackingTest : public TunerTest {
protected:
  static void tuneOneThatPacks() {
    calls.clear();
    TuningOptions options = quick(1);
    options.maxNeighbours = 4;
    // Of the first three kernels for avx2 none is measured.
    options.maxObjects = 12;
    options.maxCandidates = 40;
    // With that cache all of the weight is confirmed, where packing needs not
    // be told.
    const auto tuner =
        std::move(Tuner::create(hostWithCacheOf(32),
                                std::make_shared<WrappingLoader<note>>(),
                                std::make_shared<CountingExecutor>())
                      .value());
    const Expected<TuningResult> result =
        tuner->tune(problemOf("16x4096:4096x4096"), options);
    ASSERT_TRUE(result) << result.error().message();
  }
};

/// The winner of the first race meets its neighbours up to four times.
TEST_F(PackingTest, IsMeasuredOnceOfEachContender) {
  ASSERT_NO_FATAL_FAILURE(tuneOneThatPacks());
  int measured = 0;
  for (const auto &[who, turns] : turnsToNarrowParts()) {
    EXPECT_LE(turns, 1) << "kernel " << std::get<0>(who);
    measured += turns;
  }
  EXPECT_GT(measured, 0);
}

/// The run that was verified found the data elsewhere.
TEST_F(PackingTest, ComparesTheNarrowPartWithLaterRunsOfTheSlice) {
  ASSERT_NO_FATAL_FAILURE(tuneOneThatPacks());
  const auto counts = samplesBeforeNarrowParts();
  EXPECT_FALSE(counts.empty());
  for (const auto &[who, count] : counts)
    EXPECT_GE(count, 3u) << "kernel " << std::get<0>(who);
}

} // namespace
