// Tiles of dot products: vectors of K that end beside a guard, few columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

#include "Schedule/RegisterTiles.h"

#include <algorithm>

using namespace lintel;
using namespace lintel::integration;

namespace {

class DotProductsTest : public KernelTest {
protected:
  /// Elements of K of a vector.
  int64_t group() const { return groupOfDots(types.weight, target); }

  /// Also of a K that dotTiles() would not take.
  Schedule dots(const RegisterTile &tile) const {
    Schedule schedule;
    schedule.mr = tile.mr;
    schedule.nr = tile.nr;
    schedule.group = group();
    schedule.epilogue = EpiloguePlacement::tile;
    schedule.mc = schedule.nc = schedule.kc = Schedule::kWhole;
    return schedule;
  }

  /// As wide as the registers hold with so many rows, up to `columns`.
  RegisterTile widest(int64_t rows, int64_t columns) const {
    while (maxTileRows(types.weight, target, columns) < rows)
      --columns;
    return {rows, columns};
  }

  /// As tall as the registers hold, up to `rows`.
  Schedule tallestDots(int64_t columns, int64_t rows) const {
    columns = widest(1, columns).nr;
    const int64_t tallest = maxTileRows(types.weight, target, columns);
    return dots({std::min(tallest, rows), columns});
  }

  bool rightWhenBlocked(GuardedCall &call, const Schedule &code) {
    const std::vector<Schedule> blockings =
        awkwardBlockings(code, call.workload().problem());
    return std::all_of(
        blockings.begin(), blockings.end(),
        [&](const Schedule &one) { return right(call, one, {.parts = 2}); });
  }
};

/// What a cut vector must not read: behind the last row of x lies an
/// inaccessible page, behind the others the next row or garbage.
TEST_P(DotProductsTest, DepthsAroundVectors) {
  constexpr int64_t kRows = 5, kColumns = 7;
  constexpr Layout kLayouts[] = {{},
                                 {.rows = Layout::Rows::apart},
                                 {.rows = Layout::Rows::apart,
                                  .offset = 1,
                                  .fit = GuardedBuffer::Fit::begin}};
  for (int64_t k : {int64_t(0), int64_t(1), int64_t(2), int64_t(3), group() - 1,
                    group(), group() + 1, 2 * group() - 3, 3 * group() + 5}) {
    const Problem layer = problem(kRows, kColumns, k);
    for (Fill fill : {Fill::exact, Fill::gaussian}) {
      const Workload workload(layer, kRows, fill, uint64_t(k));
      for (const Layout &layout : kLayouts) {
        GuardedCall call(workload, kRows, layout);
        for (const Schedule &code :
             {dots({1, 1}), tallestDots(1, kRows), tallestDots(3, kRows)})
          if (!rightWhenBlocked(call, code))
            return;
      }
    }
  }
}

TEST_P(DotProductsTest, EveryNumberOfColumns) {
  constexpr int64_t kRows = 19;
  for (int64_t n = 1; n <= 32; ++n) {
    if (!takes(size_t(n)))
      continue;
    const Problem layer = problem(kRows, n, group() + 3);
    const std::vector<RegisterTile> tiles = dotTiles(layer, target);
    ASSERT_FALSE(tiles.empty()) << n;
    const Workload workload(layer, kRows, Fill::exact, uint64_t(n));
    GuardedCall call(workload, kRows, {});
    // One of up to a dozen: the other n take the others.
    const RegisterTile &tile = tiles[size_t(n / 2) % tiles.size()];
    if (!rightWhenBlocked(call, dots(tile)))
      return;
  }
}

/// More than those for which every target races dot products.
TEST_P(DotProductsTest, ManyColumns) {
  constexpr int64_t kRows = 11;
  for (int64_t n : {36, 100, 131}) {
    const Problem layer = problem(kRows, n, group() + 3);
    const Workload workload(layer, kRows, Fill::exact, uint64_t(n));
    GuardedCall call(workload, kRows, {});
    for (const RegisterTile &tile : {widest(1, 5), widest(2, 3)})
      if (!rightWhenBlocked(call, dots(tile)))
        return;
  }
}

TEST_P(DotProductsTest, EveryNumberOfRows) {
  constexpr int64_t kMostRows = 37;
  for (int64_t n : {1, 5, 13}) {
    const Problem layer = problem(std::nullopt, n, 2 * group() + 1);
    const Workload workload(layer, kMostRows, Fill::gaussian, uint64_t(n));
    const std::vector<RegisterTile> tiles = dotTiles(layer, target);
    ASSERT_GE(tiles.size(), 2u) << n;
    for (size_t i = 0; i < tiles.size(); ++i) {
      // Of each width there is a tall tile and then one half as tall.
      if (!takes(i + i / 2))
        continue;
      for (int64_t m = 0; m <= kMostRows; ++m) {
        GuardedCall call(workload, m, {});
        if (!right(call, dots(tiles[i]), {.parts = 3}))
          return;
      }
    }
  }
}

std::vector<KernelCase> dotKernels() {
  std::vector<KernelCase> cases;
  for (const std::vector<KernelCase> &some :
       {allKernels(), narrowKernels(), integerKernels()})
    cases.insert(cases.end(), some.begin(), some.end());
  return cases;
}

LINTEL_ON(dotKernels(), DotProductsTest);

} // namespace
