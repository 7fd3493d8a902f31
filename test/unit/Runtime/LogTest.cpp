// The log: form, levels, and streams that cannot take a line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Log.h"

#include <gmock/gmock.h>

#include <csignal>
#include <fcntl.h>
#include <malloc.h>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace lintel;
using testing::ElementsAre;
using testing::Pair;

namespace {

class LogTest : public testing::Test {
protected:
  void TearDown() override {
    setLogLevel(LogLevel::warn);
    setLogReceiver({});
  }
};

/// Puts another file in the place of stderr while it lives.
class StderrReplacedBy {
public:
  explicit StderrReplacedBy(int fd) : saved(dup(STDERR_FILENO)) {
    if (fd >= 0)
      dup2(fd, STDERR_FILENO);
    else
      close(STDERR_FILENO);
  }
  ~StderrReplacedBy() {
    dup2(saved, STDERR_FILENO);
    close(saved);
  }

private:
  int saved;
};

/// What the log takes from the heap when it is used first, before any test.
class FirstUse final : public testing::Environment {
public:
  void SetUp() override {
    const size_t before = mallinfo2().uordblks;
    setLogLevel(LogLevel::warn);
    bytes = mallinfo2().uordblks - before;
  }
  static inline std::optional<size_t> bytes;
};
[[maybe_unused]] const testing::Environment *const kept =
    testing::AddGlobalTestEnvironment(new FirstUse);

// A fork would leave it half made in the child, and the child waiting.
TEST_F(LogTest, IsNotMadeByTheThreadThatUsesItFirst) {
  EXPECT_EQ(FirstUse::bytes, 0u);
}

TEST_F(LogTest, LinesSayWhoAndHowBad) {
  testing::internal::CaptureStderr();
  setLogLevel(LogLevel::trace);
  logMessage(LogLevel::trace, "one");
  logMessage(LogLevel::debug, "two");
  logMessage(LogLevel::info, "three {}", 3);
  logMessage(LogLevel::warn, "four");
  logMessage(LogLevel::error, "five");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "[lintel] [trace] one\n[lintel] [debug] two\n"
            "[lintel] [info] three 3\n[lintel] [warn] four\n"
            "[lintel] [error] five\n");
}

TEST_F(LogTest, LinesTakeThePlaceOfThatOfProgress) {
  testing::internal::CaptureStderr();
  overwriteLineWithLog(true);
  logMessage(LogLevel::warn, "short");
  overwriteLineWithLog(false);
  logMessage(LogLevel::warn, "next");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "\033[K[lintel] [warn] short\n[lintel] [warn] next\n");
}

TEST_F(LogTest, AMessageIsOneLineWhateverItQuotes) {
  testing::internal::CaptureStderr();
  logMessage(LogLevel::warn, "{} is missing",
             "/no\n[lintel] [error] forged\033[31m\x7f/\u00e4\u009b");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "[lintel] [warn] /no\\x0a[lintel] [error] forged\\x1b[31m\\x7f/"
            "\u00e4\\xc2\\x9b is missing\n");
}

TEST_F(LogTest, TheLevelHidesWhatIsBelow) {
  testing::internal::CaptureStderr();
  logMessage(LogLevel::info, "hidden");
  logMessage(LogLevel::warn, "shown");
  setLogLevel(LogLevel::off);
  logMessage(LogLevel::error, "hidden too");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "[lintel] [warn] shown\n");
}

TEST_F(LogTest, AReceiverGetsWhatStderrWould) {
  std::vector<std::pair<LogLevel, std::string>> received;
  setLogReceiver([&](LogLevel level, std::string_view message) {
    received.emplace_back(level, message);
  });
  testing::internal::CaptureStderr();
  logMessage(LogLevel::info, "hidden");
  logMessage(LogLevel::warn, "{}\n[lintel] [error] forged", "one");
  logMessage(LogLevel::error, "two");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(received, ElementsAre(Pair(LogLevel::warn,
                                         "one\\x0a[lintel] [error] forged"),
                                    Pair(LogLevel::error, "two")));
}

TEST_F(LogTest, AReceiverMayThrow) {
  setLogReceiver([](LogLevel, std::string_view) { throw 1; });
  testing::internal::CaptureStderr();
  logMessage(LogLevel::warn, "lost");
  logMessage(LogLevel::warn, "lost, too");
  setLogReceiver({});
  logMessage(LogLevel::warn, "heard");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "[lintel] [warn] heard\n");
}

TEST_F(LogTest, AReceiverDoesNotReceiveItself) {
  setLogReceiver([](LogLevel, std::string_view message) {
    logMessage(LogLevel::warn, "received {}", message);
  });
  testing::internal::CaptureStderr();
  logMessage(LogLevel::warn, "one");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "[lintel] [warn] received one\n");
}

TEST(LogLevelTest, LevelsHaveNames) {
  EXPECT_EQ(logLevelNames(), "trace, debug, info, warn, error or off");
  EXPECT_EQ(parseLogLevel("trace"), LogLevel::trace);
  EXPECT_EQ(parseLogLevel("error"), LogLevel::error);
  EXPECT_EQ(parseLogLevel("off"), LogLevel::off);
  for (const char *level : {"", "loud", "WARN", "warning", "critical"})
    EXPECT_EQ(parseLogLevel(level), std::nullopt) << level;
}

/// Nor does what could not be written come later.
void expectOnlyTheNextLineIsHeard() {
  testing::internal::CaptureStderr();
  logMessage(LogLevel::warn, "next");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "[lintel] [warn] next\n");
}

TEST_F(LogTest, SurvivesAClosedStderr) {
  {
    StderrReplacedBy closed(-1);
    logMessage(LogLevel::error, "nobody hears this");
  }
  expectOnlyTheNextLineIsHeard();
}

TEST_F(LogTest, SurvivesAFullDisk) {
  int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  {
    StderrReplacedBy replaced(full);
    logMessage(LogLevel::error, "there is no room for this");
  }
  close(full);
  expectOnlyTheNextLineIsHeard();
}

TEST_F(LogTest, SurvivesAReaderThatWentAway) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  {
    StderrReplacedBy broken(ends[1]);
    logMessage(LogLevel::error, "SIGPIPE would end the process here");
  }
  close(ends[1]);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_FALSE(sigismember(&pending, SIGPIPE));
}

TEST_F(LogTest, ManyPlaceholdersAndLongLinesArriveWhole) {
  std::string longText(100000, 'y');
  testing::internal::CaptureStderr();
  logMessage(LogLevel::warn, "{}", longText);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "[lintel] [warn] " + longText + "\n");
}

} // namespace
