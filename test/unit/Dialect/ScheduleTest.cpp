// The text form of schedules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/Schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lintel {
namespace {

using testing::HasSubstr;

constexpr std::string_view kFull =
    "tile=8x48,pack=block,epilogue=tile,mc=128,nc=384,kc=768,blocks=nm,"
    "tiles=nm,grid=1x2";

Schedule fullSchedule() {
  Schedule schedule;
  schedule.mr = 8;
  schedule.nr = 48;
  schedule.pack = PackA::block;
  schedule.epilogue = EpiloguePlacement::tile;
  schedule.mc = 128;
  schedule.nc = 384;
  schedule.kc = 768;
  schedule.blocks = LoopOrder::nm;
  schedule.tiles = LoopOrder::nm;
  schedule.gridM = 1;
  schedule.gridN = 2;
  return schedule;
}

TEST(Schedule, PrintsEveryFieldInTheOrderOfTheGrammar) {
  EXPECT_EQ(fullSchedule().text(), kFull);
}

TEST(Schedule, ParsesWhatItPrints) {
  Expected<Schedule> parsed = Schedule::parse(kFull);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(*parsed, fullSchedule());
}

TEST(Schedule, ParsesFieldsInAnyOrderAndWithBlanks) {
  Expected<Schedule> parsed = Schedule::parse(
      "grid = 1x2, tiles=nm ,blocks=nm,kc=768,nc=384, mc\t= 128,epilogue=tile,"
      "pack=block,tile=8x48");
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(*parsed, fullSchedule());
}

TEST(Schedule, UnitAndHintAreTextWhereTheyAreNotTheDefault) {
  constexpr std::string_view text =
      "tile=32x32,unit=amx,hint=b,group=2,pack=whole,epilogue=tile,mc=128,"
      "nc=256,kc=512,blocks=mn,tiles=mn,grid=1x1";
  Expected<Schedule> parsed = Schedule::parse(text);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->unit, Unit::amx);
  EXPECT_EQ(parsed->hint, StreamHint::b);
  EXPECT_EQ(parsed->pack, PackA::whole);
  EXPECT_EQ(parsed->text(), text);
  EXPECT_EQ(parsed->code().unit, Unit::amx);
  EXPECT_EQ(parsed->code().hint, StreamHint::b);
}

TEST(Schedule, EmbeddedRowsAreCode) {
  constexpr std::string_view text =
      "tile=14x32,pack=block,embed=9,epilogue=registers,mc=128,nc=256,kc=whole,"
      "blocks=mn,tiles=nm,grid=1x1";
  Expected<Schedule> parsed = Schedule::parse(text);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->embed, 9);
  EXPECT_EQ(parsed->text(), text);
  EXPECT_EQ(parsed->code().embed, 9);
  EXPECT_EQ(Schedule::parse("tile=8x48")->embed, 0);
  EXPECT_THAT(Schedule::parse("tile=8x48,embed=33").error().message(),
              HasSubstr("embed takes a number from 0 to 32, not '33'"));
  parsed->embed = -1;
  EXPECT_THAT(parsed->check().error().message(), HasSubstr("embed"));
}

TEST(Schedule, WideningOfPanelsIsCodeAndFixesTheOrderOfTiles) {
  constexpr std::string_view text =
      "tile=14x32,pack=block,widen=panel,epilogue=registers,mc=128,nc=256,"
      "kc=whole,blocks=mn,tiles=nm,grid=1x1";
  Expected<Schedule> parsed = Schedule::parse(text);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_TRUE(parsed->widensPanels());
  EXPECT_EQ(parsed->text(), text);
  EXPECT_EQ(parsed->code().widen, Widen::panel);
  // In any order of comparing, whatever the tiles of the other were.
  Schedule otherOrder = *parsed;
  otherOrder.tiles = LoopOrder::mn;
  EXPECT_EQ(parsed->code().tiles, LoopOrder::nm);
  EXPECT_EQ(otherOrder.code(), parsed->code());
  EXPECT_EQ(parsed->typeOfPanels(DType::f16), DType::f32);
  EXPECT_FALSE(Schedule::parse("tile=8x48,widen=step")->widensPanels());
  EXPECT_EQ(Schedule::parse("tile=8x48")->typeOfPanels(DType::f16), DType::f16);
  EXPECT_THAT(Schedule::parse("tile=8x48,widen=all").error().message(),
              HasSubstr("widen takes 'step' or 'panel', not 'all'"));
}

