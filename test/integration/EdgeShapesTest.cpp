// Sizes around vectors, tiles and blocks, all awkward, on every level.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <set>

using namespace lintel;
using namespace lintel::integration;

namespace {

// Each of these is in kShapes at least once; K = 262144 has a test of its own.
constexpr int64_t kRows[] = {0,  1,  2,  3,  4,  5,  6,   7,   8,  9,
                             11, 12, 13, 14, 15, 16, 17,  31,  32, 33,
                             47, 48, 49, 63, 64, 65, 127, 128, 129};
constexpr int64_t kColumns[] = {1,   2,   7,    15,    16,   17, 31,
                                33,  47,  48,   63,    64,   65, 127,
                                129, 255, 1000, 11008, 32003};
constexpr int64_t kDepths[] = {0,  1,   2,   3,   4,   5,    15,
                               16, 17,  31,  32,  33,  63,   64,
                               65, 127, 257, 511, 513, 1000, 2053};

struct Shape {
  int64_t m, n, k;
};

constexpr Shape kShapes[] = {
    {0, 17, 33},   {1, 1, 1},       {1, 32003, 15},   {2, 1, 2053},
    {3, 11008, 5}, {4, 16, 16},     {5, 7, 1000},     {6, 2, 513},
    {7, 1000, 64}, {8, 15, 511},    {9, 17, 257},     {11, 31, 127},
    {12, 33, 65},  {13, 47, 63},    {14, 48, 32},     {15, 63, 31},
    {16, 64, 17},  {17, 65, 1000},  {31, 127, 4},     {32, 129, 3},
    {33, 255, 2},  {47, 1000, 1},   {48, 1, 0},       {49, 16, 33},
    {63, 17, 64},  {64, 31, 65},    {65, 33, 127},    {127, 64, 2053},
    {128, 48, 16}, {129, 129, 513}, {17, 1000, 1000}, {1, 65, 257},
    {33, 47, 0},   {97, 997, 33},
};

class EdgeShapesTest : public KernelTest {
protected:
  static Layout layoutOf(size_t turn) {
    return {Layout::Rows(turn % 3), int64_t(turn / 3 % 2),
            turn % 2 ? GuardedBuffer::Fit::begin : GuardedBuffer::Fit::end};
  }
  static Team teamOf(size_t turn) {
    constexpr int32_t parts[] = {1, 2, 3, 7};
    return {parts[turn % 4],
            turn % 3 ? Team::Order::ascending : Team::Order::descending};
  }
  static Fill fillOf(size_t turn) {
    return turn % 4 == 3 ? Fill::gaussian : Fill::exact;
  }

  /// Runs `code` under every awkward blocking.
  bool rightWhenBlocked(GuardedCall &call, const Schedule &code, size_t turn) {
    for (const Schedule &schedule :
         awkwardBlockings(code, call.workload().problem()))
      if (!right(call, schedule, teamOf(turn++)))
        return false;
    return true;
  }
};

TEST_P(EdgeShapesTest, KnownRows) {
  for (size_t i = 0, taken = turn; i < std::size(kShapes); ++i) {
    if (!takes(i))
      continue;
    const auto [m, n, k] = kShapes[i];
    const Problem layer = problem(m, n, k);
    const Workload workload(layer, m, fillOf(taken), i);
    GuardedCall call(workload, m, layoutOf(taken));
    // One object of the space, and others of its tile.
    for (const Schedule &code : someCodes(layer, target, 1, taken))
      if (!rightWhenBlocked(call, code, taken))
        return;
    ++taken;
  }
}

TEST_P(EdgeShapesTest, RowsKnownOnlyWhenCalled) {
  // All rows of a shape take long: a third of the shapes, or a quarter, so that
  // four epilogues take all.
  const size_t step = std::max<size_t>(3, sharers);
  for (size_t i = turn % step; i < std::size(kShapes); i += step) {
    const int64_t n = kShapes[i].n, k = kShapes[i].k;
    const Problem layer = problem(std::nullopt, n, k);
    // Of the one shape that is large in both as few as of those beyond.
    const bool isLarge = n > 1000 || k > 1000 || n * k > int64_t(1) << 17;
    const int64_t mostRows = isLarge ? 17 : 129;
    const size_t taken = i / step;
    const Workload workload(layer, mostRows, fillOf(taken + turn + 1), i);
    const std::vector<Schedule> codes =
        someCodes(layer, target, 1, taken + turn);
    const Schedule &code = codes[taken % codes.size()];
    for (size_t row = 0; row < std::size(kRows); ++row) {
      if (kRows[row] > mostRows)
        break;
      GuardedCall call(workload, kRows[row], layoutOf(taken + row));
      const std::vector<Schedule> blockings = awkwardBlockings(code, layer);
      for (size_t b = row % 2; b < blockings.size(); b += 2)
        if (!right(call, blockings[b], teamOf(row + b)))
          return;
    }
  }
}

LINTEL_ON(allKernels(), EdgeShapesTest);
LINTEL_ON_TILE_REGISTERS(EdgeShapesTest);
LINTEL_ON_HALF_SUMS(EdgeShapesTest);
LINTEL_ON_NARROW_TYPES(EdgeShapesTest);
LINTEL_ON_INTEGERS(EdgeShapesTest);

TEST(EdgeShapes, HoldEveryEdgeSize) {
  std::set<int64_t> m, n, k;
  for (const Shape &shape : kShapes) {
    m.insert(shape.m);
    n.insert(shape.n);
    k.insert(shape.k);
  }
  EXPECT_THAT(m, testing::IsSupersetOf(kRows));
  EXPECT_THAT(n, testing::IsSupersetOf(kColumns));
  EXPECT_THAT(k, testing::IsSupersetOf(kDepths));
}

} // namespace
