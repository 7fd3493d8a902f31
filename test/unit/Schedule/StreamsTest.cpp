// How K is cut into streams, which a k loop reads in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Streams.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace lintel;

namespace {

/// A row of x and 48 columns of w, of f32.
int64_t depthInF32(int64_t depth, int64_t streams) {
  return streamDepth(depth, streams, 1, {{4, 64}, {192, 192}});
}

TEST(Streams, AreEqualPartsOfWholeSteps) {
  EXPECT_EQ(depthInF32(101, 2), 50);
  EXPECT_EQ(streamDepth(101, 2, 4, {{1, 64}}), 48);
  EXPECT_EQ(streamDepth(7, 8, 1, {{4, 64}}), 0);
  EXPECT_EQ(streamDepth(0, 8, 2, {{2, 64}}), 0);
}

TEST(Streams, DoNotMeetInTheSetsOfL1) {
  for (int64_t depth : {1024, 4096, 7168, 8192, 14336, 65536})
    for (int64_t streams : {2, 3, 8, 16}) {
      const int64_t part = depthInF32(depth, streams);
      for (const StreamRead &read : {StreamRead{4, 64}, StreamRead{192, 192}})
        for (int64_t apart = 1; apart < streams; ++apart) {
          const int64_t place = apart * part * read.bytesPerK % 4096;
          EXPECT_GE(std::min(place, 4096 - place), read.bytes)
              << depth << " in " << streams;
        }
      EXPECT_GE(part, depth / streams * 7 / 8);
    }
}

TEST(Streams, AreAsDeepAsTheyCanBeWhereSomeMustMeet) {
  // 16 of 512 bytes each do not fit the 4096 that differ.
  EXPECT_EQ(streamDepth(4096, 16, 1, {{512, 512}}), 256);
}

TEST(Streams, OfAnyDepthAreFoundAtOnce) {
  // Places in a way are counted, not bytes, and no more are looked at than a
  // way has.
  EXPECT_EQ(streamDepth(int64_t(1) << 60, 16, 1, {{512, 512}}), int64_t(1)
                                                                    << 56);
  const int64_t deep = depthInF32(int64_t(1) << 60, 16);
  EXPECT_LT(deep, int64_t(1) << 56);
  EXPECT_GT(deep, (int64_t(1) << 56) - 4096);
}

} // namespace
