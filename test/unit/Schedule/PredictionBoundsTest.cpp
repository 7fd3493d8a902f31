// The estimate is a time, whatever it is asked about.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Legality.h"
#include "Schedule/Ranking.h"
#include "unit/Schedule/Predicted.h"
#include "unit/Schedule/Refusal.h"
#include "unit/Schedule/TestTargets.h"

#include <cmath>
#include <gmock/gmock.h>
#include <vector>

using namespace lintel;

namespace {

bool isTime(double microseconds) {
  return std::isfinite(microseconds) && microseconds > 0;
}

TEST(Prediction, IsPositiveAndFiniteEverywhere) {
  for (const char *problem : {"0x0:0x0", "1x1:1x1", "?x0:0x4",
                              "2147483648x2:2x4", "1x2147483648:2147483648x1"})
    for (IsaLevel isa : {IsaLevel::x86_64, IsaLevel::avx2, IsaLevel::avx512})
      for (int threads : {-1, 0, 1, 1000})
        EXPECT_TRUE(
            isTime(predicted("tile=4x16", problem, targetOf(isa), threads)))
            << problem << " " << threads;
}

/// The types of a layer, and a schedule that it may have.
struct Kind {
  const char *types, *schedule;
};

constexpr Kind kKinds[] = {
    // Packed, K cut.
    {"f32", "tile=8x48,pack=block,mc=64,nc=96,kc=512"},
    {"bf16", "tile=8x48,group=2,pack=block,mc=64,nc=96,kc=512"},
    {"u8s8", "tile=8x32,group=2,pack=block,mc=64,nc=64,kc=512"},
    {"f32", "tile=8x48,pack=whole,mc=64,nc=96,kc=512,tiles=nm"},
    // Slices of K.
    {"f32", "tile=4x16,epilogue=tile,grid=1x1x4"},
    {"bf16", "tile=4x16,group=2,epilogue=tile,grid=1x1x4"},
    {"u8s8", "tile=4x16,group=2,epilogue=tile,grid=1x1x4"},
    // Tile registers.
    {"bf16", "tile=32x32,unit=amx,group=2,pack=block,epilogue=next,mc=64,nc=64,"
             "kc=512"},
    {"u8s8", "tile=32x32,unit=amx,hint=a,group=4,prefetch=1024,pack=whole,"
             "epilogue=next,mc=64,nc=64,kc=512,tiles=nm"},
    // Widened panels, of f16 alone where there are products of bf16.
    {"f16", "tile=8x32,pack=block,widen=panel,tiles=nm,mc=64,nc=64,kc=512"},
    // Streams.
    {"f32", "tile=4x16,streams=8"},
    {"bf16", "tile=4x16,group=2,ahead=2048,streams=8"},
    {"u8s8", "tile=4x16,group=2,prefetch=2048,streams=8"},
    // Dynamic dealing.
    {"f32", "tile=8x48,mc=64,nc=96,grid=4x8,deal=dynamic"},
    {"bf16", "tile=8x48,group=2,mc=64,nc=96,grid=4x8,deal=dynamic"},
    {"u8s8", "tile=8x32,group=2,mc=64,nc=64,grid=4x8,deal=dynamic"},
    // Dot products.
    {"f32", "tile=4x4,group=16,epilogue=tile"},
};

/// Problems of these types that have nothing, one or the most of M, N and K.
std::vector<Problem> smallestAndLargest(const char *types) {
  constexpr int64_t kSizes[] = {0, 1, Problem::kMaxDim};
  std::vector<Problem> problems;
  for (int64_t m : kSizes)
    for (int64_t n : kSizes)
      for (int64_t k : kSizes)
        // With two of the largest a tensor does not fit an address space.
        if (Expected<Problem> problem = Problem::create(
                m, n, k, DataTypes::parse(types).value(), Epilogue()))
          problems.push_back(*problem);
  return problems;
}

TEST(Prediction, IsATimeForEveryKindOfSchedule) {
  Target target = emeraldRapids();
  target.extensions.insert(Extension::amxInt8);
  for (const Kind &kind : kKinds) {
    EXPECT_EQ(refusal(kind.schedule, "1x1:1x1", target, kind.types), "accepted")
        << kind.types << " " << kind.schedule;
    const Schedule schedule = scheduleOf(kind.schedule);
    for (const Problem &problem : smallestAndLargest(kind.types)) {
      if (!checkSchedule(schedule, problem, target))
        continue;
      for (int threads : {-1, 1, 16, 1000}) {
        EXPECT_TRUE(
            isTime(predictMicroseconds(schedule, problem, target, threads)) &&
            isTime(
                predictBesideHyperthread(schedule, problem, target, threads)))
            << kind.types << " " << problem.text() << " " << kind.schedule
            << " " << threads;
      }
    }
  }
}

} // namespace
