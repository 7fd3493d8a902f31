// How a kernel may ask for the weight before it reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Prefetching.h"
#include "unit/Schedule/TestTargets.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::ElementsAre;
using ::testing::FieldsAre;

namespace {

std::vector<Prefetching> ways(const char *problem, const Target &target,
                              Unit unit = Unit::vector) {
  return waysToPrefetch(problemOf(problem), target, unit);
}

TEST(Prefetching, IsLeftToTheHardwareForAWeightInL1) {
  EXPECT_THAT(ways("1x64:64x64", zen4()), ElementsAre(FieldsAre(0, 0, 1)));
  EXPECT_THAT(ways("512x64:64x64", cascadeLake()),
              ElementsAre(FieldsAre(0, 0, 1)));
}

TEST(Prefetching, BringsAWeightThatPassesOnceToL2) {
  EXPECT_THAT(ways("64x1024:1024x1024", zen4()),
              ElementsAre(FieldsAre(0, 0, 1), FieldsAre(0, 8192, 1)));
  EXPECT_THAT(ways("65x1024:1024x1024", zen4()),
              ElementsAre(FieldsAre(0, 0, 1)));
}

TEST(Prefetching, LeavesFewRowsToTheHardwareOfZen) {
  const auto unasked = ElementsAre(FieldsAre(0, 0, 1));
  const auto raced = ElementsAre(FieldsAre(0, 0, 1), FieldsAre(0, 8192, 1));
  EXPECT_THAT(ways("1x1024:1024x1024", zen5()), unasked);
  EXPECT_THAT(ways("2x1024:1024x1024", zen5()), raced);
  // More rows on Zen 4.
  EXPECT_THAT(ways("5x1024:1024x1024", zen4()), unasked);
  EXPECT_THAT(ways("6x1024:1024x1024", zen4()), raced);
}

TEST(Prefetching, BringsWhatVectorsOutrunToL1) {
  EXPECT_THAT(ways("512x1024:1024x1024", cascadeLake()),
              ElementsAre(FieldsAre(0, 0, 1), FieldsAre(8192, 0, 1)));
  EXPECT_THAT(ways("17x1024:1024x1024", cascadeLake()),
              ElementsAre(FieldsAre(0, 0, 1), FieldsAre(8192, 0, 1)));
  EXPECT_THAT(ways("17x1024:1024x1024", cascadeLake(), Unit::amx),
              ElementsAre(FieldsAre(0, 0, 1), FieldsAre(0, 8192, 1)));
  // 64 bytes of columns a cycle, as on Zen 4.
  Target half = cascadeLake();
  half.isa = IsaLevel::avx2;
  EXPECT_THAT(ways("512x1024:1024x1024", half),
              ElementsAre(FieldsAre(0, 0, 1)));
}

TEST(Prefetching, ReadsInStreamsWhereThatIsFaster) {
  EXPECT_THAT(ways("1x1024:1024x1024", cascadeLake()),
              ElementsAre(FieldsAre(0, 0, 1), FieldsAre(0, 8192, 1),
                          FieldsAre(0, 0, 8)));
  EXPECT_THAT(ways("8x1024:1024x1024", cascadeLake()),
              ElementsAre(FieldsAre(0, 0, 1), FieldsAre(0, 8192, 1),
                          FieldsAre(0, 2048, 8)));
  // Streams of less than a page, more rows, and tile registers, which gained
  // nothing.
  const auto oneStream = ElementsAre(FieldsAre(0, 0, 1), FieldsAre(0, 8192, 1));
  EXPECT_THAT(ways("1x511:511x1024", cascadeLake()), oneStream);
  EXPECT_THAT(ways("9x1024:1024x1024", cascadeLake()), oneStream);
  EXPECT_THAT(ways("8x1024:1024x1024", cascadeLake(), Unit::amx), oneStream);
  EXPECT_THAT(ways("2x1024:1024x1024", zen5()), oneStream);
}

} // namespace
