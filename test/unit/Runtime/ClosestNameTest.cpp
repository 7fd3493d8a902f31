// Which name was meant by one that is unknown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/ClosestName.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

constexpr std::string_view kOptions[] = {"--dtype", "--json", "--threads",
                                         "--budget", "--no-cache"};

std::string_view closestOption(std::string_view name) {
  return closestName(name, kOptions, /*prefix=*/2);
}

/// Of short names one edit is all that is let pass.
TEST(SwappedLettersTest, CountAsOneEdit) {
  EXPECT_EQ(closestOption("--dtpye"), "--dtype");
  EXPECT_EQ(closestOption("--jsno"), "--json");
  EXPECT_EQ(closestOption("--sjon"), "--json");
  constexpr std::string_view commands[] = {"tune", "bench", "run"};
  EXPECT_EQ(closestName("tnue", commands, 0), "tune");
  EXPECT_EQ(closestName("rnu", commands, 0), "run");
}

TEST(SwappedLettersTest, CountAgainWhereAnotherEditComesToThem) {
  EXPECT_EQ(closestOption("--dtpyo"), "");
  EXPECT_EQ(closestOption("--sjno"), "");
  EXPECT_EQ(closestOption("--htraeds"), "--threads");
}

TEST(SwappedLettersTest, LettersApartAreTwoEdits) {
  EXPECT_EQ(closestOption("--nsoj"), "");
  EXPECT_EQ(closestOption("--etypd"), "");
}

} // namespace
