// Legality of schedules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/Refusal.h"
#include "unit/Schedule/TestTargets.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

TEST(CheckSchedule, AcceptsTilesUpToTheRegisters) {
  const Target avx512 = targetOf(IsaLevel::avx512);
  for (const char *tile : {"tile=6x64", "tile=9x48", "tile=14x32", "tile=30x16",
                           "tile=1x128", "tile=4x96"})
    EXPECT_EQ(refusal(tile, "64x64:64x64", avx512), "accepted") << tile;
  for (const char *tile : {"tile=6x16", "tile=4x24", "tile=14x8"})
    EXPECT_EQ(refusal(tile, "64x64:64x64", targetOf(IsaLevel::avx2)),
              "accepted")
        << tile;
  EXPECT_EQ(refusal("tile=6x8", "64x64:64x64", targetOf(IsaLevel::x86_64)),
            "accepted");
}

TEST(CheckSchedule, RefusesTilesBeyondTheRegistersAndSaysWhatFits) {
  EXPECT_THAT(
      refusal("tile=15x32", "64x64:64x64", targetOf(IsaLevel::avx512)),
      AllOf(HasSubstr("mr"), HasSubstr("15"), HasSubstr("1 to 14 rows")));
  EXPECT_THAT(refusal("tile=7x64", "64x64:64x64", targetOf(IsaLevel::avx512)),
              HasSubstr("1 to 6 rows"));
  // One register more than AVX2 for the product.
  EXPECT_THAT(refusal("tile=14x4", "64x64:64x64", targetOf(IsaLevel::x86_64)),
              HasSubstr("1 to 13 rows"));
  EXPECT_THAT(refusal("tile=1x512", "64x64:64x64", targetOf(IsaLevel::avx512)),
              HasSubstr("at most 240 columns"));
  EXPECT_THAT(refusal("tile=6x20", "64x64:64x64", targetOf(IsaLevel::avx512)),
              AllOf(HasSubstr("nr"), HasSubstr("multiples of 16")));
}

TEST(CheckSchedule, KnowsTilesOfDotProducts) {
  const Target avx512 = targetOf(IsaLevel::avx512);
  const auto dots = [&](const char *fields) {
    return refusal(fields, "64x64:64x4", avx512);
  };
  for (const char *tile : {"tile=4x4", "tile=6x4", "tile=30x1", "tile=1x15"})
    EXPECT_EQ(dots((std::string(tile) + ",group=16,epilogue=tile").c_str()),
              "accepted")
        << tile;
  EXPECT_THAT(dots("tile=7x4,group=16,epilogue=tile"),
              HasSubstr("1 to 6 rows"));
  EXPECT_THAT(dots("tile=4x4,group=8,epilogue=tile"),
              AllOf(HasSubstr("group"), HasSubstr("1 and, on avx512, 16")));
  for (const char *fields :
       {"tile=4x4,group=16", "tile=4x4,group=16,epilogue=tile,kc=32",
        "tile=4x4,group=16,epilogue=tile,pack=block"})
    EXPECT_THAT(dots(fields),
                HasSubstr("pack=none, epilogue=tile and kc=whole"))
        << fields;
}

TEST(CheckSchedule, DealsOutAsManyChunksAsThreadsCount) {
  const Target avx512 = targetOf(IsaLevel::avx512);
  EXPECT_EQ(refusal("tile=8x48,grid=2x8,deal=dynamic", "64x64:64x960", avx512),
            "accepted");
  EXPECT_EQ(refusal("tile=8x48,grid=65536x65536", "64x64:64x960", avx512),
            "accepted");
  EXPECT_THAT(refusal("tile=8x48,grid=65536x65536,deal=dynamic", "64x64:64x960",
                      avx512),
              AllOf(HasSubstr("deal is dynamic"), HasSubstr("4294967296")));
}

TEST(CheckSchedule, TakesTheGroupOfTheWeightsType) {
  const char *shape = "64x64:64x64";
  const Target target = zen4WithPairs();
  EXPECT_EQ(refusal("tile=6x64,group=2", shape, target, "bf16"), "accepted");
  EXPECT_EQ(refusal("tile=6x64,group=2", shape, target, "bf16:f32"),
            "accepted");
  EXPECT_EQ(refusal("tile=6x64", shape, target, "f16"), "accepted");
  EXPECT_THAT(
      refusal("tile=6x64", shape, target, "bf16"),
      AllOf(HasSubstr("group"), HasSubstr("is 1"), HasSubstr("bf16 takes 2")));
  EXPECT_THAT(refusal("tile=6x64,group=2", shape, target, "f16"),
              HasSubstr("f16 takes 1"));
  // Dot products take vectors of K.
  const Target avx2 = targetOf(IsaLevel::avx2);
  const char *dots = "tile=4x4,group=32,epilogue=tile";
  EXPECT_EQ(refusal(dots, shape, target, "bf16"), "accepted");
  EXPECT_THAT(refusal(dots, shape, target, "f16"),
              HasSubstr("a weight of f16 takes 1 and, on avx512, 16"));
  EXPECT_THAT(refusal(dots, shape, avx2, "bf16"),
              HasSubstr("a weight of bf16 takes 2 and, on avx2, 16"));
  const char *narrow = "tile=2x1,group=16,epilogue=tile";
  EXPECT_EQ(refusal(narrow, "64x96:96x64", avx2, "bf16"), "accepted");
  EXPECT_EQ(refusal(narrow, "64x104:104x64", avx2, "bf16"), "accepted");
}

