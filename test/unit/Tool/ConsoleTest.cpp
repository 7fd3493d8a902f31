// Errors on a terminal, and their exit codes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Console.h"

#include <csignal>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace lintel;
using namespace lintel::tool;

namespace {

/// SIGPIPE would take the exit code along.
TEST(ConsoleTest, ErrorsThatNobodyReadsKeepTheirExitCode) {
  const auto complainToNobody = [] {
    std::signal(SIGPIPE, SIG_DFL);
    int ends[2];
    if (::pipe(ends) != 0)
      ::_exit(kFailed);
    ::close(ends[0]);
    ::dup2(ends[1], STDERR_FILENO);
    ::_exit(printError(Error(ErrorCode::parse, "no problem")));
  };
  EXPECT_EXIT(complainToNobody(), testing::ExitedWithCode(kBadInput), "");
}

TEST(ConsoleTest, ErrorsEndInTheRightExitCode) {
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::parse, "")), kBadInput);
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::unsupported, "")), kBadInput);
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::wrongResult, "")), kFailed);
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::internal, "")), kFailed);
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::cancelled, "")), kInterrupted);
}

} // namespace
