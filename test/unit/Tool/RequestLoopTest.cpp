// Work on a list, and what ends it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RequestLoop.h"

#include "Console.h"

#include <csignal>
#include <cstdio>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace lintel;
using namespace lintel::tool;
using testing::ExitedWithCode;

namespace {

std::vector<LayerRequest> threeRequests() {
  return {3, LayerRequest{Problem::parse("1x2:2x3").value()}};
}

TEST(RequestLoopTest, TheLargestCodeIsThatOfTheList) {
  int begun = 0;
  const auto fail = [&](const LayerRequest &) {
    return ++begun == 2 ? int(kFailed) : int(kSuccess);
  };
  EXPECT_EQ(workOnEach(threeRequests(), fail), kFailed);
  EXPECT_EQ(begun, 3);
}

/// In a child, whose stdout nobody needs.
TEST(RequestLoopTest, ResultsThatCannotBeWrittenEndTheList) {
  const auto fillDisk = [] {
    if (!std::freopen("/dev/full", "w", stdout))
      ::_exit(kFailed);
    int begun = 0;
    const int code = workOnEach(threeRequests(), [&](const LayerRequest &) {
      // The first of them fits.
      if (++begun == 2)
        print("a result\n");
      return int(kSuccess);
    });
    ::_exit(begun == 2 && code == kBadInput ? finishOutput(code)
                                            : int(kFailed));
  };
  EXPECT_EXIT(fillDisk(), ExitedWithCode(kBadInput),
              "lintel: error: cannot write to standard output");
}

TEST(RequestLoopTest, AnInterruptEndsTheListAndSaysWhatIsLeft) {
  const auto interrupt = [] {
    ::_exit(workOnEach(threeRequests(), [](const LayerRequest &) {
      std::raise(SIGTERM);
      return int(kSuccess);
    }));
  };
  EXPECT_EXIT(interrupt(), ExitedWithCode(kInterrupted),
              "2 problems not begun");
}

} // namespace
