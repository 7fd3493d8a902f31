// The test helper itself: guards fault, canaries notice, poison is recognised.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/GuardedBuffer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace lintel;
using Fit = GuardedBuffer::Fit;

namespace {

void writeAt(GuardedBuffer &buffer, ptrdiff_t index) {
  *(volatile float *)(buffer.data() + index) = 1;
}

TEST(GuardedBufferTest, EveryElementIsUsable) {
  for (Fit fit : {Fit::begin, Fit::end})
    for (size_t count : {0, 1, 7, 1023, 1024, 1025, 5000}) {
      GuardedBuffer buffer(count, fit);
      EXPECT_EQ(buffer.size(), count);
      for (size_t i = 0; i < count; ++i) {
        EXPECT_TRUE(GuardedBuffer::isPoison(buffer[i]));
        EXPECT_TRUE(std::isnan(buffer[i]));
        buffer[i] = float(i);
      }
      EXPECT_TRUE(buffer.canariesIntact());
    }
}

TEST(GuardedBufferTest, NarrowElementsArePoisonUntilWritten) {
  for (Fit fit : {Fit::begin, Fit::end})
    for (size_t count : {0, 1, 7, 2047, 2049}) {
      GuardedBuffer buffer(count, fit, sizeof(uint16_t));
      auto *elements = static_cast<uint16_t *>(buffer.memory());
      for (size_t i = 0; i < count; ++i) {
        EXPECT_TRUE(buffer.isPoisonAt(i));
        elements[i] = uint16_t(i);
        EXPECT_FALSE(buffer.isPoisonAt(i));
      }
      EXPECT_TRUE(buffer.canariesIntact());
      // Where the elements end, the guard or a canary begins.
      if (fit == Fit::begin) {
        elements[count] = 0;
        EXPECT_FALSE(buffer.canariesIntact());
      }
    }
}

TEST(GuardedBufferTest, GuardsFault) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // other tests left threads
  for (size_t count : {1, 1000, 1024}) {
    GuardedBuffer atEnd(count, Fit::end), atBegin(count, Fit::begin);
    EXPECT_DEATH(writeAt(atEnd, ptrdiff_t(count)), "");
    EXPECT_DEATH(writeAt(atBegin, -1), "");
  }
}

TEST(GuardedBufferTest, CanariesNoticeTheOtherSide) {
  GuardedBuffer atEnd(5, Fit::end), atBegin(5, Fit::begin);
  writeAt(atEnd, -1);
  EXPECT_FALSE(atEnd.canariesIntact());
  writeAt(atBegin, 5);
  EXPECT_FALSE(atBegin.canariesIntact());
}

TEST(GuardedBufferTest, PoisonIsNoOtherNaN) {
  EXPECT_FALSE(
      GuardedBuffer::isPoison(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_FALSE(GuardedBuffer::isPoison(0));
  GuardedBuffer buffer(3, Fit::end);
  buffer[1] = 2;
  EXPECT_FALSE(GuardedBuffer::isPoison(buffer[1]));
  buffer.poison();
  EXPECT_TRUE(GuardedBuffer::isPoison(buffer[1]));
}

TEST(GuardedBufferTest, Moves) {
  GuardedBuffer first(4, Fit::end);
  first[3] = 9;
  GuardedBuffer second(std::move(first));
  EXPECT_EQ(second[3], 9);
  EXPECT_TRUE(second.canariesIntact());
}

} // namespace