TEST(CheckSchedule, TakesPairsOfIntegersThatAreWidened) {
  const auto check = [](const char *fields) {
    return refusal(fields, "64x66:66x64", zen4(), "u8s8");
  };
  EXPECT_EQ(check("tile=6x64,group=2,mc=64,kc=34"), "accepted");
  EXPECT_THAT(check("tile=6x64,group=2,mc=64,kc=33"),
              HasSubstr("s8 takes multiples of 2"));
  EXPECT_EQ(check("tile=4x4,group=32,epilogue=tile"), "accepted");
  EXPECT_THAT(check("tile=4x64,group=4"),
              HasSubstr("a weight of s8 takes 2 and, on avx512, 32"));
}

TEST(CheckSchedule, TakesQuadsOfIntegers) {
  const auto check = [](const char *fields, const char *types) {
    return refusal(fields, "64x66:66x64", zen4WithQuads(), types);
  };
  for (const char *types : {"u8s8", "s8s8:s8"}) {
    EXPECT_EQ(check("tile=6x64,group=4", types), "accepted");
    EXPECT_THAT(check("tile=6x64,group=2", types), HasSubstr("s8 takes 4"));
    EXPECT_EQ(check("tile=4x4,group=64,epilogue=tile", types), "accepted");
    EXPECT_THAT(check("tile=4x4,group=16,epilogue=tile", types),
                HasSubstr("s8 takes 4 and, on avx512, 64"));
    EXPECT_EQ(check("tile=6x64,group=4,mc=64,kc=32", types), "accepted");
    EXPECT_THAT(check("tile=6x64,group=4,mc=64,kc=34", types),
                HasSubstr("s8 takes multiples of 4"));
  }
  // A cache line holds 64 results.
  EXPECT_EQ(check("tile=6x64,group=4,store=stream", "u8s8:u8"), "accepted");
  EXPECT_THAT(check("tile=8x48,group=4,store=stream", "u8s8:u8"),
              HasSubstr("u8 takes multiples of 64"));
}

TEST(CheckSchedule, SumsInF16WhereThatIsPermittedAndThere) {
  const auto check = [](const std::string &fields, const char *types,
                        const Target &target = withHalfArithmetic()) {
    return refusal("tile=" + fields + ",accumulate=f16", "64x64:64x96", target,
                   types);
  };
  const char *permitted = "f16,accumulate=f16";
  EXPECT_EQ(check("28x32,epilogue=tile", permitted), "accepted");
  EXPECT_EQ(check("9x96,epilogue=tile,mc=64,kc=7,pack=block",
                  "f16:f32,accumulate=f16"),
            "accepted");
  EXPECT_EQ(check("9x96,epilogue=tile,grid=1x1x3", permitted), "accepted");
  EXPECT_THAT(check("9x96,epilogue=tile", "f16"),
              HasSubstr("types \"f16\" does not permit"));
  EXPECT_THAT(check("9x96,epilogue=tile", "f32"), HasSubstr("not permit"));
  EXPECT_THAT(check("9x96,epilogue=tile", permitted, zen4()),
              HasSubstr("takes a target with avx512fp16"));
  EXPECT_THAT(check("9x96", permitted), HasSubstr("epilogue=tile"));
  EXPECT_THAT(check("4x4,group=16,epilogue=tile", permitted),
              HasSubstr("no dot products"));
  EXPECT_THAT(check("9x48,epilogue=tile", permitted),
              HasSubstr("accumulate=f16 takes multiples of 32"));
  EXPECT_THAT(check("10x96,epilogue=tile", permitted),
              HasSubstr("hold 1 to 9 rows"));
  // The permission asks for nothing.
  EXPECT_EQ(
      refusal("tile=6x64", "64x64:64x96", withHalfArithmetic(), permitted),
      "accepted");
}

