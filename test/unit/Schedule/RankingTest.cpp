// The cost model and the favourite.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Ranking.h"
#include "Schedule/Legality.h"
#include "Schedule/SearchSpace.h"
#include "unit/Schedule/Predicted.h"
#include "unit/Schedule/TestTargets.h"

#include <gmock/gmock.h>

using namespace lintel;

namespace {

/// Emerald Rapids, f16, one thread: 77 GFLOP/s in place and 109 packed; Zen 4
/// converts on other units than it multiplies.
TEST(Prediction, WidensPackedRowsOnce) {
  const auto inPlaceOverPacked = [](const Target &target) {
    const Problem problem = problemOf("512x1024:1024x1024", "f16");
    const auto time = [&](const char *text) {
      return predictMicroseconds(scheduleOf(text), problem, target, 1);
    };
    return time("tile=8x48,mc=128,kc=512") /
           time("tile=8x48,pack=block,mc=128,kc=512");
  };
  EXPECT_GT(inPlaceOverPacked(cascadeLake()), 1.3);
  EXPECT_GT(inPlaceOverPacked(zen4()), 1);
  EXPECT_LT(inPlaceOverPacked(zen4()), inPlaceOverPacked(cascadeLake()));
}

/// Zen 4 without AVX-512, one thread: 122 and 135 GOPS in u8s8.
TEST(Prediction, WidensPackedBytesOnce) {
  const Target avx2 = targetOf(IsaLevel::avx2);
  const Problem problem = problemOf("512x1024:1024x1024", "u8s8");
  const auto time = [&](const char *text) {
    return predictMicroseconds(scheduleOf(text), problem, avx2, 1);
  };
  EXPECT_GT(time("tile=6x16,group=2,mc=252,nc=256"),
            1.05 * time("tile=6x16,group=2,pack=block,mc=252,nc=256"));
  EXPECT_GT(time("tile=12x8,group=2,pack=block,mc=252,nc=256"),
            1.05 * time("tile=6x16,group=2,pack=block,mc=252,nc=256"));
}

/// Emerald Rapids, f16, one thread: 12800x144:144x80 and 784x128:128x128 take
/// 15 and 19 % less than with conversions in each step; two strips hardly gain.
TEST(Prediction, WidensPanelsForManyStrips) {
  const auto stepOverPanel = [](const char *shape, const Target &target) {
    const Problem problem = problemOf(shape, "f16");
    const auto time = [&](const std::string &widen) {
      return predictMicroseconds(
          scheduleOf("tile=13x32,pack=block,mc=416,tiles=nm,widen=" + widen),
          problem, target, 1);
    };
    return time("step") / time("panel");
  };
  EXPECT_GT(stepOverPanel("784x128:128x128", emeraldRapids()), 1.1);
  EXPECT_LT(stepOverPanel("784x128:128x128", emeraldRapids()), 1.3);
  EXPECT_LT(stepOverPanel("26x128:128x128", emeraldRapids()),
            stepOverPanel("784x128:128x128", emeraldRapids()) - 0.03);
  EXPECT_LT(stepOverPanel("784x128:128x128", zen4()),
            stepOverPanel("784x128:128x128", emeraldRapids()));
}

TEST(Prediction, FullOperandsTakeTheirOwnBytes) {
  const auto predictedWith = [](DType operand) {
    const Epilogue epilogue = Epilogue::fromRegion(
        "r", {{"operand0", Broadcast::full, operand}}, /*numResults=*/1);
    const Problem problem =
        Problem::create(65536, 4096, 16, *DataTypes::parse("bf16"), epilogue)
            .value();
    return predictMicroseconds(*Schedule::parse("tile=4x16"), problem, zen4(),
                               1);
  };
  EXPECT_GT(predictedWith(DType::f32), 1.05 * predictedWith(DType::bf16));
}

TEST(Prediction, EveryOutputIsWritten) {
  const auto microseconds = [](const char *schedule, const char *problem,
                               int outputs) {
    return predictMicroseconds(scheduleOf(schedule),
                               problemWithOutputs(outputs, problem), zen4(), 1);
  };
  // To memory, which takes most of the time.
  const auto toMemory = [&](int outputs) {
    return microseconds("tile=6x64", "65536x1:1x4096", outputs);
  };
  EXPECT_GT(toMemory(2), 1.7 * toMemory(1));
  // L2 holds one of 512 KiB, but not two: with the second the first leaves it.
  const auto nearby = [&](int outputs) {
    return microseconds("tile=4x64", "128x1:1x1024", outputs);
  };
  EXPECT_GT(nearby(2) - nearby(1), 1.4 * (nearby(3) - nearby(2)));
}

TEST(Prediction, DynamicDealingEndsHalfAChunkApart) {
  // Of 16 strips 5 threads take 4 at most, or 3.2 and a half; and the slowest
  // of 5 equal shares seems to have 8 % more.
  const auto microseconds = [&](const char *deal) {
    return predicted(std::string("tile=8x48,mc=8,grid=16x1,deal=") + deal,
                     "128x1024:1024x4800", zen4(), 5);
  };
  EXPECT_NEAR(microseconds("dynamic") / microseconds("static"),
              3.7 / (4 * 1.08), 0.01);
}

TEST(Prediction, ManyThreadsDealOutWhatFewShare) {
  const auto gain = [](int threads) {
    const std::string half = std::to_string(threads / 2);
    const std::string tile = "tile=8x48,mc=64,nc=96,grid=";
    const char *problem = "2048x1024:1024x6144";
    return predicted(tile + half + "x2", problem, zen4(), threads) /
           predicted(tile + half + "x8,deal=dynamic", problem, zen4(), threads);
  };
  EXPECT_LT(gain(2), 1);
  EXPECT_GT(gain(16), 1.05);
}

double predictedWithTiles(const std::string &fields, const char *problem) {
  return predictMicroseconds(
      scheduleOf("tile=32x32,unit=amx,hint=a,group=2,prefetch=512,pack=whole,"
                 "epilogue=tile,mc=128,nc=32,kc=512,tiles=nm," +
                 fields),
      problemOf(problem, "bf16"), emeraldRapids(), /*threads=*/16);
}

TEST(Prediction, RowsThatStayPackedMakeFineGridsCheap) {
  const auto microseconds = [](const char *grid) {
    return predictedWithTiles(std::string("deal=dynamic,grid=") + grid,
                              "512x4096:4096x4096");
  };
  // Measured 4005, 3540, 3148 and, with 8x128, 2941 us.
  EXPECT_GT(microseconds("4x8"), microseconds("4x16"));
  EXPECT_GT(microseconds("4x16"), microseconds("4x32"));
  EXPECT_GT(microseconds("4x32"), microseconds("4x128"));
}

TEST(Prediction, ChunksOfTheSameColumnsShareThem) {
  const auto microseconds = [](const char *grid) {
    return predictedWithTiles(std::string("deal=dynamic,grid=") + grid,
                              "4096x4096:4096x4096");
  };
  // Measured 16550 and 19430 us.
  EXPECT_LT(microseconds("32x4"), 0.95 * microseconds("8x8"));
}

TEST(Prediction, OnlyPackedRowsStayPacked) {
  const auto microseconds = [](const char *grid) {
    return predictMicroseconds(
        scheduleOf(std::string("tile=32x32,unit=amx,hint=a,group=2,pack=none,"
                               "epilogue=tile,nc=64,tiles=nm,deal=dynamic,"
                               "grid=") +
                   grid),
        problemOf("4096x4096:4096x4096", "bf16"), emeraldRapids(), 16);
  };
  EXPECT_GT(microseconds("2x128"), 0.9 * microseconds("2x64"));
}

TEST(Prediction, SharedFactorsAreNoFartherThanOthers) {
  // All of it fits L2: 3 us, with what is shared in L3 7.
  EXPECT_LT(predicted("tile=4x64,nc=64,mc=4,grid=16x1", "64x128:128x128",
                      emeraldRapids(), 16),
            4.5);
}

TEST(Prediction, PrefetchingHidesMoreOfTheMemory) {
  const char *few = "13x10240:10240x2560";
  for (const char *way : {"prefetch=4096", "ahead=8192"})
    EXPECT_LT(predicted(std::string("tile=13x32,") + way, few, zen4(), 1),
              predicted("tile=13x32", few, zen4(), 1))
        << way;
}

TEST(Prediction, SharedPanelsAreHiddenByAllStrips) {
  // 201 MB of weight; sixteen strips pass a panel.
  const auto microseconds = [](const char *rest) {
    return predicted(std::string("tile=8x48,prefetch=8192,") + rest,
                     "128x4096:4096x12288", emeraldRapids(), 1);
  };
  EXPECT_LT(microseconds("share=1,tiles=nm"), 0.96 * microseconds("tiles=nm"));
  // Strips that pass all panels one after the other have nothing to share.
  EXPECT_GE(microseconds("share=1,tiles=mn"), microseconds("tiles=mn"));
}

double predictedOnZen5(const char *schedule, const char *problem) {
  return predictMicroseconds(scheduleOf(schedule), problemOf(problem, "bf16"),
                             zen5(), /*threads=*/1);
}

TEST(Prediction, OnlyTheFirstStripHidesColumnsFromMemory) {
  const auto microseconds = [](const char *rows) {
    return predictedOnZen5("tile=8x32,group=2,ahead=8192,epilogue=tile,nc=32,"
                           "kc=1024,tiles=nm",
                           (std::string(rows) + "x14336:14336x4096").c_str());
  };
  // What the first strip waits for does not speed up the second: that takes as
  // long as a fourth.
  const double strip = microseconds("32") - microseconds("24");
  EXPECT_NEAR(microseconds("16") - microseconds("8"), strip, 0.1 * strip);
}

TEST(Prediction, RowsInPlaceFromMemoryAreLate) {
  const char *large = "4096x4096:4096x4096";
  const double readsWAgain = predictedOnZen5(
      "tile=6x64,group=2,prefetch=8192,mc=342,nc=128,tiles=nm", large);
  EXPECT_GT(predictedOnZen5(
                "tile=6x64,group=2,prefetch=8192,mc=60,nc=64,blocks=nm", large),
            1.1 * readsWAgain);
  EXPECT_GT(predictedOnZen5("tile=6x64,group=2,prefetch=8192,tiles=nm", large),
            1.1 * readsWAgain);
}

TEST(Prediction, OneColumnIsBestAsDotProducts) {
  for (const char *types : {"bf16", "f16", "u8s8", "s8s8"}) {
    const Problem problem = problemOf("2048x256:256x1", types);
    EXPECT_TRUE(bestPredictedSchedule(problem, zen4(), 1)
                    ->vectorsAlongK(problem.types().weight))
        << types;
  }
}

TEST(Prediction, SignsOfXTakeAnInstructionInDotProducts) {
  const auto microseconds = [](const char *types) {
    return predictMicroseconds(scheduleOf("tile=4x4,group=64,epilogue=tile"),
                               problemOf("64x4096:4096x4", types),
                               zen4WithQuads(), 1);
  };
  EXPECT_GT(microseconds("s8s8"), microseconds("u8s8"));
}

TEST(Prediction, NeverBeatsTheMultipliers) {
  // 2 FMAs of 16 lanes a cycle at 3 GHz do 192 flop in a nanosecond.
  const double flops = 2.0 * 512 * 1024 * 1024;
  EXPECT_GT(predicted("tile=6x64", "512x1024:1024x1024",
                      targetOf(IsaLevel::avx512), 1),
            flops / 192e3);
}

TEST(Prediction, SeesWhatNarrowTypesSaveAndCost) {
  const auto time = [](const char *schedule, const char *shape,
                       const char *types, const Target &target) {
    return predictMicroseconds(*Schedule::parse(schedule),
                               problemOf(shape, types), target, 1);
  };
  // Pairs take half the multiplications; widening takes all, and more.
  const char *busy = "512x1024:1024x1024";
  const double floats = time("tile=5x64", busy, "f32", zen4());
  const double pairs = time("tile=5x64,group=2", busy, "bf16", zen4WithPairs());
  EXPECT_LT(pairs, 0.7 * floats);
  EXPECT_GT(time("tile=5x64,group=2", busy, "bf16", zen4()), 1.5 * pairs);
  // Quads take a quarter; flipping the signs of rows in place costs a little,
  // pairs of 16 bits instead of them a lot.
  const char *quads = "tile=5x64,group=4";
  const double dense = time(quads, busy, "u8s8", zen4WithQuads());
  EXPECT_LT(dense, 0.4 * floats);
  EXPECT_GT(time(quads, busy, "s8s8", zen4WithQuads()), dense);
  EXPECT_GT(time("tile=5x64,group=2", busy, "u8s8", zen4()), 1.5 * dense);
  // A weight from memory is half as large.
  const char *streaming = "1x8192:8192x8192";
  EXPECT_LT(time("tile=1x64,group=2", streaming, "bf16", zen4()),
            0.7 * time("tile=1x64", streaming, "f32", zen4()));
}

TEST(Prediction, GrowsWithTheWork) {
  const Target target = zen4();
  EXPECT_LT(predicted("tile=8x48", "128x512:512x512", target, 1),
            predicted("tile=8x48", "256x512:512x512", target, 1));
  EXPECT_LT(predicted("tile=8x48", "128x512:512x512", target, 1),
            predicted("tile=8x48", "128x512:512x512 gelu_erf", target, 1));
}

TEST(Prediction, HasEpiloguesOnRegistersThatLeaveThemToSums) {
  const auto gain = [](const char *problem) {
    const auto time = [&](const char *schedule) {
      return predictMicroseconds(*Schedule::parse(schedule),
                                 problemOf(problem, "s8s8:s8"), zen4(), 1);
    };
    return time("tile=4x32,group=2,epilogue=tile") - time("tile=4x32,group=2");
  };
  EXPECT_GT(gain("64x512:512x512 bias"), 0);
  EXPECT_LT(gain("64x512:512x512 bias+relu"), 0);
}

TEST(Prediction, SeesThreadsThatShareK) {
  const auto time = [](const char *grid, const char *problem, int threads) {
    return predicted("tile=4x64,epilogue=tile,grid=" + std::string(grid),
                     problem, zen4(), threads);
  };
  const char *deep = "4x65536:65536x64", *shallow = "4x128:128x64";
  EXPECT_LT(time("1x1x2", deep, 2), 0.7 * time("1x1", deep, 2));
  EXPECT_LT(time("1x1x8", deep, 8), time("1x1x4", deep, 8));
  // The fork alone takes longer than what it could save.
  EXPECT_LT(time("1x1", shallow, 2), time("1x1x2", shallow, 2));
  // Slices in turn on one thread gain nothing.
  EXPECT_LT(time("1x1", deep, 1), time("1x1x8", deep, 1));
}

TEST(Prediction, ChargesARegionForAllThreadsOfTheEngine) {
  const auto time = [](const char *grid, int threads) {
    return predicted(std::string("tile=4x16,grid=") + grid, "4x16:16x64",
                     zen4(), threads);
  };
  EXPECT_LT(time("1x2", 2), time("1x2", 16));
  EXPECT_EQ(time("1x1", 2), time("1x1", 16));
}

TEST(Prediction, SeesPaddingInN) {
  EXPECT_LT(predicted("tile=8x16", "128x1024:1024x16", zen4(), 1),
            predicted("tile=8x48", "128x1024:1024x16", zen4(), 1));
}

TEST(Prediction, StreamingSavesReadingWhatTheCachesCannotHold) {
  const Target target = zen4();
  const auto gain = [&](const char *problem) {
    return predicted("tile=6x64", problem, target, 1) -
           predicted("tile=6x64,store=stream", problem, target, 1);
  };
  EXPECT_GT(gain("16384x64:64x8192"), 0);
  // 256 KiB of outputs stay in L2.
  EXPECT_LT(gain("64x64:64x1024"), 0);
}

TEST(Prediction, SeesIdleThreads) {
  // Eight strips of sixteen rows, two threads.
  const char *problem = "128x1024:1024x2048";
  const double both = predicted("tile=16x16,grid=2x1", problem, zen4(), 2);
  const double one = predicted("tile=16x16,grid=1x1", problem, zen4(), 2);
  EXPECT_LT(both, 0.7 * one);
  // Three chunks on two threads leave one idle half of the time.
  EXPECT_GT(predicted("tile=16x16,grid=3x1", problem, zen4(), 2), both);
}

TEST(Prediction, SeesLargeStridesOfA) {
  // Rows 4 KiB apart evict each other in L1 unless they are packed.
  const double inPlace =
      predicted("tile=14x32", "512x1024:1024x1024", zen4(), 1);
  const double packed =
      predicted("tile=14x32,pack=block,mc=112,blocks=mn,tiles=nm",
                "512x1024:1024x1024", zen4(), 1);
  EXPECT_LT(packed, inPlace);
}

/// 49 rows are 10 x 4 and 3 x 3, which have a micro-kernel unless they would be
/// packed element by element.
TEST(Prediction, ComputesShortStripsAsTheyAre) {
  const auto ofFullStrips = [](const char *schedule) {
    const Target avx2 = targetOf(IsaLevel::avx2);
    return predicted(schedule, "49x512:512x240", avx2, 1) /
           predicted(schedule, "52x512:512x240", avx2, 1);
  };
  EXPECT_LT(ofFullStrips("tile=4x24"), 0.96);
  EXPECT_GT(ofFullStrips("tile=4x24,pack=block"), 0.98);
  // Two of 51 are not worth one.
  EXPECT_GT(predicted("tile=4x24", "51x512:512x240", zen4(), 1) /
                predicted("tile=4x24", "52x512:512x240", zen4(), 1),
            0.98);
}

/// 17 rows are strips of 5, 6 and 6.
TEST(Prediction, ChargesTheChunkWithMostRows) {
  const auto ofEqualStrips = [](const char *schedule) {
    return predicted(schedule, "17x2048:2048x48", zen4(), 3) /
           predicted(schedule, "18x2048:2048x48", zen4(), 3);
  };
  EXPECT_GT(ofEqualStrips("tile=8x48,grid=3x1"), 0.99);
  EXPECT_LT(ofEqualStrips("tile=8x48,grid=1x1"), 0.97);
}

TEST(Prediction, SeesTheCacheThatBComesFrom) {
  // All of w streams from L3 for every strip, or stays in L2.
  const char *problem = "4096x1024:1024x4096";
  EXPECT_LT(
      predicted("tile=6x64,nc=128,blocks=nm,tiles=mn", problem,
                targetOf(IsaLevel::avx512), 1),
      predicted("tile=6x64,tiles=mn", problem, targetOf(IsaLevel::avx512), 1));
}

TEST(BestPredicted, IsLegalAndTheLeastOfTheSpace) {
  for (const char *text : {"0x0:0x0", "1x1:1x1", "128x768:768x3072 bias",
                           "?x768:768x3072 bias+gelu_erf", "64x64:64x0"})
    for (IsaLevel isa : {IsaLevel::x86_64, IsaLevel::avx2, IsaLevel::avx512}) {
      const Problem problem = problemOf(text);
      const Target target = targetOf(isa);
      const Schedule best = *bestPredictedSchedule(problem, target, 2);
      EXPECT_TRUE(checkSchedule(best, problem, target)) << text;
      const double least = predictMicroseconds(best, problem, target, 2);
      for (const Schedule &other : enumerateSchedules(problem, target, 2))
        EXPECT_LE(least, predictMicroseconds(other, problem, target, 2));
    }
}

TEST(Prediction, TheBestOfAPanelWantsThatPanelOrIsNone) {
  const Problem problem = problemOf("128x256:256x192");
  const PanelShape known =
      selectCandidates(problem, zen4(), 1, 8, 8).back().panel();
  EXPECT_EQ(bestPredictedSchedule(problem, zen4(), 1, known)->panel(), known);
  EXPECT_FALSE(bestPredictedSchedule(problem, zen4(), 1, PanelShape{7, 3}));
}

} // namespace
