// Why the work on a problem failed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProblemFailure.h"

#include "Console.h"

#include <gtest/gtest.h>

using namespace lintel;
using namespace lintel::tool;

namespace {

const Problem problem = *Problem::parse("?x8:8x4 relu");

TEST(ProblemFailureTest, NamesTheProblemOnce) {
  const std::string title = "linear(?x8, 8x4) f32 relu: ";
  for (const auto &[said, shown] :
       {std::pair("no kernel", "no kernel"),
        std::pair("?x8:8x4 relu: no kernel", "no kernel"),
        std::pair("1x8:8x4 relu: no kernel", "1x8:8x4 relu: no kernel")})
    EXPECT_EQ(failureOf(problem, Error(ErrorCode::compile, said)).message(),
              title + shown);
}

TEST(ProblemFailureTest, NamesAProblemWithARegionOnce) {
  const Problem problem = *Problem::create(
      4, 16, 8, DataTypes(), Epilogue::fromRegion("{ ^bb0: }", {}, 1));
  const Error error =
      failureOf(problem, Error(ErrorCode::compile, "4x8:8x16 region: none"));
  EXPECT_EQ(error.message(), "linear(4x8, 8x16) f32 region: none");
}

TEST(ProblemFailureTest, TooLittleMemoryIsNoBadInput) {
  const auto exitCode = [](ErrorCode code) {
    return exitCodeOf(failureOf(problem, Error(code, "no")));
  };
  EXPECT_EQ(exitCode(ErrorCode::io), kFailed);
  EXPECT_EQ(exitCode(ErrorCode::wrongResult), kFailed);
  EXPECT_EQ(exitCode(ErrorCode::invalidArgument), kBadInput);
  EXPECT_EQ(exitCode(ErrorCode::cancelled), kInterrupted);
}

} // namespace
