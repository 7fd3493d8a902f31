// What the estimate says of kernels on tile registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/AmxSchedules.h"
#include "Schedule/ProductForm.h"
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace lintel;

namespace {

/// Of 512x4096:4096x4096 in bf16 on Emerald Rapids.
double microseconds(const std::string &fields, int threads) {
  const Schedule schedule =
      Schedule::parse("unit=amx,group=2,epilogue=tile,hint=a,kc=512,tiles=nm," +
                      fields)
          .value();
  return predictMicroseconds(schedule, problemOf("512x4096:4096x4096", "bf16"),
                             emeraldRapids(), threads);
}

TEST(AmxEstimate, CyclesAreThoseOfTheSlowestUnit) {
  Schedule schedule =
      Schedule::parse("tile=32x32,unit=amx,hint=b,group=2,epilogue=tile")
          .value();
  // Four products of 16 rows; a line of K is 32 elements.
  const auto cycles = [&](double rows, SharesInL1 inL1, double busyCores = 0) {
    return 32 * amxCyclesPerK(schedule, DType::bf16, rows, inL1, busyCores);
  };
  EXPECT_DOUBLE_EQ(cycles(32, {.a = 1, .b = 1}), 64);
  // Half of the loads from L2 hide behind the products, all of them do not.
  EXPECT_DOUBLE_EQ(cycles(32, {.a = 0, .b = 1}), 64);
  EXPECT_GT(cycles(32, {.a = 0, .b = 0}), 64);
  EXPECT_DOUBLE_EQ(cycles(32, {.a = 0.5, .b = 0}), 3 * 21 + 8);
  // On busy cores registers count: seven here.
  EXPECT_DOUBLE_EQ(cycles(32, {.a = 1, .b = 1}, 1), 4 * 52);
  schedule.mr = 16;
  EXPECT_DOUBLE_EQ(cycles(16, {.a = 1, .b = 1}), 32);
  EXPECT_DOUBLE_EQ(cycles(16, {.a = 1, .b = 1}, 1), 2 * 28);
  EXPECT_DOUBLE_EQ(cycles(16, {.a = 0, .b = 1}, 1), 2 * 28 + 21);
  // Of two cores one is busy: they share the work as they get it done.
  EXPECT_DOUBLE_EQ(cycles(16, {.a = 1, .b = 1}, 0.5), 2 / (1 / 32. + 1 / 56.));
  // A sum waits for no other.
  schedule.nr = 16;
  EXPECT_DOUBLE_EQ(cycles(16, {.a = 1, .b = 1}), 16);
}

/// Four products for each of the sums of a register, whose loads come again
/// unless a factor's only register stays in use.
TEST(AmxEstimate, SplitF16TakesFourProducts) {
  Schedule schedule =
      Schedule::parse("tile=32x32,unit=amx,widen=panel,pack=block,tiles=nm,"
                      "epilogue=tile")
          .value();
  const auto cycles = [&](double rows, SharesInL1 inL1, double busyCores = 0) {
    return 32 * amxCyclesPerK(schedule, DType::f16, rows, inL1, busyCores);
  };
  EXPECT_DOUBLE_EQ(cycles(32, {.a = 1, .b = 1}), 4 * 64);
  EXPECT_DOUBLE_EQ(cycles(32, {.a = 0, .b = 0}), 4 * 64);
  // Four loads of a and four of b, and three of b again.
  EXPECT_DOUBLE_EQ(cycles(16, {.a = 0, .b = 0}), (4 + 4) * 21 + 3 * 8);
  EXPECT_DOUBLE_EQ(cycles(16, {.a = 1, .b = 0}), (4 * 21) + (4 + 3) * 8);
  EXPECT_DOUBLE_EQ(cycles(32, {.a = 1, .b = 1}, 1), 4 * 4 * 52);
  schedule.nr = 16;
  EXPECT_DOUBLE_EQ(cycles(16, {.a = 0, .b = 0}), (4 + 2) * 21 + 8);
  EXPECT_DOUBLE_EQ(cycles(32, {.a = 1, .b = 1}), 4 * 32);
}

/// As measured, one thread: 52.6 and 132.5 ms.
TEST(AmxEstimate, SplittingPaysForManyRows) {
  const auto best = [](const char *problem, Unit unit) {
    double least = INFINITY;
    for (const Schedule &schedule :
         enumerateSchedules(problemOf(problem, "f16"), emeraldRapids(), 1))
      if (schedule.unit == unit)
        least = std::min(least, predictMicroseconds(schedule,
                                                    problemOf(problem, "f16"),
                                                    emeraldRapids(), 1));
    return least;
  };
  const char *many = "512x4096:4096x4096 bias", *one = "1x4096:4096x4096 bias";
  EXPECT_LT(best(many, Unit::amx), 0.7 * best(many, Unit::vector));
  EXPECT_GT(best(one, Unit::amx), best(one, Unit::vector));
}

/// 16 cycles a vector go by unnoticed, if there are as many steps as a register
/// has rows.
TEST(AmxEstimate, TheNextTileHidesAnEpilogue) {
  const auto ofLayer = [](const char *problem, const char *placement) {
    return predictMicroseconds(
        Schedule::parse(std::string("tile=32x32,unit=amx,group=2,pack=block,"
                                    "hint=a,tiles=nm,epilogue=") +
                        placement)
            .value(),
        problemOf(problem, "bf16"), emeraldRapids(), 1);
  };
  const auto gain = [&](const char *problem) {
    return ofLayer(problem, "tile") - ofLayer(problem, "next");
  };
  const double deep = gain("512x1024:1024x1024 bias+gelu_erf");
  EXPECT_GT(deep, 0);
  EXPECT_DOUBLE_EQ(deep, gain("512x512:512x1024 bias+gelu_erf"));
  EXPECT_NEAR(gain("512x256:256x1024 bias+gelu_erf"), deep / 2, deep * 0.01);
  // What it takes beyond them is not hidden.
  EXPECT_DOUBLE_EQ(deep, gain("512x512:512x1024 bias+silu"));
  EXPECT_LT(gain("512x512:512x1024 bias"), deep / 2);
  // A tile that is alone has no next one.
  EXPECT_EQ(gain("32x512:512x32 bias+gelu_erf"), 0);
}

/// As measured there: 1398, 1470 and 1526 GFLOP/s.
TEST(AmxEstimate, WiderBlocksAreFaster) {
  const auto ofBlocks = [](const char *blocks) {
    return microseconds(std::string("tile=32x32,prefetch=128,mc=512,") + blocks,
                        /*threads=*/1);
  };
  EXPECT_LT(ofBlocks("pack=block,nc=4096"), ofBlocks("pack=whole,nc=1024"));
  EXPECT_LT(ofBlocks("pack=whole,nc=1024"), ofBlocks("pack=whole,nc=512"));
}

/// Of 1024x1024:1024x512 in bf16, whose panels pass rows in place.
double ofPassingPanels(const std::string &fields) {
  return predictMicroseconds(
      scheduleOf("tile=32x32,unit=amx,group=2,epilogue=next,tiles=mn," +
                 fields),
      problemOf("1024x1024:1024x512 bias+relu", "bf16"), emeraldRapids(),
      /*threads=*/1);
}

/// It took 19 to 22 % longer without the hint, 3 to 19 packed, 15 to 18 in
/// blocks of K (decision 102).
TEST(AmxEstimate, PanelsPastL1LeaveItToStrips) {
  const double best = ofPassingPanels("pack=none,hint=b,mc=256,nc=512");
  EXPECT_GT(ofPassingPanels("pack=none,mc=256,nc=512"), 1.12 * best);
  EXPECT_GT(ofPassingPanels("pack=block,hint=b,mc=256,nc=512"), 1.05 * best);
  // Rows 2 KiB apart, of which half of the sets hold half of K.
  EXPECT_GT(ofPassingPanels("pack=none,hint=b,mc=256,nc=512,kc=512"),
            1.12 * best);
}

/// From blocks of 64 to 1024 rows it took 744 to 762 us; 853 in two blocks of
/// columns, which read x from L3 twice.
TEST(AmxEstimate, BlocksOfRowsGoOnWithThePanelsOfTheLast) {
  const auto ofBlocks = [](const std::string &blocks) {
    return ofPassingPanels("pack=none,hint=b," + blocks);
  };
  const double large = ofBlocks("mc=1024,nc=512");
  EXPECT_NEAR(ofBlocks("mc=64,nc=512"), large, 0.02 * large);
  EXPECT_NEAR(ofBlocks("mc=256,nc=512"), large, 0.02 * large);
  EXPECT_GT(ofBlocks("mc=128,nc=256,blocks=nm"), 1.05 * large);
}

/// Only the first of the blocks of rows that pass the same columns of w waits
/// for them, and only its products go on meanwhile: two strips of 17 rows took
/// 19 % longer than one of 33 (decision 102).
TEST(AmxEstimate, ProductsOfLaterStripsHideNothingOfWhatTheFirstDrew) {
  const auto ofTile = [](const std::string &fields) {
    return predictMicroseconds(
        scheduleOf("unit=amx,group=2,epilogue=next,pack=none,ahead=8192,"
                   "tiles=mn," +
                   fields),
        problemOf("33x3072:3072x3072 residual", "bf16"), emeraldRapids(),
        /*threads=*/1);
  };
  const double oneStrip = ofTile("tile=33x16,mc=33,nc=160");
  EXPECT_GT(ofTile("tile=17x32,mc=17,nc=64,blocks=nm"), 1.05 * oneStrip);
}

/// What blocks of K ask for ahead is not what they read next.
TEST(AmxEstimate, FewRowsThatAskAheadTakeAllOfK) {
  const auto blocksOverAll = [](const std::string &fields) {
    const auto of = [&](const char *kc) {
      const Schedule schedule = scheduleOf(
          "unit=amx,group=2,epilogue=tile,hint=b,tile=16x64," + fields + kc);
      return predictMicroseconds(
          schedule, problemOf("16x14336:14336x4096 residual", "bf16"),
          emeraldRapids(), /*threads=*/1);
    };
    return of(",kc=1024") / of("");
  };
  EXPECT_GT(blocksOverAll("ahead=8192,nc=4096"), 1.03);
  EXPECT_GT(blocksOverAll("ahead=8192,nc=4096"),
            blocksOverAll("ahead=8192,nc=64") + 0.03);
  EXPECT_LT(blocksOverAll("nc=4096"), 1);
}

/// Some of whose cores are busy with something else.
TEST(AmxEstimate, ManyThreadsMakeFrugalTilesBetter) {
  const auto frugalOverTall = [](int threads) {
    const std::string blocks =
        "pack=whole,mc=128,nc=32,grid=4x32,deal=dynamic,tile=";
    return microseconds(blocks + "16x32", threads) /
           microseconds(blocks + "32x32", threads);
  };
  EXPECT_LT(frugalOverTall(16), 0.97 * frugalOverTall(1));
}

/// Measured with 16 threads: 28 us on tiles, 47 to 51 on vectors.
TEST(AmxEstimate, ProductsOfPairsAreSlowOnVectors) {
  const Problem layer = problemOf("2048x13:13x512 bias+relu", "bf16");
  const auto microsecondsOf = [&](const char *schedule) {
    return predictMicroseconds(Schedule::parse(schedule).value(), layer,
                               emeraldRapids(), /*threads=*/16);
  };
  const double onTiles =
      microsecondsOf("tile=16x64,unit=amx,group=2,pack=block,epilogue=tile,"
                     "mc=128,nc=512,grid=16x1");
  EXPECT_GT(microsecondsOf("tile=13x32,group=2,epilogue=registers,mc=130,"
                           "nc=128,grid=16x4,deal=dynamic"),
            1.3 * onTiles);
}

/// vdpbf16ps: 0.52 a cycle on Emerald Rapids beside 2 multiply-adds, one for
/// one on Zen; tiles along K use it, too.
TEST(AmxEstimate, ProductsOfPairsTakeFourTimesAsLongButOnZen) {
  const Problem layer = problemOf("240x512:512x240", "bf16");
  const auto slowdown = [&](const char *schedule) {
    const Schedule parsed = Schedule::parse(schedule).value();
    return predictMicroseconds(parsed, layer, emeraldRapids(), /*threads=*/1) /
           predictMicroseconds(parsed, layer, zen5(), /*threads=*/1);
  };
  EXPECT_NEAR(slowdown("tile=6x64,group=2,epilogue=registers"), 4, 1);
  EXPECT_NEAR(slowdown("tile=6x4,group=32,epilogue=tile"), 3.5, 1);
  const Target server = emeraldRapids();
  EXPECT_EQ(ProductForm::of(DType::bf16, server).multiplies, 4);
  EXPECT_EQ(ProductForm::of(DType::bf16, zen5()).multiplies, 1);
  EXPECT_EQ(ProductForm::of(DType::f32, server).multiplies, 1);
}

/// A region of 16 threads takes 3.4 us, one of two 0.5.
TEST(AmxEstimate, ThreadsWithoutAPartAreChargedToo) {
  const Problem layer = problemOf("32x64:64x32", "bf16");
  const Schedule twoParts =
      Schedule::parse("tile=16x32,unit=amx,group=2,epilogue=tile,grid=2x1")
          .value();
  const auto microsecondsOfTeam = [&](int threads) {
    return predictMicroseconds(twoParts, layer, emeraldRapids(), threads);
  };
  EXPECT_NEAR(microsecondsOfTeam(16) - microsecondsOfTeam(2), 2.9, 0.5);
}

} // namespace
