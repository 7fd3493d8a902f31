// What the estimate says of cores that other tenants share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/Predicted.h"

#include <gmock/gmock.h>

using namespace lintel;

namespace {

/// With units as wide, and instructions to spare.
Target alone() {
  Target target = zen3();
  target.cpu = "znver4";
  return target;
}

TEST(TenantPrediction, FewInstructionsPay) {
  // Twelve multiply-adds a step each, with three loads and four broadcasts, and
  // with two and six.
  const auto gainOfFewer = [](const Target &target) {
    const char *problem = "512x1024:1024x1024";
    return predicted("tile=6x16,tiles=nm", problem, target, 1) /
           predicted("tile=4x24,tiles=nm", problem, target, 1);
  };
  EXPECT_GT(gainOfFewer(zen3()), 1);
  EXPECT_LT(gainOfFewer(alone()), 1);
}

TEST(TenantPrediction, BroadcastsAreInstructionsOnAvx2) {
  const char *problem = "12x256:256x256";
  EXPECT_GT(predicted("tile=12x8,pack=block", problem, zen3(), 1),
            1.1 * predicted("tile=4x24,pack=block", problem, zen3(), 1));
  // On AVX-512 a product of one vector broadcasts its own.
  EXPECT_LT(predicted("tile=12x16,pack=block", problem, cascadeLake(), 1),
            1.1 * predicted("tile=6x32,pack=block", problem, cascadeLake(), 1));
}

TEST(TenantPrediction, MoreOfL3IsOthers) {
  // For each block of columns all rows come again: 2.5 and 6.1 MB.
  const auto timesOfRows = [](const char *problem, const Target &target) {
    return predicted("tile=6x16,mc=84,nc=32,blocks=nm,tiles=mn", problem,
                     target, 1) /
           predicted("tile=6x16,mc=84,nc=32,blocks=mn,tiles=mn", problem,
                     target, 1);
  };
  EXPECT_LT(timesOfRows("800x768:768x768", zen3()), 1);
  EXPECT_GT(timesOfRows("2000x768:768x768", zen3()), 1.05);
  EXPECT_LT(timesOfRows("2000x768:768x768", alone()), 1);
}

} // namespace
