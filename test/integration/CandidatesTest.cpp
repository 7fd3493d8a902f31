// Every object of search spaces, with blockings of its own and awkward ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

#include <functional>
#include <map>
#include <string>

using namespace lintel;
using namespace lintel::integration;

namespace {

constexpr int kThreads = 3;

class CandidatesTest : public KernelTest {
protected:
  /// Objects; some of the blockings it was proposed with, and all awkward
  /// ones, on data with exact sums and on random data.
  void checkSearchSpace(const Problem &problem, int64_t rows) {
    const Workload exact(problem, rows, Fill::exact, 11);
    const Workload random(problem, rows, Fill::gaussian, 12);
    GuardedCall exactCall(exact, rows, {.rows = Layout::Rows::apart});
    GuardedCall randomCall(random, rows, {.offset = 1});
    const std::vector<CodeVariant> space =
        searchSpaceByCode(problem, target, kThreads);
    EXPECT_FALSE(space.empty());
    for (const CodeVariant &variant : mine(space, problem)) {
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
  /// The objects that this case runs: half of those that another case which
  /// shares with it has, too, in whose half the others are, and all that it
  /// alone has.
  std::vector<CodeVariant> mine(const std::vector<CodeVariant> &space,
                                const Problem &problem) const {
    // Of each code, the number of this case among those that have it, and how
    // many these are.
    std::map<std::string, size_t> before, having;
    for (size_t i = 0; i < GetParam().alike.size(); ++i)
      for (const CodeVariant &variant : spaceOf(GetParam().alike[i], problem)) {
        ++having[textOf(variant)];
        if (i < part)
          ++before[textOf(variant)];
      }
    std::vector<CodeVariant> taken;
    for (const CodeVariant &variant : space) {
      const std::string code = textOf(variant);
      const size_t shares = std::clamp<size_t>(having[code], 1, 2);
      // Not by number: neighbours differ in one thing alone, such as where the
      // epilogue runs, of which one half would always have the same.
      if (before[code] % shares == std::hash<std::string>{}(code) % shares)
        taken.push_back(variant);
    }
    return taken;
  }

  std::vector<CodeVariant> spaceOf(const KernelCase::Layer &sharing,
                                   const Problem &like) const {
    const DataTypes itsTypes = *DataTypes::parse(sharing.types);
    return searchSpaceByCode(layer(like.m(), like.n(), like.k(),
                                   epilogueNamed(sharing.epilogue, itsTypes),
                                   itsTypes),
                             target, kThreads);
  }

  static std::string textOf(const CodeVariant &variant) {
    return variant.first().code().text();
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