TEST(Schedule, DealingIsAnArgumentThatSharesCode) {
  constexpr std::string_view text =
      "tile=8x48,pack=none,epilogue=registers,mc=128,nc=256,kc=whole,"
      "blocks=mn,tiles=mn,grid=2x8,deal=dynamic";
  Expected<Schedule> parsed = Schedule::parse(text);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->deal, Dealing::dynamic);
  EXPECT_EQ(parsed->text(), text);
  EXPECT_EQ(parsed->code(), Schedule::parse("tile=8x48,deal=static")->code());
  EXPECT_THAT(Schedule::parse("tile=8x48,deal=fair").error().message(),
              HasSubstr("deal takes 'static' or 'dynamic', not 'fair'"));
}

TEST(Schedule, BlocksLeftOutMeanTheWholeDimension) {
  Expected<Schedule> parsed = Schedule::parse("tile=8x48");
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->mc, Schedule::kWhole);
  EXPECT_EQ(parsed->nc, Schedule::kWhole);
  EXPECT_EQ(parsed->kc, Schedule::kWhole);
  EXPECT_EQ(parsed->text(), "tile=8x48,pack=none,epilogue=registers,mc=whole,"
                            "nc=whole,kc=whole,blocks=mn,tiles=mn,grid=1x1");
  Expected<Schedule> again = Schedule::parse(parsed->text());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, *parsed);
}

TEST(Schedule, AGroupIsShownOnlyWhereThereIsOne) {
  Expected<Schedule> dots =
      Schedule::parse("tile=4x4,group=16,epilogue=tile,mc=8");
  ASSERT_TRUE(dots) << dots.error().message();
  EXPECT_TRUE(dots->vectorsAlongK(DType::f32));
  EXPECT_EQ(dots->panel(), (PanelShape{4, 16}));
  EXPECT_EQ(dots->code().group, 16);
  EXPECT_EQ(*Schedule::parse(dots->text()), *dots);
  EXPECT_FALSE(Schedule::parse("tile=8x48")->vectorsAlongK(DType::f32));
  // Pairs of bf16 fill a lane and no vector.
  EXPECT_FALSE(
      Schedule::parse("tile=8x48,group=2")->vectorsAlongK(DType::bf16));
  EXPECT_EQ(*Schedule::parse("tile=8x48,group=1"),
            *Schedule::parse("tile=8x48"));
  for (const char *bad : {"tile=8x48,group=0", "tile=8x48,group=65",
                          "tile=8x48,group=x", "tile=8x48,group="})
    EXPECT_FALSE(Schedule::parse(bad)) << bad;
}

TEST(Schedule, PairsOnTileRegistersAreNoDotProducts) {
  const auto tiles = Schedule::parse("tile=32x32,unit=amx,group=2");
  ASSERT_TRUE(tiles) << tiles.error().message();
  EXPECT_FALSE(tiles->vectorsAlongK(DType::f16));
}

TEST(Schedule, SumsOfF16AreShownOnlyWhereThereAreSome) {
  const auto half = Schedule::parse("tile=24x32,accumulate=f16,epilogue=tile");
  ASSERT_TRUE(half) << half.error().message();
  EXPECT_TRUE(half->sumsRunsInHalf());
  EXPECT_EQ(half->code().accumulate, Accumulate::f16);
  EXPECT_THAT(half->text(),
              testing::StartsWith("tile=24x32,accumulate=f16,pack=none,"));
  EXPECT_EQ(*Schedule::parse(half->text()), *half);
  EXPECT_EQ(*Schedule::parse("tile=8x48,accumulate=f32"),
            *Schedule::parse("tile=8x48"));
  const auto refused = Schedule::parse("tile=8x48,accumulate=bf16");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(),
              testing::HasSubstr("accumulate takes 'f32', 'f16' or 's16'"));
}

