// Every object of search spaces, with blockings of its own and awkward ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

#include <bit>

using namespace lintel;
using namespace lintel::integration;

namespace {

class CandidatesTest : public KernelTest {
protected:
  /// Objects; some of the blockings it was proposed with, and all awkward
  /// ones, on data with exact sums and on random data.
  void checkSearchSpace(const Problem &problem, int64_t rows) {
    const Workload exact(problem, rows, Fill::exact, 11);
    const Workload random(problem, rows, Fill::gaussian, 12);
    GuardedCall exactCall(exact, rows, {.rows = Layout::Rows::apart});
    GuardedCall randomCall(random, rows, {.offset = 1});
    for (const CodeVariant &variant : mine(problem)) {
      for (const Schedule &schedule : spread(variant.schedules, 4))
        if (!right(exactCall, schedule) ||
            !right(randomCall, schedule, {.parts = 2}))
          return;
      for (const Schedule &schedule :
           awkwardBlockings(variant.first(), problem))
        if (!right(exactCall, schedule, {.parts = 3}))
          return;
    }
  }

private:
  /// Every object; where cases share them out, half of what each has.
  /// Neighbours, and pairs of them, differ in one thing alone, such as where
  /// the epilogue runs: an alternating half would always have the same.
  std::vector<CodeVariant> mine(const Problem &problem) const {
    const std::vector<CodeVariant> all =
        searchSpaceByCode(problem, target, /*threads=*/3);
    std::vector<CodeVariant> half;
    for (size_t i = 0; i < all.size(); ++i)
      if (takes(size_t(std::popcount(i))))
        half.push_back(all[i]);
    return half;
  }

  static std::vector<Schedule> spread(const std::vector<Schedule> &all,
                                      size_t count) {
    std::vector<Schedule> some;
    const size_t step = std::max<size_t>(1, all.size() / count);
    for (size_t i = 0; i < all.size() && some.size() < count; i += step)
      some.push_back(all[i]);
    return some;
  }
};

TEST_P(CandidatesTest, OfALayerLargeEnoughToPack) {
  // Eight vectors and a panel's rest wide, so that every tile is a candidate.
  checkSearchSpace(problem(129, 32 * target.lanes() + 33, 67), 129);
}

TEST_P(CandidatesTest, OfAFewRows) { checkSearchSpace(problem(7, 65, 33), 7); }

TEST_P(CandidatesTest, OfOneRowWithAPowerOfTwoDepth) {
  // A weight beyond L1, which is worth asking for ahead.
  checkSearchSpace(problem(2, 47, 2048), 2);
}

LINTEL_ON(allKernels(), CandidatesTest);
LINTEL_ON_SOME_NARROW_TYPES(CandidatesTest);
LINTEL_ON_TILE_REGISTERS(CandidatesTest);
LINTEL_ON_HALF_SUMS(CandidatesTest);
LINTEL_ON_INTEGERS(CandidatesTest);

} // namespace
