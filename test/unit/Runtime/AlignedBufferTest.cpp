// Alignment, zeros, ownership and refusals of AlignedBuffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/AlignedBuffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lintel;

namespace {

constexpr size_t kMiB = size_t(1) << 20;

/// Bytes of addresses that the process has mapped.
size_t addressesInUse() {
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

bool isAligned(const AlignedBuffer &buffer, size_t alignment) {
  return reinterpret_cast<uintptr_t>(buffer.data()) % alignment == 0;
}

TEST(AlignedBufferTest, IsAlignedZeroedAndWritable) {
  for (size_t bytes : {size_t(1), size_t(63), size_t(64), size_t(100000),
                       kMiB * 3 / 2 - 1, kMiB * 3 / 2, 5 * kMiB + 3}) {
    Expected<AlignedBuffer> buffer = AlignedBuffer::allocate(bytes);
    ASSERT_TRUE(buffer);
    EXPECT_EQ(buffer->size(), bytes);
    EXPECT_TRUE(isAligned(*buffer, 64));
    const char *begin = static_cast<char *>(buffer->data());
    EXPECT_TRUE(std::all_of(begin, begin + bytes, [](char c) {
      return c == 0;
    })) << bytes;
    std::memset(buffer->data(), 1, bytes);
  }
}

TEST(AlignedBufferTest, LargeBuffersAreAlignedToHugePages) {
  for (size_t bytes : {kMiB * 3 / 2, 4 * kMiB + 1, 9 * kMiB}) {
    Expected<AlignedBuffer> buffer = AlignedBuffer::allocate(bytes);
    ASSERT_TRUE(buffer);
    EXPECT_TRUE(isAligned(*buffer, 2 * kMiB)) << bytes;
  }
}

TEST(AlignedBufferTest, HugePagesOfItsOwnFrom128KiB) {
  for (size_t bytes : {kMiB / 8, kMiB / 2 + 1, 3 * kMiB}) {
    Expected<AlignedBuffer> buffer = AlignedBuffer::allocateOnHugePages(bytes);
    ASSERT_TRUE(buffer);
    EXPECT_EQ(buffer->size(), bytes);
    EXPECT_TRUE(isAligned(*buffer, 2 * kMiB)) << bytes;
    const char *begin = static_cast<char *>(buffer->data());
    EXPECT_TRUE(
        std::all_of(begin, begin + bytes, [](char c) { return c == 0; }));
    std::memset(buffer->data(), 1, bytes);
  }
  Expected<AlignedBuffer> small = AlignedBuffer::allocateOnHugePages(100);
  ASSERT_TRUE(small);
  EXPECT_TRUE(isAligned(*small, 64));
}

TEST(AlignedBufferTest, SmallOnesForStreamingShareHugePages) {
  constexpr uintptr_t kPage = 2 * kMiB;
  std::vector<AlignedBuffer> buffers;
  std::set<uintptr_t> pages;
  for (size_t bytes : {size_t(16) << 10, size_t(100'001), size_t(1) << 17,
                       size_t(50'000), size_t(3) << 18}) {
    Expected<AlignedBuffer> buffer = AlignedBuffer::allocateForStreaming(bytes);
    ASSERT_TRUE(buffer);
    EXPECT_EQ(buffer->size(), bytes);
    EXPECT_TRUE(isAligned(*buffer, 64));
    const char *begin = static_cast<char *>(buffer->data());
    EXPECT_TRUE(
        std::all_of(begin, begin + bytes, [](char c) { return c == 0; }));
    std::memset(buffer->data(), 1, bytes);
    pages.insert(reinterpret_cast<uintptr_t>(begin) / kPage);
    pages.insert((reinterpret_cast<uintptr_t>(begin) + bytes - 1) / kPage);
    buffers.push_back(std::move(*buffer));
  }
  EXPECT_LT(pages.size(), buffers.size());
  // None was given out twice.
  for (const AlignedBuffer &buffer : buffers) {
    const char *begin = static_cast<char *>(buffer.data());
    EXPECT_TRUE(std::all_of(begin, begin + buffer.size(),
                            [](char c) { return c == 1; }));
    std::memset(buffer.data(), 2, buffer.size());
  }
}

TEST(AlignedBufferTest, WhatComesBackIsZeroForTheNext) {
  for (int round = 0; round < 3; ++round) {
    AlignedBuffer buffer =
        std::move(*AlignedBuffer::allocateForStreaming(200'000));
    const char *begin = static_cast<char *>(buffer.data());
    EXPECT_TRUE(
        std::all_of(begin, begin + 200'000, [](char c) { return c == 0; }));
    std::memset(buffer.data(), 1, 200'000);
  }
}

TEST(AlignedBufferTest, ThreadsTakeAndReturnAtOnce) {
  std::vector<std::thread> threads;
  for (char id = 1; id <= 4; ++id)
    threads.emplace_back([id] {
      for (int i = 0; i < 100; ++i) {
        const size_t bytes = 20'000 + size_t(1'000) * size_t(i);
        AlignedBuffer buffer =
            std::move(*AlignedBuffer::allocateForStreaming(bytes));
        std::memset(buffer.data(), id, bytes);
        const char *begin = static_cast<char *>(buffer.data());
        EXPECT_TRUE(std::all_of(begin, begin + bytes,
                                [id](char c) { return c == id; }));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(AlignedBufferTest, AnEmptyBufferHasAnAddress) {
  Expected<AlignedBuffer> buffer = AlignedBuffer::allocate(0);
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->size(), 0u);
  EXPECT_NE(buffer->data(), nullptr);
  EXPECT_EQ(AlignedBuffer().data(), nullptr);
}

TEST(AlignedBufferTest, MovesHandOverTheMemory) {
  for (size_t bytes : {size_t(100), 4 * kMiB}) {
    AlignedBuffer first = std::move(*AlignedBuffer::allocate(bytes));
    void *memory = first.data();
    AlignedBuffer second(std::move(first));
    EXPECT_EQ(second.data(), memory);
    EXPECT_EQ(first.data(), nullptr); // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(first.size(), 0u);
    AlignedBuffer third = std::move(*AlignedBuffer::allocate(8));
    third = std::move(second);
    EXPECT_EQ(third.data(), memory);
    EXPECT_EQ(third.size(), bytes);
    AlignedBuffer &same = third;
    third = std::move(same);
    EXPECT_EQ(third.data(), memory);
  }
}

TEST(AlignedBufferTest, OutOfMemoryIsAnError) {
  for (size_t bytes : {size_t(1) << 60, size_t(PTRDIFF_MAX), SIZE_MAX}) {
    Expected<AlignedBuffer> buffer = AlignedBuffer::allocate(bytes);
    ASSERT_FALSE(buffer);
    EXPECT_EQ(buffer.error().code(), ErrorCode::io);
    EXPECT_NE(buffer.error().message().find(std::to_string(bytes)),
              std::string::npos);
  }
}

/// Those that share huge pages come by 64 MiB of addresses.
TEST(AlignedBufferTest, WhereFewAddressesAreLeftForStreamingItIsOfItsOwn) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const size_t limit = addressesInUse() + 40 * kMiB;
    const rlimit both = {limit, limit};
    if (::setrlimit(RLIMIT_AS, &both) != 0)
      ::_exit(1);
    // What is mapped already may hold the first ones.
    std::vector<AlignedBuffer> buffers;
    Expected<AlignedBuffer> next =
        AlignedBuffer::allocateForStreaming(4 * kMiB);
    for (; next; next = AlignedBuffer::allocateForStreaming(4 * kMiB))
      buffers.push_back(std::move(*next));
    ::_exit(limit - addressesInUse() < 8 * kMiB ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0) << "the number of the failed check";
}

} // namespace
