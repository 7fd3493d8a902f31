// What a tuning runs to tell packing from the rest of a call on a slice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/TunerFixture.h"
#include "unit/Tuning/WrappingLoader.h"

#include <map>
#include <set>
#include <tuple>
#include <vector>

using namespace lintel;

namespace {

/// A call of one thread: who runs, and on which grid along N.
struct Call {
  std::tuple<size_t, int64_t, int64_t, int64_t, int64_t, int64_t> who;
  int64_t gridN;
};
std::vector<Call> calls;

void note(const WrappedCall &call) {
  const KernelArgs &args = *call.args;
  calls.push_back({{call.number, args.mc, args.nc, args.kc, args.blockOrder,
                    args.tileOrder},
                   args.gridN});
  call.run();
}

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

using PackingTest = TunerTest;

/// The winner of the first race meets its neighbours up to four times.
TEST_F(PackingTest, IsMeasuredOnceOfEachContender) {
  calls.clear();
  TuningOptions options = quick(1);
  options.maxNeighbours = 4;
  // Of the first three kernels for avx2 none is measured.
  options.maxObjects = 12;
  options.maxCandidates = 40;
  // With that cache all of the weight is confirmed, where packing needs not be
  // told.
  const Expected<TuningResult> result =
      tunerWith(std::make_shared<WrappingLoader<note>>(), hostWithCacheOf(32))
          ->tune(problemOf("16x4096:4096x4096"), options);
  ASSERT_TRUE(result) << result.error().message();
  int measured = 0;
  for (const auto &[who, turns] : turnsToNarrowParts()) {
    EXPECT_LE(turns, 1) << "kernel " << std::get<0>(who);
    measured += turns;
  }
  EXPECT_GT(measured, 0);
}

} // namespace
