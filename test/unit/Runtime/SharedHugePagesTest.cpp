// Pieces of huge pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/SharedHugePages.h"

#include "Runtime/HugePages.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <sys/mman.h>
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
TEST(SharedHugePagesTest, AForkInTheMiddleLeavesThemUsable) {
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

/// A piece that goes back.
class Piece {
public:
  explicit Piece(size_t bytes)
      : memory(static_cast<std::byte *>(takeFromSharedHugePages(bytes))),
        bytes(bytes) {
    if (memory)
      std::memset(memory, 1, bytes);
  }
  Piece(Piece &&other) noexcept
      : memory(std::exchange(other.memory, nullptr)), bytes(other.bytes) {}
  ~Piece() {
    if (memory)
      returnToSharedHugePages(memory, bytes);
  }
  std::byte *begin() const { return memory; }
  uintptr_t firstPage() const {
    return reinterpret_cast<uintptr_t>(memory) / kHugePage;
  }
  uintptr_t lastPage() const {
    return (reinterpret_cast<uintptr_t>(memory) + bytes - 1) / kHugePage;
  }

private:
  std::byte *memory;
  size_t bytes;
};

TEST(SharedHugePagesTest, PiecesLieSideBySide) {
  constexpr size_t kCount = 64, kBytes = size_t(288) << 10;
  std::vector<Piece> pieces;
  std::set<uintptr_t> pages;
  for (size_t i = 0; i < kCount; ++i) {
    const Piece &piece = pieces.emplace_back(kBytes);
    ASSERT_NE(piece.begin(), nullptr);
    pages.insert(piece.firstPage());
    pages.insert(piece.lastPage());
  }
  // 9 pages are full; the first may have held something, the last may hold
  // more.
  EXPECT_LE(pages.size(), kCount * kBytes / kHugePage + 2);
}

TEST(SharedHugePagesTest, WhatComesBackIsJoined) {
  constexpr size_t kKiB = 1024;
  const std::byte *whole = Piece(300 * kKiB).begin();
  for (const std::vector<size_t> &order :
       {std::vector<size_t>{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {0, 2, 1}}) {
    std::vector<std::optional<Piece>> thirds(3);
    for (std::optional<Piece> &third : thirds)
      third.emplace(100 * kKiB);
    EXPECT_EQ(thirds[0]->begin(), whole);
    EXPECT_EQ(thirds[2]->begin(), whole + 200 * kKiB);
    for (size_t i : order)
      thirds[i].reset();
    EXPECT_EQ(Piece(300 * kKiB).begin(), whole);
  }
}

TEST(SharedHugePagesTest, AHoleServesWhatFitsItBest) {
  constexpr size_t kKiB = 1024;
  std::optional<Piece> large(std::in_place, 90 * kKiB), small;
  const Piece between(10 * kKiB);
  small.emplace(40 * kKiB);
  const Piece behind(10 * kKiB);
  const std::byte *hole = small->begin();
  large.reset();
  small.reset();
  EXPECT_EQ(Piece(40 * kKiB).begin(), hole);
  EXPECT_EQ(Piece(39 * kKiB).begin(), hole);
  EXPECT_NE(Piece(41 * kKiB).begin(), hole);
}

TEST(SharedHugePagesTest, PagesWithoutPiecesAreTheSystemsAgain) {
  constexpr size_t kBytes = 3 * kHugePage;
  const auto resident = [](std::byte *page) {
    unsigned char state = 0;
    EXPECT_EQ(mincore(page, 1, &state), 0);
    return (state & 1) != 0;
  };
  std::byte *page = nullptr;
  {
    const Piece piece(kBytes);
    page = reinterpret_cast<std::byte *>((piece.firstPage() + 1) * kHugePage);
    EXPECT_TRUE(resident(page));
  }
  EXPECT_FALSE(resident(page));
  const Piece staying(kHugePage / 4);
  {
    const Piece leaving(kHugePage / 4);
  }
  EXPECT_EQ(*staying.begin(), std::byte(1)); // its page was not taken away
}

} // namespace
} // namespace lintel
