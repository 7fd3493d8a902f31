// Shared huge pages in a process that was forked while they were dealt out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/HugePages.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace lintel {
namespace {

constexpr size_t kPiece = size_t(64) << 10;

/// Takes and gives back a piece; whether there was one, and it can be written.
bool usePiece() {
  void *memory = takeFromSharedHugePages(kPiece);
  if (!memory)
    return false;
  *static_cast<volatile char *>(memory) = 1;
  returnToSharedHugePages(memory, kPiece);
  return true;
}

/// The status of a child that uses a piece, and waits for it 20 s at most.
int statusOfChild() {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20); // instead of waiting for ever
    _exit(usePiece() ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

// A lock that another thread held in the parent would never be released here.
TEST(HugePagesTest, AForkInTheMiddleLeavesThemUsable) {
  constexpr int kForks = 200;
  std::atomic<bool> over = false;
  std::jthread other([&] {
    while (!over)
      EXPECT_TRUE(usePiece());
  });
  int status = 0;
  for (int i = 0; i < kForks && status == 0; ++i)
    status = statusOfChild();
  over = true;
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(usePiece()); // nor does the parent wait for anything
}

} // namespace
} // namespace lintel
