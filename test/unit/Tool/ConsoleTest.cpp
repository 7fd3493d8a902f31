// Text from files on a terminal, and exit codes of errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Console.h"

#include <csignal>
#include <gmock/gmock.h>
#include <unistd.h>

using namespace lintel;
using namespace lintel::tool;

namespace {

TEST(ConsoleTest, ControlsAreSpelledOut) {
  using namespace std::string_view_literals;
  EXPECT_EQ(withoutControls(""), "");
  EXPECT_EQ(withoutControls("two\nlines\tand \xc2\xb5s"),
            "two\nlines\tand \xc2\xb5s");
  EXPECT_EQ(withoutControls("a\0b\x1b[31m\r\x7f"sv),
            "a\\x00b\\x1b[31m\\x0d\\x7f");
  // U+009B, which begins a command as ESC [ does, and bytes that are no UTF-8.
  EXPECT_EQ(withoutControls("\xc2\x9b"
                            "31m"),
            "\\xc2\\x9b31m");
  EXPECT_EQ(withoutControls("\x9b\xe2\x82"), "\\x9b\\xe2\\x82");
}

TEST(ConsoleTest, NamesStayOnTheirLine) {
  EXPECT_EQ(onOneLine("a\nlintel: ok\t\x7f"), "a\\x0alintel: ok\\x09\\x7f");
  EXPECT_EQ(onOneLine("\xc2\xb5"), "\xc2\xb5");
}

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