TEST(Schedule, HowTheWeightIsReadIsPartOfTheCode) {
  struct Field {
    const char *name;
    int64_t Schedule::*member;
    const char *unset;
    std::vector<const char *> bad;
  };
  for (const Field &field :
       {Field{"prefetch", &Schedule::prefetch, "0", {"-1", "2097152", "x"}},
        Field{"ahead", &Schedule::ahead, "0", {"-1", "2097152", "x"}},
        Field{"share", &Schedule::share, "0", {"-1", "65", "x"}},
        Field{"streams", &Schedule::streams, "1", {"0", "17", "x"}}}) {
    const std::string prefix = std::string("tile=1x32,") + field.name + "=";
    Expected<Schedule> read = Schedule::parse(prefix + "8");
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->code().*field.member, 8) << field.name;
    EXPECT_EQ(*Schedule::parse(read->text()), *read);
    EXPECT_EQ(*Schedule::parse(prefix + field.unset),
              *Schedule::parse("tile=1x32"));
    for (const char *bad : field.bad)
      EXPECT_FALSE(Schedule::parse(prefix + bad)) << prefix << bad;
  }
}

TEST(Schedule, SlicesOfKAreShownOnlyWhereThereAreSome) {
  Expected<Schedule> sliced =
      Schedule::parse("tile=4x16,epilogue=tile,grid=1x2x8");
  ASSERT_TRUE(sliced) << sliced.error().message();
  EXPECT_EQ(sliced->gridM, 1);
  EXPECT_EQ(sliced->gridN, 2);
  EXPECT_EQ(sliced->gridK, 8);
  EXPECT_EQ(sliced->depth(), Depth::sliced);
  EXPECT_THAT(sliced->text(), testing::EndsWith(",grid=1x2x8"));
  EXPECT_EQ(*Schedule::parse(sliced->text()), *sliced);
  EXPECT_EQ(*Schedule::parse("tile=8x48,grid=1x2x1"),
            *Schedule::parse("tile=8x48,grid=1x2"));
  // One object serves any number of slices from two on.
  EXPECT_EQ(sliced->code().depth(), Depth::sliced);
  Schedule fewer = *sliced;
  ASSERT_TRUE(fewer.setField("grid", "2x2x3"));
  EXPECT_EQ(fewer.code(), sliced->code());
  EXPECT_EQ(fewer.code().depth(), Depth::sliced);
  // A grid without slices takes them back.
  ASSERT_TRUE(fewer.setField("grid", "2x2"));
  EXPECT_EQ(fewer.gridK, 1);
  EXPECT_EQ(fewer.depth(), Depth::whole);
  EXPECT_NE(fewer.code(), sliced->code());
}

TEST(Schedule, StreamedStoresArePartOfTheCode) {
  Expected<Schedule> streamed = Schedule::parse("store=stream,tile=6x64");
  ASSERT_TRUE(streamed) << streamed.error().message();
  EXPECT_TRUE(streamed->streamsOutputs());
  EXPECT_TRUE(streamed->code().streamsOutputs());
  EXPECT_EQ(*Schedule::parse(streamed->text()), *streamed);
  EXPECT_FALSE(Schedule::parse("tile=6x64")->streamsOutputs());
  EXPECT_NE(streamed->code(), Schedule::parse("tile=6x64")->code());
  EXPECT_EQ(Schedule::parse("tile=6x64,store=cached")->text(),
            Schedule::parse("tile=6x64")->text());
  Expected<Schedule> bad = Schedule::parse("tile=6x64,store=past");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message(),
            "schedule 'tile=6x64,store=past': store takes 'cached' or "
            "'stream', not 'past'");
}