TEST(CheckSchedule, SumsPairsInS16WhereThatIsPermittedAndThere) {
  const auto check = [](const std::string &fields, const char *types,
                        const Target &target) {
    return refusal("tile=" + fields + ",accumulate=s16", "64x64:64x96", target,
                   types);
  };
  Target avx2;
  avx2.isa = IsaLevel::avx2;
  Target avx512 = avx2, baseline = avx2, quads = avx2;
  avx512.isa = IsaLevel::avx512;
  baseline.isa = IsaLevel::x86_64;
  quads.extensions = {Extension::avxVnni};
  for (const char *permitted :
       {"u8s8,accumulate=s16", "s8s8:s8,accumulate=s16"}) {
    EXPECT_EQ(check("3x24,group=4", permitted, avx2), "accepted");
    EXPECT_EQ(check("12x32,group=4,pack=block,mc=24", permitted, avx512),
              "accepted");
    EXPECT_THAT(check("5x24,group=4", permitted, avx2),
                HasSubstr("hold 1 to 3 rows"));
    EXPECT_THAT(check("2x4,group=4", permitted, baseline),
                HasSubstr("avx2 or avx512 without VNNI"));
    EXPECT_THAT(check("3x24,group=4", permitted, quads),
                HasSubstr("avx2 or avx512 without VNNI"));
    EXPECT_THAT(check("2x4,group=32,epilogue=tile", permitted, avx2),
                HasSubstr("no dot products"));
    EXPECT_THAT(check("5x24,group=4", permitted, avx2),
                HasSubstr("the registers of avx2 with accumulate=s16 hold"));
    EXPECT_THAT(check("2x8,group=4,streams=2", permitted, avx2),
                HasSubstr("streams is 2, which with unit=vector takes "
                          "accumulate=f32"));
    EXPECT_EQ(refusal("tile=6x16,group=2", "64x64:64x96", avx2, permitted),
              "accepted");
  }
  EXPECT_THAT(check("3x24,group=4", "u8s8", avx2),
              HasSubstr("types \"u8s8\" does not permit"));
}

TEST(CheckSchedule, LeavesRegistersToWiden) {
  EXPECT_THAT(refusal("tile=6x64,group=2", "64x64:64x64", zen4(), "bf16"),
              HasSubstr("1 to 5 rows"));
}

TEST(CheckSchedule, CutsBf16BetweenPairs) {
  const auto cut = [](const char *depth) {
    return refusal("tile=6x64,group=2,mc=64,kc=" + std::string(depth),
                   "64x65:65x64", zen4WithPairs(), "bf16");
  };
  EXPECT_EQ(cut("32"), "accepted");
  EXPECT_EQ(cut("65"), "accepted"); // one block
  EXPECT_THAT(cut("33"), AllOf(HasSubstr("kc"), HasSubstr("33"),
                               HasSubstr("bf16 takes multiples of 2")));
}

TEST(CheckSchedule, StreamsNarrowOutputsInWholeCacheLines) {
  const auto streams = [](const char *tile, const char *types) {
    return refusal(std::string(tile) + ",group=2,store=stream", "64x64:64x96",
                   zen4WithPairs(), types);
  };
  EXPECT_EQ(streams("tile=6x64", "bf16"), "accepted");
  EXPECT_EQ(streams("tile=6x48", "bf16:f32"), "accepted");
  EXPECT_THAT(streams("tile=6x48", "bf16"),
              AllOf(HasSubstr("nr"), HasSubstr("multiples of 32")));
}

TEST(CheckSchedule, StreamsTilesOfWholeCacheLines) {
  const auto streams = [](const char *tile, IsaLevel isa) {
    return refusal(std::string(tile) + ",store=stream", "64x64:64x64",
                   targetOf(isa));
  };
  EXPECT_EQ(streams("tile=8x48", IsaLevel::avx512), "accepted");
  EXPECT_EQ(streams("tile=6x16", IsaLevel::avx2), "accepted");
  EXPECT_EQ(streams("tile=2x16", IsaLevel::x86_64), "accepted");
  EXPECT_THAT(streams("tile=4x24", IsaLevel::avx2),
              AllOf(HasSubstr("nr (the tile's columns) is 24"),
                    HasSubstr("store=stream of f32 takes multiples of 16")));
  EXPECT_THAT(streams("tile=6x8", IsaLevel::x86_64),
              HasSubstr("store=stream of f32 takes multiples of 16"));
  EXPECT_THAT(
      streams("tile=4x4,group=16,epilogue=tile", IsaLevel::avx512),
      AllOf(HasSubstr("group is 16"), HasSubstr("neither prefetch, ahead, "
                                                "share nor store=stream")));
}

