// The signals that end work early, and those that end the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interrupt.h"

#include "Console.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace lintel::tool;
using testing::ExitedWithCode;
using testing::KilledBySignal;
using testing::TestWithParam;
using testing::Values;

namespace {

/// Neither signal is ignored at first, though the tests may run in a job that
/// ignores them.
class InterruptTest : public TestWithParam<int> {
protected:
  void SetUp() override {
    onInterrupt = std::signal(SIGINT, SIG_DFL);
    onTermination = std::signal(SIGTERM, SIG_DFL);
  }
  void TearDown() override {
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onTermination);
  }

private:
  void (*onInterrupt)(int) = SIG_DFL;
  void (*onTermination)(int) = SIG_DFL;
};

TEST_P(InterruptTest, TheFirstIsKeptInMind) {
  InterruptGuard guard;
  EXPECT_FALSE(InterruptGuard::requested());
  testing::internal::CaptureStderr();
  errno = ENOENT;
  std::raise(GetParam());
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "lintel: interrupted, ending soon; a second time ends at once\n");
  EXPECT_TRUE(InterruptGuard::requested());
}

/// With `| tee log`, Ctrl-C may end the reader first.
TEST_P(InterruptTest, APipeThatNobodyReadsEndsAndHoldsNothing) {
  for (bool isFull : {false, true}) {
    const auto interruptBesidePipe = [&] {
      std::signal(SIGPIPE, SIG_DFL);
      int ends[2];
      if (::pipe2(ends, O_NONBLOCK) != 0)
        ::_exit(kFailed);
      while (isFull && ::write(ends[1], "12345678", 8) > 0)
        ;
      if (!isFull)
        ::close(ends[0]);
      else
        ::fcntl(ends[1], F_SETFL, 0); // a write would wait
      ::dup2(ends[1], STDERR_FILENO);
      InterruptGuard guard;
      std::raise(GetParam());
      ::_exit(InterruptGuard::requested() ? kSuccess : kFailed);
    };
    EXPECT_EXIT(interruptBesidePipe(), ExitedWithCode(kSuccess), "");
  }
}

/// SIGXFSZ would end the process.
TEST_P(InterruptTest, AFileThatMayNotGrowEndsNothing) {
  const auto interruptBesideFile = [] {
    std::signal(SIGXFSZ, SIG_DFL);
    std::FILE *file = std::tmpfile();
    const rlimit nothing{0, 0};
    if (!file || ::setrlimit(RLIMIT_FSIZE, &nothing) != 0)
      ::_exit(kFailed);
    ::dup2(::fileno(file), STDERR_FILENO);
    InterruptGuard guard;
    std::raise(GetParam());
    ::_exit(InterruptGuard::requested() ? kSuccess : kFailed);
  };
  EXPECT_EXIT(interruptBesideFile(), ExitedWithCode(kSuccess), "");
}

TEST_P(InterruptTest, AnotherGuardKnowsNothingOfIt) {
  {
    InterruptGuard guard;
    std::raise(GetParam());
  }
  InterruptGuard guard;
  EXPECT_FALSE(InterruptGuard::requested());
}

TEST_P(InterruptTest, TheSecondEndsTheProcessWhicheverItIs) {
  for (int second : {SIGINT, SIGTERM}) {
    const auto interruptTwice = [&] {
      InterruptGuard guard;
      std::raise(GetParam());
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      std::raise(second);
      ::_exit(kSuccess);
    };
    EXPECT_EXIT(interruptTwice(), ExitedWithCode(kInterrupted), "");
  }
}

/// As `timeout` sends them, of one kind, or two signals that were held back.
TEST_P(InterruptTest, TwoAtOnceAreOne) {
  for (int second : {SIGINT, SIGTERM}) {
    const auto interruptAtOnce = [&] {
      InterruptGuard guard;
      std::raise(GetParam());
      std::raise(second);
      ::_exit(InterruptGuard::requested() ? kSuccess : kFailed);
    };
    EXPECT_EXIT(interruptAtOnce(), ExitedWithCode(kSuccess), "");
  }
}

TEST_P(InterruptTest, OneThatWasIgnoredStaysSo) {
  std::signal(GetParam(), SIG_IGN);
  InterruptGuard guard;
  std::raise(GetParam());
  std::raise(GetParam());
  EXPECT_FALSE(InterruptGuard::requested());
}

TEST_P(InterruptTest, AfterwardsItEndsTheProcessAsAnyOther) {
  {
    InterruptGuard guard;
  }
  EXPECT_EXIT(std::raise(GetParam()), KilledBySignal(GetParam()), "");
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptTest, Values(SIGINT, SIGTERM));

} // namespace
