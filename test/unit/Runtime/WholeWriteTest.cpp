// Writes that the system cuts short, interrupts or refuses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/WholeWrite.h"

#include <gtest/gtest.h>

#include <string>

namespace lintel {
namespace {

std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST(WholeWrite, GoesOnWhereItWasCutShort) {
  std::string written;
  const auto write = [&](const void *data, size_t size) {
    written.append(static_cast<const char *>(data), std::min<size_t>(size, 2));
    return ssize_t(std::min<size_t>(size, 2));
  };
  EXPECT_EQ(writeWhole(bytesOf("abcde"), write), 0);
  EXPECT_EQ(written, "abcde");
}

TEST(WholeWrite, IsRepeatedAfterASignalButNotForEver) {
  int calls = 0;
  const auto writeAfter = [&](int interruptions) {
    calls = 0;
    return writeWhole(bytesOf("ab"), [&, interruptions](const void *, size_t) {
      return ssize_t(++calls > interruptions ? 2 : -EINTR);
    });
  };
  EXPECT_EQ(writeAfter(3), 0);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(writeAfter(1'000'000), -EINTR);
}

TEST(WholeWrite, WithoutProgressIsAnError) {
  EXPECT_EQ(writeWhole(bytesOf("ab"), [](auto...) { return ssize_t(0); }),
            -EIO);
  EXPECT_EQ(writeWhole(bytesOf(""), [](auto...) { return ssize_t(0); }), 0);
}

TEST(WholeWrite, ARefusalIsItsReason) {
  EXPECT_EQ(writeWhole(-1, bytesOf("ab")), -EBADF);
}

} // namespace
} // namespace lintel
