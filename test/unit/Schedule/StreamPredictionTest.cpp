// What the estimate says of a weight that is read in several places at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/Predicted.h"

#include <gmock/gmock.h>

using namespace lintel;

namespace {

TEST(StreamPrediction, GainWhereTheCoreFollowsThem) {
  const auto microseconds = [](const char *way, const Target &target) {
    return predicted(std::string("tile=8x32,") + way, "8x4096:4096x4096",
                     target, 1);
  };
  EXPECT_LT(microseconds("streams=8,ahead=2048", cascadeLake()),
            microseconds("ahead=8192", cascadeLake()));
  EXPECT_GE(microseconds("streams=8,ahead=2048", zen5()),
            microseconds("ahead=8192", zen5()));
}

TEST(StreamPrediction, FewPlacesAreWorthPackingFor) {
  const auto microseconds = [](const char *reading, const char *problem,
                               const Target &target) {
    return predicted(reading, problem, target, 1);
  };
  const char *fourRows = "4x4000:4000x4096";
  // Four rows and w, in each of four streams, are more than Zen 3 follows.
  const double inOne = microseconds("tile=4x24", fourRows, zen3());
  const double inPlace = microseconds("tile=4x24,streams=4", fourRows, zen3());
  const double packed =
      microseconds("tile=4x24,streams=4,pack=block", fourRows, zen3());
  EXPECT_LT(packed, 0.9 * inPlace);
  EXPECT_LT(packed, inOne);
  // One row and w in each of four are not.
  EXPECT_LT(microseconds("tile=1x32,streams=4", "1x4000:4000x4096", zen3()),
            microseconds("tile=1x32", "1x4000:4000x4096", zen3()));
  // Where no limit is known packing is a copy more.
  EXPECT_GT(
      microseconds("tile=4x32,streams=8,pack=block", fourRows, cascadeLake()),
      microseconds("tile=4x32,streams=8", fourRows, cascadeLake()));
}

} // namespace
