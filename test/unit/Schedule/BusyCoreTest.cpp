// What the estimate charges where another hyperthread works.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/Ranking.h"

#include <gtest/gtest.h>

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
  Target target = emeraldRapids();
  target.l3 = int64_t(300) << 20;
  const char *const layer = "1500x1280:1280x5120";
  const double unasked = slowdownOn(
      target, layer,
      "tile=14x32,mc=168,nc=192,prefetch=8192,pack=block,embed=6,tiles=mn");
  const double asked = slowdownOn(target, layer,
                                  "tile=14x32,mc=168,prefetch=8192,share=1,"
                                  "pack=block,embed=6,tiles=nm");
  EXPECT_LT(asked, unasked - 0.05);
}

} // namespace
