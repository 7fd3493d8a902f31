// Register tiles and thread grids.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/RegisterTiles.h"
#include "Schedule/Strips.h"
#include "Schedule/ThreadGrids.h"

#include <algorithm>
#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Le;
using ::testing::Not;

namespace {

TEST(RegisterTiles, AreTheKnownGoodOnesOfAvx512) {
  EXPECT_THAT(registerTiles(problemOf("512x1024:1024x1024"), zen4()),
              IsSupersetOf<RegisterTile>(
                  {{6, 64}, {8, 48}, {9, 48}, {12, 32}, {14, 32}, {2, 128}}));
}

TEST(RegisterTiles, AreDerivedForSmallerRegisterFiles) {
  const Problem problem = problemOf("512x1024:1024x1024");
  EXPECT_THAT(registerTiles(problem, targetOf(IsaLevel::avx2)),
              IsSupersetOf<RegisterTile>({{6, 16}, {4, 24}}));
  EXPECT_THAT(registerTiles(problem, targetOf(IsaLevel::x86_64)),
              IsSupersetOf<RegisterTile>({{6, 8}, {4, 8}}));
}

TEST(RegisterTiles, AreAsTallAsASmallM) {
  EXPECT_THAT(registerTiles(problemOf("1x64:64x1024"), zen4()),
              AllOf(Each(Field(&RegisterTile::mr, 1)),
                    IsSupersetOf<RegisterTile>({{1, 64}, {1, 128}})));
  EXPECT_THAT(registerTiles(problemOf("4x64:64x1024"), zen4()),
              IsSupersetOf<RegisterTile>({{4, 64}, {4, 96}, {2, 128}}));
  // Nine rows in strips of six would be five and four.
  EXPECT_THAT(
      registerTiles(problemOf("9x64:64x1024"), zen4()),
      AllOf(Contains(RegisterTile{5, 64}), Not(Contains(RegisterTile{6, 64}))));
}

TEST(RegisterTiles, AreNoWiderThanN) {
  EXPECT_THAT(registerTiles(problemOf("128x64:64x20"), zen4()),
              AllOf(Contains(Field(&RegisterTile::nr, 32)),
                    Each(Field(&RegisterTile::nr, Le(32)))));
  EXPECT_THAT(registerTiles(problemOf("128x64:64x1"), zen4()),
              Each(Field(&RegisterTile::nr, 16)));
  EXPECT_THAT(registerTiles(problemOf("0x0:0x0"), zen4()), Not(IsEmpty()));
}

TEST(RegisterTiles, AreThoseOfFloatsWherePanelsAreWidened) {
  for (const char *types : {"f16", "bf16"}) {
    const Problem problem = problemOf("512x1024:1024x1024", types);
    const auto tiles = [&](Widen widen) {
      return registerTiles(problem, cascadeLake(), Accumulate::f32, widen);
    };
    EXPECT_EQ(tiles(Widen::panel),
              registerTiles(problemOf("512x1024:1024x1024"), cascadeLake()));
    EXPECT_THAT(tiles(Widen::panel), Contains(RegisterTile{14, 32}));
    EXPECT_THAT(tiles(Widen::step), Not(Contains(RegisterTile{14, 32})));
  }
}

TEST(RegisterTiles, FitTheRegisters) {
  for (IsaLevel isa : {IsaLevel::x86_64, IsaLevel::avx2, IsaLevel::avx512}) {
    const Target target = targetOf(isa);
    for (const char *types : {"f32", "bf16", "f16", "s8s8"}) {
      const DType weight = DataTypes::parse(types)->weight;
      for (const RegisterTile &tile :
           registerTiles(problemOf("?x64:64x4096", types), target))
        EXPECT_LE(
            registersOfTile(weight, target, tile.mr, tile.nr / target.lanes()),
            target.vectorRegisters());
      for (int64_t vectors = 1; vectors <= 40; ++vectors) {
        const int64_t rows = maxTileRows(weight, target, vectors);
        EXPECT_GT(registersOfTile(weight, target, rows + 1, vectors),
                  target.vectorRegisters());
        if (rows > 0) {
          EXPECT_LE(registersOfTile(weight, target, rows, vectors),
                    target.vectorRegisters());
        }
      }
    }
  }
}

TEST(RegisterTiles, OfBf16AreThoseOfF32WherePairsAreMultiplied) {
  const char *shape = "512x64:64x1024";
  EXPECT_EQ(registerTiles(problemOf(shape, "bf16"), zen4WithPairs()),
            registerTiles(problemOf(shape), zen4WithPairs()));
  // Two f32 for each vector of B and each row of A, and a mask.
  EXPECT_EQ(registersOfTile(DType::bf16, zen4(), 5, 4), 5 * 4 + 2 * 4 + 2 + 1);
  EXPECT_EQ(maxTileRows(DType::bf16, zen4(), 4), 5);
  // Two accumulators for each sum of a single row.
  EXPECT_EQ(registersOfTile(DType::bf16, zen4(), 1, 4), 2 * 4 + 2 * 4 + 2 + 1);
  EXPECT_EQ(maxTileRows(DType::bf16, zen4WithPairs(), 4), 6);
  EXPECT_EQ(maxTileRows(DType::f16, zen4(), 4), 6);
}

TEST(RegisterTiles, OfPairsInS16HoldOnesAndAProduct) {
  const Target avx2 = targetOf(IsaLevel::avx2);
  EXPECT_EQ(registersOfTile(DType::s8, avx2, 5, 2, Accumulate::s16),
            5 * 2 + 2 + 1 + 2);
  EXPECT_EQ(maxTileRows(DType::s8, avx2, 2, Accumulate::s16), 5);
  EXPECT_EQ(maxTileRows(DType::s8, avx2, 2), 6);
  EXPECT_EQ(maxTileRows(DType::s8, avx2, 3, Accumulate::s16), 3);
}

TEST(RegisterTiles, OfSumsOfF16AreVectorsOfTwiceAsMany) {
  const Target target = withHalfArithmetic();
  EXPECT_EQ(registersOfTile(DType::f16, target, 9, 3, Accumulate::f16),
            9 * 3 + 3 + 1);
  EXPECT_EQ(maxTileRows(DType::f16, target, 3, Accumulate::f16), 9);
  // Sums of f32, whose broadcasts LLVM moves up in narrow tiles.
  EXPECT_EQ(maxTileRows(DType::f16, target, 1), 21);
  EXPECT_EQ(maxTileRows(DType::f16, target, 4), 6);
  const std::vector<RegisterTile> tiles =
      registerTiles(problemOf("512x64:64x4096", "f16,accumulate=f16"), target,
                    Accumulate::f16);
  EXPECT_THAT(tiles, Contains(Field(&RegisterTile::nr, 32)));
  EXPECT_THAT(tiles, Contains(Field(&RegisterTile::nr, 96)));
  for (const RegisterTile &tile : tiles)
    EXPECT_EQ(tile.nr % 32, 0);
}

TEST(RegisterTiles, OfIntegersKeepARegisterForSigns) {
  EXPECT_EQ(registersOfTile(DType::s8, zen4WithQuads(), 6, 4),
            6 * 4 + 4 + 1 + 1);
  EXPECT_EQ(maxTileRows(DType::s8, zen4WithQuads(), 2), 14);
  // Widened ones, and a product.
  EXPECT_EQ(registersOfTile(DType::s8, zen4(), 6, 4), 6 * 4 + 4 + 1 + 1);
  EXPECT_EQ(maxTileRows(DType::s8, zen4(), 4), 6);
}

TEST(ThreadGrids, PreferTheSmallestLargestChunk) {
  // 3 strips on 4 threads: 1 x 4 wastes nothing, 2 x 2 leaves a chunk of two.
  const std::vector<ThreadGrid> grids =
      threadGrids({3, 100, 1000.0, 1000.0}, 4, 2);
  EXPECT_EQ(grids.front(), (ThreadGrid{1, 4}));
}

TEST(ThreadGrids, NeedNotDivideTheThreads) {
  // Five panels and many strips on seven threads: 7 x 1 is the only even cut.
  EXPECT_EQ(threadGrids({700, 1, 1.0, 1.0}, 7, 1).front(), (ThreadGrid{7, 1}));
  EXPECT_EQ(threadGrids({3, 2, 1.0, 1.0}, 7, 1).front(), (ThreadGrid{3, 2}));
}

TEST(ThreadGrids, BreakTiesByWhatAThreadReads) {
  // Cutting M makes each thread read all of w, cutting N all of x.
  EXPECT_EQ(threadGrids({8, 8, 1.0, 100.0}, 2, 1).front(), (ThreadGrid{1, 2}));
  EXPECT_EQ(threadGrids({8, 8, 100.0, 1.0}, 2, 1).front(), (ThreadGrid{2, 1}));
}

TEST(ThreadGrids, NeverHaveMoreChunksThanThreadsOrWork) {
  for (int threads = 0; threads <= 70; ++threads)
    for (const ThreadGrid &grid :
         threadGrids({13, 5, 3.0, 2.0}, threads, 100)) {
      EXPECT_LE(grid.m * grid.n, std::max(1, threads));
      EXPECT_LE(grid.m, 13);
      EXPECT_LE(grid.n, 5);
      EXPECT_GE(grid.m, 1);
      EXPECT_GE(grid.n, 1);
    }
}

TEST(DotTiles, CutFewColumnsEvenly) {
  const std::vector<RegisterTile> sixteen =
      dotTiles(problemOf("128x1024:1024x16"), zen4());
  EXPECT_THAT(sixteen, Contains(RegisterTile{6, 4}));
  // Three panels of 6 columns would be as many as three of 5 and one.
  for (const RegisterTile &tile : sixteen) {
    const int64_t panels = (16 + tile.nr - 1) / tile.nr;
    EXPECT_LT(panels * tile.nr - 16, panels) << tile.nr;
  }
  EXPECT_THAT(
      dotTiles(problemOf("2048x256:256x1"), zen4()),
      AllOf(Not(IsEmpty()), Each(AllOf(Field(&RegisterTile::nr, 1),
                                       Field(&RegisterTile::mr, Le(16))))));
}

TEST(DotTiles, OfNarrowTypesTakeVectorsOfK) {
  Target avx512 = zen4WithQuads();
  avx512.extensions.insert(Extension::avx512Bf16);
  const Target avx2 = targetOf(IsaLevel::avx2);
  EXPECT_EQ(groupOfDots(DType::f32, avx512), 16);
  EXPECT_EQ(groupOfDots(DType::f16, avx512), 16);
  EXPECT_EQ(groupOfDots(DType::bf16, avx512), 32);
  EXPECT_EQ(groupOfDots(DType::s8, avx512), 64);
  EXPECT_EQ(groupOfDots(DType::f32, avx2), 8);
  EXPECT_EQ(groupOfDots(DType::f16, avx2), 8);
  EXPECT_EQ(groupOfDots(DType::bf16, avx2), 16);
  EXPECT_EQ(groupOfDots(DType::s8, avx2), 16);
  for (const char *types : {"bf16", "f16", "u8s8"}) {
    const Problem problem = problemOf("128x1024:1024x16", types);
    EXPECT_THAT(dotTiles(problem, avx512), Contains(RegisterTile{6, 4}));
    EXPECT_THAT(dotTiles(problem, avx2), Not(IsEmpty()));
    EXPECT_THAT(dotTiles(problemOf("128x1001:1001x16", types), avx2),
                Not(IsEmpty()));
    EXPECT_THAT(dotTiles(problemOf("128x4:4x16", types), avx2), IsEmpty());
    // Without pairs and quads products take two instructions, and more
    // registers.
    EXPECT_THAT(dotTiles(problem, targetOf(IsaLevel::avx512)), Not(IsEmpty()));
  }
}

TEST(DotTiles, TakeADepthOfMostOfAVector) {
  const Target avx2 = targetOf(IsaLevel::avx2);
  EXPECT_THAT(dotTiles(problemOf("20000x15:15x1", "u8s8"), avx2),
              Not(IsEmpty()));
  EXPECT_THAT(dotTiles(problemOf("20000x9:9x1", "u8s8"), avx2), Not(IsEmpty()));
  EXPECT_THAT(dotTiles(problemOf("20000x8:8x1", "u8s8"), avx2), IsEmpty());
}

/// 36 columns take vectors for 48, 100 those for 112, but 1000 those for 1008.
TEST(DotTiles, AreForColumnsThatPadVectors) {
  const auto dots = [](std::string_view problem, const char *types = "f32") {
    return dotTiles(problemOf(problem, types), zen4());
  };
  for (const char *problem :
       {"128x512:512x36", "1x720:720x100", "9x2048:2048x130"})
    for (const char *types : {"f32", "bf16"})
      EXPECT_THAT(dots(problem, types), Not(IsEmpty())) << problem;
  for (const char *problem :
       {"128x512:512x48", "128x512:512x90", "128x512:512x1000"})
    EXPECT_THAT(dots(problem), IsEmpty()) << problem;
  // Vectors of 8 are padded less.
  EXPECT_THAT(dotTiles(problemOf("1x720:720x100"), targetOf(IsaLevel::avx2)),
              IsEmpty());
}

TEST(DotTiles, AreForLongRowsOfFewColumns) {
  EXPECT_THAT(dotTiles(problemOf("128x1024:1024x64"), zen4()), IsEmpty());
  EXPECT_THAT(dotTiles(problemOf("128x8:8x4"), zen4()), IsEmpty());
  EXPECT_THAT(dotTiles(problemOf("128x16:16x4", "bf16"), zen4()), IsEmpty());
  EXPECT_THAT(dotTiles(problemOf("128x32:32x4", "bf16"), zen4()),
              Not(IsEmpty()));
  EXPECT_THAT(dotTiles(problemOf("128x64:64x0"), zen4()), IsEmpty());
}

/// A kernel for any M holds a micro-kernel for each height.
TEST(RegisterTiles, OfADynamicMHaveFewAccumulatorsInAll) {
  for (const RegisterTile &tile :
       registerTiles(problemOf("?x1024:1024x1024"), zen4())) {
    int64_t accumulators = 0;
    for (int64_t height :
         stripHeights(tile.mr, problemOf("?x1024:1024x1024").rows()).tall)
      accumulators += height * tile.nr / 16;
    EXPECT_LE(accumulators, 56) << tile.mr << "x" << tile.nr;
  }
}

} // namespace
