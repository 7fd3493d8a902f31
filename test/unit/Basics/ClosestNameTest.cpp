// Which name was meant by one that is unknown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Basics/ClosestName.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

constexpr std::string_view kOptions[] = {"--dtype", "--json", "--threads",
                                         "--budget", "--no-cache"};

std::string_view closestOption(std::string_view name) {
  return closestName(name, kOptions, /*prefix=*/2);
}

TEST(ClosestNameTest, MisspellingsAreSeenAndOtherNamesAreNot) {
  constexpr std::string_view known[] = {"LINTEL_CACHE_DIR", "LINTEL_LOG",
                                        "LINTEL_ISA", "LINTEL_THREADS"};
  const auto closest = [&](std::string_view name) {
    return closestName(name, known, 7);
  };
  EXPECT_EQ(closest("LINTEL_THREAD"), "LINTEL_THREADS");
  EXPECT_EQ(closest("LINTEL_TRHEADS"), "LINTEL_THREADS");
  EXPECT_EQ(closest("LINTEL_CACHEDIR"), "LINTEL_CACHE_DIR");
  EXPECT_EQ(closest("LINTEL_CACHE_DIRS"), "LINTEL_CACHE_DIR");
  EXPECT_EQ(closest("LINTEL_LOGG"), "LINTEL_LOG");
  EXPECT_EQ(closest("LINTEL_ISO"), "LINTEL_ISA");
  for (std::string_view other :
       {"LINTEL_FOO", "LINTEL_", "LINTEL_CACHE", "LINTEL_THREADS_PER_CORE"})
    EXPECT_EQ(closest(other), "") << other;
  EXPECT_EQ(closest("LINTEL_" + std::string(100000, 'T')), "");
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
