// Errors on a terminal, and their exit codes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Console.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
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

/// A file opened as descriptor 2 would get the messages.
TEST(ConsoleTest, ClosedStreamsAreNoFilesAndStillFail) {
  const auto openBeside = [] {
    for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::close(stream);
    occupyStandardStreams();
    const int file = ::open("/dev/zero", O_RDWR);
    const bool fails = ::write(STDERR_FILENO, "x", 1) == -1 && errno == EBADF;
    ::_exit(file > STDERR_FILENO && fails ? kSuccess : kFailed);
  };
  EXPECT_EXIT(openBeside(), testing::ExitedWithCode(kSuccess), "");
}

TEST(ConsoleTest, OpenStreamsStayWhatTheyAre) {
  const auto complain = [] {
    occupyStandardStreams();
    ::_exit(printError(Error(ErrorCode::parse, "no problem")));
  };
  EXPECT_EXIT(complain(), testing::ExitedWithCode(kBadInput), "no problem");
}

TEST(ConsoleTest, ErrorsEndInTheRightExitCode) {
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::parse, "")), kBadInput);
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::unsupported, "")), kBadInput);
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::wrongResult, "")), kFailed);
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::internal, "")), kFailed);
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::cancelled, "")), kInterrupted);
}

} // namespace
