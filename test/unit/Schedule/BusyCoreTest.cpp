// What the estimate charges where another hyperthread works.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/Ranking.h"

#include <gtest/gtest.h>
#include <string>

using namespace lintel;

namespace {

/// How many times as long a schedule is predicted to take on a busy core.
double slowdownOn(const Target &target, const char *problem,
                  const char *schedule) {
  const Problem layer = problemOf(problem);
  const Schedule parsed = Schedule::parse(schedule).value();
  return predictBesideHyperthread(parsed, layer, target, 1) /
         predictMicroseconds(parsed, layer, target, 1);
}

TEST(PredictBesideHyperthread, ChargesInstructionsWhereTheyAreDear) {
  Target target = cascadeLake();
  const char *const layer = "197x768:768x2304";
  const char *const many = "tile=8x48,mc=200,nc=48,prefetch=8192";
  const double inPlace = slowdownOn(target, layer, many);
  const double embedded = slowdownOn(
      target, layer, "tile=9x48,mc=198,nc=48,prefetch=8192,pack=block,embed=5");
  EXPECT_GT(inPlace, 1.05);
  EXPECT_LT(embedded, inPlace - 0.05);
  target.cpu = "znver4";
  EXPECT_EQ(slowdownOn(target, layer, many), 1);
}

TEST(PredictBesideHyperthread, ChargesPanelsThatNobodyAsksFor) {
  const Target target = emeraldRapids();
  const char *const layer = "1500x1280:1280x5120";
  const double unasked = slowdownOn(
      target, layer,
      "tile=14x32,mc=168,nc=192,prefetch=8192,pack=block,embed=6,tiles=mn");
  const double asked = slowdownOn(target, layer,
                                  "tile=14x32,mc=168,prefetch=8192,share=1,"
                                  "pack=block,embed=6,tiles=nm");
  EXPECT_LT(asked, unasked - 0.05);
}

/// Of tiles one vector wide every product loads.
TEST(PredictBesideHyperthread, ChargesLoads) {
  const Target target = emeraldRapids();
  const Problem layer = problemOf("512x2048:2048x2048");
  const Schedule narrow =
      scheduleOf("tile=27x16,mc=108,prefetch=8192,share=1,pack=block,tiles=nm");
  const Schedule wide = scheduleOf(
      "tile=14x32,mc=112,prefetch=8192,share=1,pack=block,embed=6,tiles=nm");
  const auto ratio = [&](auto predict) {
    return predict(narrow, layer, target, 1) / predict(wide, layer, target, 1);
  };
  const double quiet = ratio(predictMicroseconds);
  EXPECT_GT(quiet, 1.1);
  EXPECT_GT(ratio(predictBesideHyperthread), quiet + 0.2);
}

/// 128x768:768x3072 in bf16: 520 and 1037 us on tiles of 32x32, 546 and 799 on
/// 16x32.
TEST(PredictBesideHyperthread, ChargesTileRegisters) {
  const Target target = emeraldRapids();
  const Problem layer = problemOf("128x768:768x3072 bias+relu", "bf16");
  const auto slowdown = [&](const char *tile) {
    const Schedule schedule = scheduleOf(
        std::string("tile=") + tile +
        ",unit=amx,hint=a,group=2,prefetch=512,pack=whole,epilogue=tile,"
        "mc=128,nc=32,kc=384,tiles=nm");
    return predictBesideHyperthread(schedule, layer, target, 1) /
           predictMicroseconds(schedule, layer, target, 1);
  };
  EXPECT_GT(slowdown("32x32"), slowdown("16x32") + 0.4);
}

/// All cores together get less of memory, too.
TEST(PredictBesideHyperthread, ChargesMemoryWithManyThreads) {
  const Target target = emeraldRapids();
  const Problem layer = problemOf("16x14336:14336x4096");
  const Schedule schedule = scheduleOf("tile=16x16,nc=16,grid=1x32");
  EXPECT_GT(predictBesideHyperthread(schedule, layer, target, 32),
            1.5 * predictMicroseconds(schedule, layer, target, 32));
}

} // namespace
