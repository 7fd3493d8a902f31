// Which narrow sums race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/TestTargets.h"

#include "Schedule/Legality.h"
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"

#include <gmock/gmock.h>
#include <set>

using namespace lintel;

namespace {

/// What products are added to in a layer's search space, all of it legal.
std::set<Accumulate> sumsOf(const char *shape, const char *types,
                            const Target &target) {
  const Problem problem = problemOf(shape, types);
  std::set<Accumulate> sums;
  for (const Schedule &schedule : enumerateSchedules(problem, target, 2)) {
    sums.insert(schedule.accumulate);
    const Status legal = checkSchedule(schedule, problem, target);
    EXPECT_TRUE(legal) << schedule.text() << ": " << legal.error().message();
  }
  return sums;
}

TEST(Accumulation, OffersSumsOfF16WhereTheyArePermitted) {
  const std::set plain = {Accumulate::f32},
                 both = {Accumulate::f32, Accumulate::f16};
  for (const char *shape :
       {"17x33:33x65 bias", "1x4096:4096x4096", "?x1001:1001x512", "0x0:0x0"}) {
    EXPECT_EQ(sumsOf(shape, "f16,accumulate=f16", withHalfArithmetic()), both);
    EXPECT_EQ(sumsOf(shape, "f16", withHalfArithmetic()), plain);
    EXPECT_EQ(sumsOf(shape, "f16,accumulate=f16", zen4()), plain);
  }
}

TEST(Accumulation, OffersSumsOfS16WhereTheyArePermitted) {
  const std::set plain = {Accumulate::f32}, pairs = {Accumulate::s16};
  const auto on = [](const char *target) { return *Target::parse(target); };
  for (const char *shape :
       {"17x33:33x64 bias", "1x4096:4096x4096", "?x1001:1001x512", "0x0:0x0"}) {
    for (const char *target : {"isa=avx2", "isa=avx512"}) {
      EXPECT_EQ(sumsOf(shape, "u8s8,accumulate=s16", on(target)), pairs);
      EXPECT_EQ(sumsOf(shape, "s8s8,accumulate=s16", on(target)), pairs);
      EXPECT_EQ(sumsOf(shape, "u8s8", on(target)), plain);
    }
    for (const char *target : {"isa=x86_64", "isa=avx2,extensions=avxvnni",
                               "isa=avx512,extensions=avx512vnni"})
      EXPECT_EQ(sumsOf(shape, "u8s8,accumulate=s16", on(target)), plain);
  }
}

TEST(Accumulation, SumsExactlyInDotProductsBesideSumsOfS16) {
  const Problem problem = problemOf("128x1024:1024x10", "u8s8,accumulate=s16");
  int64_t dots = 0;
  for (const Schedule &schedule :
       enumerateSchedules(problem, *Target::parse("isa=avx2"), 1)) {
    EXPECT_NE(schedule.sumsPairsInWords(), schedule.vectorsAlongK(DType::s8))
        << schedule.text();
    dots += schedule.vectorsAlongK(DType::s8);
  }
  EXPECT_GT(dots, 0);
}

/// Measured on Zen 4 of avx2: 0.75 to 0.77 of the time.
TEST(Accumulation, ExpectsSumsOfS16ToBeFaster) {
  const Target target = *Target::parse("isa=avx2,cpu=znver4");
  const auto best = [&](const char *types) {
    const Problem problem = problemOf("512x1024:1024x1024", types);
    return predictMicroseconds(*bestPredictedSchedule(problem, target, 1),
                               problem, target, 1);
  };
  for (std::string types : {"u8s8", "s8s8"}) {
    const double ratio =
        best((types + ",accumulate=s16").c_str()) / best(types.c_str());
    EXPECT_GT(ratio, 0.6) << types;
    EXPECT_LT(ratio, 0.9) << types;
  }
}

TEST(Accumulation, ExpectsSumsOfF16ToBeFaster) {
  const Schedule best = *bestPredictedSchedule(
      problemOf("512x1024:1024x1024", "f16:f32,accumulate=f16"),
      withHalfArithmetic(), 1);
  EXPECT_EQ(best.accumulate, Accumulate::f16) << best.text();
}

} // namespace