TEST(Schedule, CodeHoldsWhatIsCompiledInAndNothingElse) {
  Schedule schedule = fullSchedule();
  EXPECT_EQ(schedule.code().text(),
            "tile=8x48,pack=block,epilogue=tile,mc=1,nc=1,kc=1,blocks=mn,"
            "tiles=mn,grid=1x1");
  Schedule blocked = schedule;
  blocked.mc = blocked.nc = blocked.kc = 16;
  blocked.blocks = blocked.tiles = LoopOrder::mn;
  blocked.gridM = blocked.gridN = 3;
  EXPECT_EQ(blocked.code(), schedule.code());
  Schedule unpacked = schedule;
  unpacked.pack = PackA::none;
  EXPECT_NE(unpacked.code(), schedule.code());
  Schedule inRegisters = schedule;
  inRegisters.epilogue = EpiloguePlacement::registers;
  EXPECT_NE(inRegisters.code(), schedule.code());
  Schedule inNext = schedule;
  inNext.epilogue = EpiloguePlacement::next;
  EXPECT_NE(inNext.code(), schedule.code());
  EXPECT_EQ(Schedule::parse(inNext.text()).value(), inNext);
  Schedule whole = schedule;
  whole.kc = Schedule::kWhole;
  EXPECT_EQ(whole.code().depth(), Depth::whole);
  EXPECT_NE(whole.code(), schedule.code());
}

TEST(Schedule, SetFieldLeavesTheScheduleAloneOnError) {
  Schedule schedule = fullSchedule();
  for (auto [name, value] :
       {std::pair("tile", "9x0"), std::pair("mc", "-1"),
        std::pair("pack", "nothing"), std::pair("grid", "3x0x4"),
        std::pair("grid", "3x4x0")}) {
    EXPECT_FALSE(schedule.setField(name, value)) << name;
    EXPECT_EQ(schedule, fullSchedule()) << name;
  }
}

struct BadText {
  const char *text;
  const char *message;
};
void PrintTo(const BadText &bad, std::ostream *stream) { *stream << bad.text; }

class BadScheduleText : public testing::TestWithParam<BadText> {};

