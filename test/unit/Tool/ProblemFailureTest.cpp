// Why the work on a problem failed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProblemFailure.h"

#include "Console.h"

#include <gmock/gmock.h>
#include <llvm/Support/JSON.h>

using namespace lintel;
using namespace lintel::tool;
using testing::HasSubstr;
using testing::internal::CaptureStderr;
using testing::internal::CaptureStdout;
using testing::internal::GetCapturedStderr;
using testing::internal::GetCapturedStdout;

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

/// Whoever reads the lines finds one for each problem.
TEST(ProblemFailureTest, JsonHasALineInTheResultsPlace) {
  const LayerRequest request{problem, {}, {.layers = {"a.weight"}}};
  const Error error(ErrorCode::io, "too little memory");
  CaptureStdout();
  CaptureStderr();
  KernelOptions options;
  options.json = true;
  EXPECT_EQ(reportFailure(request, error, options), kFailed);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("error: linear(?x8, 8x4)"));
  const std::string line = GetCapturedStdout();
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(llvm::cantFail(llvm::json::parse(line)),
            llvm::json::Value(llvm::json::Object{
                {"problem", "?x8:8x4 relu"},
                {"dtype", "f32"},
                {"error", "linear(?x8, 8x4) f32 relu: too little memory"},
                {"layers", llvm::json::Array{"a.weight"}}}));
  CaptureStdout();
  CaptureStderr();
  EXPECT_EQ(reportFailure(request, error, {}), kFailed);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("error: linear(?x8, 8x4)"));
  EXPECT_EQ(GetCapturedStdout(), "");
}

/// A region has no name by which two modules could be told apart.
TEST(ProblemFailureTest, AModuleIsNamed) {
  const LayerRequest request{problem, {}, {.module = "a.mlir"}};
  CaptureStdout();
  CaptureStderr();
  KernelOptions options;
  options.json = true;
  reportFailure(request, Error(ErrorCode::io, "no"), options);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("error: a.mlir: linear(?x8, "));
  EXPECT_THAT(GetCapturedStdout(), HasSubstr("\"module\":\"a.mlir\"}"));
  EXPECT_EQ(failureOf(request, Error(ErrorCode::io, "no")).message(),
            "a.mlir: linear(?x8, 8x4) f32 relu: no");
}

} // namespace
