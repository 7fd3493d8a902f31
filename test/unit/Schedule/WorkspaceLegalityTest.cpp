// Legality of what schedules keep in memory: workspaces, sums of slices of K.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/Refusal.h"
#include "unit/Schedule/TestTargets.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::HasSubstr;

namespace {

TEST(CheckSchedule, RefusesWorkspacesOutOfBounds) {
  const Target target = targetOf(IsaLevel::avx512);
  EXPECT_EQ(refusal("tile=8x48,kc=64,mc=64,nc=96", "?x4096:4096x4096", target),
            "accepted");
  // The sums of all M rows would wait in memory, and M has no bound.
  EXPECT_THAT(refusal("tile=8x48,kc=64", "?x4096:4096x4096", target),
              AllOf(HasSubstr("workspace"), HasSubstr("lower mc")));
  EXPECT_THAT(refusal("tile=8x48,kc=64", "2147483648x4096:4096x4096", target),
              HasSubstr("workspace"));
  EXPECT_THAT(refusal("tile=8x48,pack=block", "2147483648x4096:4096x4", target),
              HasSubstr("workspace"));
  EXPECT_EQ(refusal("tile=8x48", "2147483648x4096:4096x4096", target),
            "accepted");
}

TEST(CheckSchedule, KnowsWhatSlicesOfKTake) {
  const Target avx512 = targetOf(IsaLevel::avx512);
  for (const char *legal :
       {"tile=4x16,epilogue=tile,grid=1x1x4",
        "tile=4x16,epilogue=tile,mc=4,nc=16,grid=2x3x100,prefetch=4096"})
    for (const char *problem : {"4x8192:8192x64", "1x1:1x1", "0x8:8x8",
                                "8x0:0x8", "5..16x512:512x64"})
      EXPECT_EQ(refusal(legal, problem, avx512), "accepted") << legal;
  for (const char *fields :
       {"tile=4x16,grid=1x1x4", "tile=4x16,epilogue=tile,kc=64,grid=1x1x4",
        "tile=4x16,epilogue=tile,pack=block,grid=1x1x4",
        "tile=4x4,group=16,epilogue=tile,grid=1x1x4"})
    EXPECT_THAT(refusal(fields, "4x8192:8192x64", avx512),
                AllOf(HasSubstr("grid has 4 slices of K"),
                      HasSubstr("pack=none, epilogue=tile, kc=whole")))
        << fields;
}

TEST(CheckSchedule, BoundsTheSumsOfSlices) {
  const Target avx512 = targetOf(IsaLevel::avx512);
  const char *slices = "tile=4x16,epilogue=tile,grid=1x1x4";
  for (const char *problem : {"?x64:64x64", "5..?x64:64x64"})
    EXPECT_THAT(refusal(slices, problem, avx512),
                AllOf(HasSubstr("4 slices"), HasSubstr("M has no bound")));
  // 4 slices of 4096 x 4096 floats are 256 MiB.
  EXPECT_EQ(refusal(slices, "4096x64:64x4096", avx512), "accepted");
  EXPECT_THAT(refusal(slices, "4097x64:64x4096", avx512),
              AllOf(HasSubstr("256 MiB"), HasSubstr("lower the slices")));
  EXPECT_THAT(refusal(slices, "2147483647x64:64x4096", avx512),
              HasSubstr("lower the slices"));
}

/// What gets the largest part of a workspace smaller.
TEST(CheckSchedule, BlamesTheLargestPartOfAWorkspace) {
  const Target avx512 = targetOf(IsaLevel::avx512);
  const auto said = [&](const char *schedule, const char *problem,
                        const char *types = "f32") {
    return refusal(schedule, problem, avx512, types);
  };
  // A panel of 32 floats by 4 Mi, next to two rows of as many.
  EXPECT_EQ(said("tile=2x32,pack=block,widen=panel,tiles=nm,mc=2",
                 "4x4194304:4194304x64", "f16"),
            "one thread needs a workspace of 544 MiB, more than 256 MiB, most "
            "of it for a widened panel; lower kc");
  // Next to 64 rows, which are more.
  EXPECT_EQ(said("tile=2x32,pack=block,widen=panel,tiles=nm",
                 "64x4194304:4194304x64", "f16"),
            "one thread needs a workspace of 1536 MiB, more than 256 MiB, most "
            "of it for packed rows; lower mc or kc");
  // Sums of one row by 4 Mi columns are more than the row, but less than the
  // panel.
  EXPECT_EQ(said("tile=1x32,pack=block,widen=panel,tiles=nm,kc=2097152",
                 "1x4194304:4194304x4194304", "f16"),
            "one thread needs a workspace of 280 MiB, more than 256 MiB, most "
            "of it for a widened panel; lower kc");
  EXPECT_EQ(said("tile=8x48,pack=block", "64x2097152:2097152x48"),
            "one thread needs a workspace of 512 MiB, more than 256 MiB, most "
            "of it for packed rows; lower mc or kc");
  EXPECT_EQ(
      said("tile=8x48,pack=whole,mc=64,nc=48,kc=64", "64x2097152:2097152x48"),
      "one thread needs a workspace of 512 MiB, more than 256 MiB, most "
      "of it for packed rows; lower mc, or take pack=block with a kc");
  EXPECT_EQ(said("tile=8x48,kc=64", "?x128:128x48"),
            "one thread needs a workspace of 393216 MiB, more than 256 MiB "
            "when M is large, most of it for sums; lower mc or nc");
}

/// 8796093022207 MiB would be a number that nobody worked out.
TEST(CheckSchedule, CountsNoBytesThat64BitsCannot) {
  const Target avx512 = targetOf(IsaLevel::avx512);
  EXPECT_EQ(
      refusal("tile=4x16,pack=block", "?x2147483648:2147483648x1", avx512),
      "one thread needs a workspace of more than 2^63 bytes, more than "
      "256 MiB when M is large, most of it for packed rows; lower mc or "
      "kc");
  EXPECT_EQ(refusal("tile=4x16,epilogue=tile,grid=1x1x4",
                    "1..2147483647@1x1:1x2147483648", avx512),
            "grid has 4 slices of K, whose sums take more than 2^63 bytes, "
            "more than 256 MiB; lower the slices");
}

TEST(CheckSchedule, BoundsWorkspacesByTheirBytes) {
  const Target avx512 = targetOf(IsaLevel::avx512);
  // 8192 x 8192 sums are 256 MiB.
  EXPECT_EQ(
      refusal("tile=4x64,epilogue=tile,kc=64", "8192x128:128x8192", avx512),
      "accepted");
  EXPECT_THAT(
      refusal("tile=4x64,epilogue=tile,kc=64", "8193x128:128x8192", avx512),
      HasSubstr("lower mc or nc"));
  // Of all rows that there may be, whatever is typical.
  EXPECT_THAT(refusal("tile=4x16,epilogue=tile,grid=1x1x4",
                      "1..4097@8x64:64x4096", avx512),
              HasSubstr("lower the slices"));
}

} // namespace