TEST_P(BadScheduleText, IsRefusedWithTheReason) {
  Expected<Schedule> parsed = Schedule::parse(GetParam().text);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code(), ErrorCode::parse);
  EXPECT_THAT(parsed.error().message(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Schedule, BadScheduleText,
    testing::Values(
        BadText{"", "'tile' is missing"}, BadText{"mc=4", "'tile' is missing"},
        BadText{"tile=8x48,", "nothing follows the last ','"},
        BadText{"tile=8x48,,mc=4", "field '' is not of the form name=value"},
        BadText{"tile", "field 'tile' is not of the form name=value"},
        BadText{"tile=8x48,tile=8x48", "'tile' is given twice"},
        BadText{"tile=8x48,mr=4", "a schedule has no field 'mr'"},
        BadText{"tile=", "tile takes ROWSxCOLUMNS, e.g. 8x48, not ''"},
        BadText{"tile=8x", "tile takes a number from 1 to 1048576, not ''"},
        BadText{"tile=8x48,prefetch=-1",
                "prefetch takes a number from 0 to 1048576, not '-1'"},
        BadText{"tile=8 x48", "not '8 '"}, BadText{"tile=+8x48", "not '+8'"},
        BadText{"tile=0x48", "not '0'"}, BadText{"tile=8x-48", "not '-48'"},
        BadText{"tile=8x48x2", "not '48x2'"},
        BadText{"tile=8x1048577", "not '1048577'"},
        BadText{"tile=8x48,mc=0", "mc takes a number"},
        BadText{"tile=8x48,nc=1099511627777", "not '1099511627777'"},
        BadText{"tile=8x48,kc=9223372036854775808",
                "not '9223372036854775808'"},
        BadText{"tile=8x48,kc=1e3", "'whole' is the whole dimension"},
        BadText{"tile=8x48,pack=A",
                "pack takes 'none', 'block' or 'whole', not 'A'"},
        BadText{"tile=8x48,unit=gpu",
                "unit takes 'vector' or 'amx', not 'gpu'"},
        BadText{"tile=8x48,hint=c", "hint takes 'none', 'a' or 'b', not 'c'"},
        BadText{"tile=8x48,epilogue=fused",
                "epilogue takes 'registers', 'tile' or 'next', not 'fused'"},
        BadText{"tile=8x48,blocks=MN", "blocks takes 'mn' or 'nm', not 'MN'"},
        BadText{"tile=8x48,tiles=", "tiles takes 'mn' or 'nm', not ''"},
        BadText{"tile=8x48,grid=1x1x", "grid takes a number from 1"},
        BadText{"tile=8x48,grid=1x1x-1", "not '-1'"},
        BadText{"tile=8x48,grid=1x1x1048577", "not '1048577'"},
        BadText{"tile=8x48,grid=1x1x1x1", "not '1x1'"},
        BadText{"tile=8x48,grid=2",
                "grid takes CHUNKSxCHUNKS or CHUNKSxCHUNKSxSLICES, e.g. 1x2 "
                "or 1x1x4"}));

TEST(Schedule, ErrorsQuoteTheWholeText) {
  Expected<Schedule> parsed = Schedule::parse("tile=8x48,pack=A");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(
      parsed.error().message(),
      "schedule 'tile=8x48,pack=A': pack takes 'none', 'block' or 'whole', not "
      "'A'");
}

TEST(Schedule, CheckFindsEveryNumberOutOfRange) {
  EXPECT_TRUE(fullSchedule().check());
  EXPECT_TRUE(Schedule().check());
  for (int64_t Schedule::*member :
       {&Schedule::mr, &Schedule::nr, &Schedule::mc, &Schedule::nc,
        &Schedule::kc, &Schedule::gridM, &Schedule::gridN, &Schedule::gridK,
        &Schedule::streams}) {
    for (int64_t value : {int64_t(0), int64_t(-1), Schedule::kWhole + 1}) {
      Schedule schedule = fullSchedule();
      schedule.*member = value;
      Status status = schedule.check();
      ASSERT_FALSE(status) << value;
      EXPECT_THAT(status.error().message(), HasSubstr(std::to_string(value)));
    }
  }
  for (int64_t Schedule::*distance : {&Schedule::prefetch, &Schedule::ahead})
    for (int64_t value : {int64_t(-1), int64_t(1) << 21}) {
      Schedule schedule = fullSchedule();
      schedule.*distance = value;
      Status status = schedule.check();
      ASSERT_FALSE(status) << value;
      EXPECT_THAT(status.error().message(), HasSubstr(std::to_string(value)));
    }
}

} // namespace
TEST(ScheduleTest, RowsAreWidenedWhereNoInstructionTakesThem) {
  Target plain, quads;
  plain.isa = quads.isa = IsaLevel::avx2;
  quads.extensions.insert(Extension::avxVnni);
  const Schedule packed = *Schedule::parse("tile=4x16,group=2,pack=block");
  for (DType bytes : {DType::u8, DType::s8}) {
    EXPECT_EQ(packed.typeOfRows(bytes, plain), DType::s16);
    EXPECT_EQ(packed.typeOfRows(bytes, quads), bytes);
    for (const char *text :
         {"tile=4x16,group=2", "tile=4x16,group=2,pack=whole",
          "tile=4x2,group=16", "tile=16x32,group=4,unit=amx,pack=block"})
      EXPECT_EQ(Schedule::parse(text)->typeOfRows(bytes, plain), bytes) << text;
  }
  const auto floats = [&](int64_t group, DType dtype) {
    Schedule schedule = packed;
    schedule.group = group;
    return schedule.typeOfRows(dtype, plain);
  };
  EXPECT_EQ(floats(2, DType::bf16), DType::f32);
  EXPECT_EQ(floats(1, DType::f16), DType::f32);
  EXPECT_EQ(floats(1, DType::f32), DType::f32);
  EXPECT_TRUE(Schedule::parse("tile=4x16,pack=block")
                  ->widensRowsToF32(DType::f16, plain));
  EXPECT_FALSE(packed.widensRowsToF32(DType::u8, plain));
  EXPECT_FALSE(packed.widensRowsToF32(DType::f32, plain));
}

} // namespace lintel
