// Legality of how schedules read rows and panels: widened, and embedded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/Refusal.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::HasSubstr;

namespace {

TEST(CheckSchedule, WidensPanelsForWidenedRowsThatPassThem) {
  const auto check = [](const std::string &fields, const char *types,
                        const Target &target) {
    return refusal("tile=6x64,widen=panel" + fields, "64x64:64x64", target,
                   types);
  };
  EXPECT_EQ(check(",pack=block,tiles=nm", "f16", zen4()), "accepted");
  EXPECT_EQ(check(",pack=block,tiles=nm,group=2", "bf16", zen4()), "accepted");
  EXPECT_THAT(check(",pack=block,tiles=nm,group=2", "bf16", zen4WithPairs()),
              AllOf(HasSubstr("\"bf16\" take w as it is"),
                    HasSubstr("extensions=avx512bf16")));
  EXPECT_THAT(check(",pack=block,tiles=nm", "f32", zen4()),
              HasSubstr("\"f32\" take w as it is"));
  struct Odd {
    const char *fields, *named;
  };
  for (const Odd &odd :
       {Odd{"", "pack is none"}, Odd{",pack=whole,kc=32", "pack is whole"},
        Odd{",pack=block", "tiles is mn"},
        Odd{",pack=block,tiles=nm,ahead=2048", "ahead is 2048"},
        Odd{",pack=block,tiles=nm,streams=2", "streams is 2"},
        Odd{",group=16", "dot products"},
        Odd{",pack=block,epilogue=tile,accumulate=f16", "accumulate is f16"}})
    EXPECT_THAT(
        check(odd.fields, "f16,accumulate=f16", withHalfArithmetic()),
        AllOf(HasSubstr("takes unit=vector, accumulate=f32, pack=block, "
                        "tiles=nm"),
              HasSubstr(std::string("but ") +
                        (odd.named[0] == 'd' ? "group makes " : "") +
                        odd.named)));
  // Its steps pass as many lines of f16 as they read of f32, half as wide, and
  // of bf16 one element of K of each pair.
  EXPECT_EQ(check(",pack=block,tiles=nm,prefetch=512", "f16", zen4()),
            "accepted");
  for (const auto &[types, group] :
       {std::pair("f16", ",group=1"), std::pair("bf16", ",group=2")}) {
    const std::string fields = std::string(group) + ",pack=block,tiles=nm";
    EXPECT_EQ(check(fields + ",share=2", types, zen4()), "accepted");
    EXPECT_THAT(check(fields + ",share=3", types, zen4()), HasSubstr("has 2"));
  }
}

/// Or who drops a field of a schedule takes the CPU for too small.
TEST(CheckSchedule, SaysThatWidenedPanelsLeaveMoreRegisters) {
  for (const char *tile : {"tile=6x16,group=2", "tile=1x96,group=2"})
    EXPECT_THAT(refusal(tile, "64x64:64x64", targetOf(IsaLevel::avx2), "bf16"),
                HasSubstr("the registers of avx2, without widen=panel (which "
                          "takes pack=block and tiles=nm), hold "))
        << tile;
  EXPECT_EQ(refusal("tile=6x16,group=2,pack=block,widen=panel,tiles=nm",
                    "64x64:64x64", targetOf(IsaLevel::avx2), "bf16"),
            "accepted");
  // Not where that would be refused in its turn.
  EXPECT_THAT(refusal("tile=8x1,group=16,epilogue=tile", "64x64:64x1",
                      targetOf(IsaLevel::avx2), "bf16"),
              HasSubstr("with 1 column the registers of avx2 hold 1 to "));
}

TEST(CheckSchedule, EmbedsRowsThatLieAKnownDistanceApart) {
  const auto check = [](const std::string &fields, const char *types = "f32",
                        const Target &target = zen4()) {
    return refusal("embed=4," + fields, "64x64:64x64", target, types);
  };
  EXPECT_EQ(check("tile=14x32,pack=block"), "accepted");
  EXPECT_EQ(check("tile=14x32,pack=block,kc=32"), "accepted");
  EXPECT_EQ(check("tile=14x32,pack=block,widen=panel,tiles=nm", "f16"),
            "accepted");
  EXPECT_THAT(check("tile=3x32,pack=block"),
              AllOf(HasSubstr("embed"), HasSubstr("the tile has 3 rows")));
  Target avx2 = zen4();
  avx2.isa = IsaLevel::avx2;
  EXPECT_THAT(check("tile=4x24,pack=block", "f32", avx2),
              HasSubstr("but the target is avx2"));
  struct Odd {
    const char *fields, *types, *named;
  };
  for (const Odd &odd :
       {Odd{"tile=8x48", "f32", "pack is none"},
        Odd{"tile=8x48,pack=whole,kc=32", "f32", "pack is whole"},
        Odd{"tile=28x16,pack=block", "f32", "one vector wide"},
        Odd{"tile=4x4,group=16,epilogue=tile", "f32", "group makes dot"},
        Odd{"tile=4x48,group=2,pack=block", "bf16", "panels are of bf16"},
        Odd{"tile=4x48,group=2,pack=block", "u8s8", "panels are of s8"},
        Odd{"tile=8x48,pack=block,widen=panel,tiles=nm,kc=32", "f16",
            "K is cut"}})
    EXPECT_THAT(check(odd.fields, odd.types),
                AllOf(HasSubstr("embed is 4, which takes avx512"),
                      HasSubstr(std::string("but ")), HasSubstr(odd.named)))
        << odd.fields;
}

TEST(CheckSchedule, LeavesNothingToWidenInAStepOfWidePanels) {
  const auto check = [](const char *tile, const char *widen) {
    return refusal(std::string(tile) + ",pack=block,tiles=nm,widen=" + widen,
                   "64x64:64x64", cascadeLake(), "f16");
  };
  EXPECT_EQ(check("tile=14x32", "panel"), "accepted");
  EXPECT_THAT(check("tile=15x32", "panel"), HasSubstr("1 to 14 rows"));
  EXPECT_THAT(check("tile=14x32", "step"), HasSubstr("1 to 13 rows"));
}

} // namespace
