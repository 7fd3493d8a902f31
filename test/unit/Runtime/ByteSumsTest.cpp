// Sums of bytes against plain loops, between guard pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/ByteSums.h"

#include "support/GuardedBuffer.h"

#include <gtest/gtest.h>

#include <vector>

using namespace lintel;

namespace {

/// Unlike bytes, both ends of the range among them.
unsigned byteAt(int64_t index) {
  return index % 5 == 0 ? 0x80u : unsigned(index * 37 + 200) & 0xff;
}

int64_t valueOf(DType dtype, unsigned byte) {
  return dtype == DType::s8 ? int64_t(int8_t(byte)) : int64_t(byte);
}

TEST(ByteSumsTest, EveryDepthAroundAVector) {
  constexpr int64_t kRows = 3;
  for (DType dtype : {DType::s8, DType::u8})
    for (GuardedBuffer::Fit fit :
         {GuardedBuffer::Fit::begin, GuardedBuffer::Fit::end})
      for (int64_t depth : {0, 1, 15, 16, 17, 31, 32, 33, 100})
        for (int64_t gap : {0, 3}) {
          const int64_t stride = depth + gap;
          const size_t count = size_t((kRows - 1) * stride + depth);
          GuardedBuffer data(count, fit, 1);
          auto *bytes = static_cast<uint8_t *>(data.memory());
          for (size_t i = 0; i < count; ++i)
            bytes[i] = uint8_t(byteAt(int64_t(i)));
          std::vector<int32_t> sums(kRows + 1, -1);
          sumRows(dtype, bytes, stride, kRows, depth, sums.data());
          for (int64_t row = 0; row < kRows; ++row) {
            int64_t expected = 0;
            for (int64_t k = 0; k < depth; ++k)
              expected += valueOf(dtype, bytes[row * stride + k]);
            EXPECT_EQ(sums[size_t(row)], expected)
                << toString(dtype) << " depth " << depth;
          }
          EXPECT_EQ(sums[kRows], -1);
        }
}

TEST(ByteSumsTest, TheLargestSums) {
  const std::vector<uint8_t> bytes(131071, 0x80);
  int32_t sum = 0;
  sumRows(DType::s8, bytes.data(), 131071, 1, 131071, &sum);
  EXPECT_EQ(sum, -128 * 131071);
  sumRows(DType::u8, bytes.data(), 131071, 1, 131071, &sum);
  EXPECT_EQ(sum, 128 * 131071);
}

} // namespace