TEST(CheckSchedule, SharesAreOfOneStepOnVectors) {
  const auto shared = [](const std::string &rest, const char *types = "f32") {
    return refusal(rest, "64x512:512x96", zen4WithPairs(), types);
  };
  EXPECT_EQ(shared("tile=8x48,share=3"), "accepted");
  EXPECT_EQ(shared("tile=8x48,share=1,prefetch=8192,kc=128,pack=block"),
            "accepted");
  EXPECT_THAT(shared("tile=8x48,share=4"),
              AllOf(HasSubstr("share"), HasSubstr("48 columns of f32 has 3")));
  EXPECT_EQ(shared("tile=8x48,share=3,group=2", "bf16"), "accepted");
  EXPECT_THAT(shared("tile=8x48,share=3", "f16"), HasSubstr("f16 has 2"));
  EXPECT_EQ(shared("tile=8x48,share=1,epilogue=tile,grid=1x1x2"), "accepted");
  EXPECT_THAT(shared("tile=8x48,share=1,streams=8"),
              AllOf(HasSubstr("share is 1"), HasSubstr("streams=1")));
  EXPECT_THAT(shared("tile=4x4,group=16,epilogue=tile,share=1"),
              HasSubstr("neither prefetch, ahead, share nor"));
}

TEST(CheckSchedule, StreamsTakeOnePanelInVectorsAlongN) {
  const auto streams = [](const std::string &rest) {
    return refusal("streams=8," + rest, "64x512:512x64",
                   targetOf(IsaLevel::avx512));
  };
  EXPECT_EQ(streams("tile=8x48"), "accepted");
  EXPECT_EQ(streams("tile=8x48,pack=block,ahead=2048,epilogue=tile"),
            "accepted");
  for (const char *other :
       {"tile=8x48,kc=128", "tile=8x48,epilogue=tile,grid=1x1x2",
        "tile=4x4,group=16,epilogue=tile"})
    EXPECT_THAT(streams(other),
                AllOf(HasSubstr("streams is 8"), HasSubstr("kc=whole")))
        << other;
  Target sapphireRapids = targetOf(IsaLevel::avx512);
  sapphireRapids.extensions = {Extension::amxTile, Extension::amxBf16,
                               Extension::avx512Fp16};
  const auto refusedOf = [&](const char *schedule, const char *types) {
    return checkSchedule(
               *Schedule::parse(schedule),
               *Problem::parse("64x512:512x64", *DataTypes::parse(types)),
               sapphireRapids)
        .error()
        .message();
  };
  EXPECT_THAT(
      refusedOf("tile=16x32,unit=amx,group=2,epilogue=tile,streams=2", "bf16"),
      HasSubstr("with 2 streams (equal parts of the next panel)"));
  EXPECT_THAT(refusedOf("tile=8x32,accumulate=f16,epilogue=tile,streams=2",
                        "f16,accumulate=f16"),
              HasSubstr("streams is 2"));
}

TEST(CheckSchedule, NamesTheFieldThatIsOutOfRange) {
  struct Case {
    const char *field;
    int64_t Schedule::*member;
  };
  for (const Case &c :
       {Case{"tile", &Schedule::mr}, Case{"tile", &Schedule::nr},
        Case{"mc", &Schedule::mc}, Case{"nc", &Schedule::nc},
        Case{"kc", &Schedule::kc}, Case{"grid", &Schedule::gridM},
        Case{"grid", &Schedule::gridN}, Case{"grid", &Schedule::gridK}})
    for (int64_t value : {int64_t(0), int64_t(-1), INT64_MIN, INT64_MAX}) {
      Schedule schedule = scheduleOf("tile=8x48");
      schedule.*c.member = value;
      Status status = checkSchedule(schedule, problemOf("64x64:64x64"),
                                    targetOf(IsaLevel::avx512));
      ASSERT_FALSE(status) << c.field << " = " << value;
      EXPECT_THAT(status.error().message(), StartsWith(c.field));
      EXPECT_EQ(status.error().code(), ErrorCode::invalidArgument);
    }
}

TEST(CheckSchedule, DividesByNoFieldThatIsZero) {
  Target sapphireRapids = targetOf(IsaLevel::avx512);
  sapphireRapids.extensions = {Extension::amxTile, Extension::amxBf16};
  const Problem problem =
      *Problem::parse("64x64:64x64", *DataTypes::parse("bf16"));
  for (int64_t Schedule::*member :
       {&Schedule::mr, &Schedule::nr, &Schedule::group, &Schedule::streams}) {
    Schedule schedule =
        scheduleOf("tile=32x32,unit=amx,group=2,epilogue=tile,prefetch=64");
    EXPECT_TRUE(checkSchedule(schedule, problem, sapphireRapids));
    schedule.*member = 0;
    EXPECT_FALSE(checkSchedule(schedule, problem, sapphireRapids));
  }
}

TEST(CheckSchedule, DotProductsAskForNothingAhead) {
  for (const char *asks : {"prefetch=4096", "ahead=2048"})
    EXPECT_THAT(refusal("tile=4x4,group=16,epilogue=tile," + std::string(asks),
                        "64x64:64x4", targetOf(IsaLevel::avx512)),
                HasSubstr("neither prefetch, ahead"))
        << asks;
}

} // namespace
