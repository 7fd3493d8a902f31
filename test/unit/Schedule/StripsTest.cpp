// How rows are cut into strips.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/Strips.h"

#include <functional>
#include <gmock/gmock.h>
#include <numeric>
#include <set>

using namespace lintel;
using ::testing::ElementsAre;

namespace {

TEST(Strips, CoverEveryRowWithHeightsOneApart) {
  for (int64_t mr = 1; mr <= 30; ++mr)
    for (int64_t m = 1; m <= 300; ++m) {
      const Strips strips = cutIntoStrips(mr, m);
      ASSERT_EQ(strips.count, (m + mr - 1) / mr);
      ASSERT_LE(strips.tall, mr);
      const int64_t missing = strips.count * strips.tall - m;
      EXPECT_GE(missing, 0) << "mr " << mr << " m " << m;
      // At least one strip is tall: the last, which has no next to read on
      // into.
      EXPECT_LT(missing, strips.count) << "mr " << mr << " m " << m;
      EXPECT_EQ(strips.someShort, missing != 0) << "mr " << mr << " m " << m;
    }
}

TEST(Strips, HandleTheEnds) {
  EXPECT_EQ(cutIntoStrips(8, 0), (Strips{1, 1, false}));
  EXPECT_EQ(cutIntoStrips(8, 9), (Strips{2, 5, true}));
  EXPECT_EQ(cutIntoStrips(8, Problem::kMaxDim),
            (Strips{Problem::kMaxDim / 8, 8, false}));
  EXPECT_TRUE(cutIntoStrips(6, Problem::kMaxDim).someShort);
}

/// The heights found by looking at every M of a range.
StripHeights heightsOf(int64_t mr, int64_t least, int64_t most) {
  std::set<int64_t, std::greater<>> tall;
  StripHeights heights;
  for (int64_t m = least; m <= most; ++m) {
    tall.insert(cutIntoStrips(mr, m).tall);
    heights.someShort |= cutIntoStrips(mr, m).someShort;
  }
  heights.tall.assign(tall.begin(), tall.end());
  return heights;
}

TEST(StripHeights, AreThoseOfEveryMOfARange) {
  for (int64_t mr = 1; mr <= 14; ++mr)
    for (int64_t least : {0, 1, 2, 5, 17, 65, 100})
      for (int64_t length : {0, 1, 3, 11, 47, 1000}) {
        const StripHeights expected = heightsOf(mr, least, least + length);
        const StripHeights found =
            stripHeights(mr, {least, least + length, least});
        EXPECT_EQ(found.tall, expected.tall)
            << mr << ": " << least << " + " << length;
        EXPECT_EQ(found.someShort, expected.someShort)
            << mr << ": " << least << " + " << length;
      }
}

TEST(StripHeights, AllOccurAmongTheFirstRows) {
  for (int64_t mr = 1; mr <= 14; ++mr)
    for (int64_t least : {0, 1, 5, 17, 65, 300})
      for (int64_t most : {least + 3, int64_t(1000)}) {
        const int64_t rows = rowsWithEveryHeight(mr, {least, most, most});
        EXPECT_LE(rows, most);
        const StripHeights all = heightsOf(mr, least, most);
        const StripHeights first = heightsOf(mr, least, rows);
        EXPECT_EQ(first.tall, all.tall) << mr << ": " << least << ".." << most;
        EXPECT_EQ(first.someShort, all.someShort)
            << mr << ": " << least << ".." << most;
      }
}

TEST(StripHeights, AreFewWhereMIsLarge) {
  EXPECT_THAT(stripHeights(8, RowRange::between(65, Problem::kMaxDim)).tall,
              ElementsAre(8));
  EXPECT_THAT(stripHeights(8, RowRange::between(17, 64)).tall,
              ElementsAre(8, 7, 6));
  EXPECT_THAT(stripHeights(4, RowRange::any()).tall, ElementsAre(4, 3, 2, 1));
}

TEST(Strips, ShortOnesHaveAMicrokernelWhereTheyWasteMuch) {
  const auto height = [](const char *text, int64_t least, int64_t most,
                         DType weight = DType::f32) {
    return heightOfShortStrips(*Schedule::parse(text), {least, most}, weight);
  };
  // 12 x 4 and 1, that is 10 x 4 and 3 x 3: 52 for 49.
  EXPECT_EQ(height("tile=4x24", 49, 49), 3);
  EXPECT_EQ(height("tile=8x48", 33, 33), 6);
  // 21 for 20 are five percent, and 52 for 51 two.
  EXPECT_EQ(height("tile=8x48", 20, 20), 0);
  EXPECT_EQ(height("tile=4x24", 51, 51), 0);
  EXPECT_EQ(height("tile=4x24", 48, 48), 0);
  EXPECT_EQ(height("tile=2x24", 3, 3), 1);
  EXPECT_EQ(height("tile=4x24", 3, 3), 0);
  // 34 are 2 x 11 and 12.
  EXPECT_EQ(height("tile=14x32,embed=9,pack=block", 34, 34), 11);
  for (const char *others : {"", ",kc=32", ",grid=3x2", ",share=1"})
    EXPECT_EQ(height(("tile=4x24" + std::string(others)).c_str(), 49, 49), 3);
  EXPECT_EQ(height("tile=4x24,group=2,widen=panel", 49, 49, DType::bf16), 3);
  // Three rows would be packed element by element, five are not.
  EXPECT_EQ(height("tile=4x24,pack=block", 49, 49), 0);
  EXPECT_EQ(height("tile=4x24,pack=whole,kc=32", 49, 49), 0);
  EXPECT_EQ(height("tile=6x16,pack=block", 49, 49), 5);
  // Nor are those next to them where strips are lower than four.
  EXPECT_EQ(height("tile=3x24,pack=block", 7, 7), 2);
  EXPECT_EQ(height("tile=2x24,pack=block", 3, 3), 1);
  // Of any M in a range no height is known.
  EXPECT_EQ(height("tile=4x24", 33, 49), 0);
  EXPECT_EQ(height("tile=32x32,unit=amx,group=2", 49, 49, DType::bf16), 0);
  EXPECT_EQ(height("tile=4x2,group=16", 49, 49), 0);
  EXPECT_EQ(height("tile=4x24,grid=1x1x2", 49, 49), 0);
}

} // namespace
