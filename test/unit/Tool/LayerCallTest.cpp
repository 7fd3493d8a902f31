// What a call with made-up inputs takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerCall.h"

#include <gtest/gtest.h>

using namespace lintel;
using namespace lintel::tool;

namespace {

TEST(LayerCall, TakesTheWeightTwice) {
  const Schedule schedule = *Schedule::parse("tile=4x16");
  const auto bytes = [&](const char *problem, int64_t rows) {
    return bytesOfCall(*Problem::parse(problem), schedule, rows);
  };
  const int64_t row = 1000 * sizeof(float);
  // As it is and packed.
  EXPECT_GE(bytes("?x1000:1000x32768", 1) - bytes("?x1000:1000x16384", 1),
            2 * 16384 * row);
  // And x for each row.
  EXPECT_GE(bytes("?x1000:1000x16", 1001) - bytes("?x1000:1000x16", 1),
            1000 * row);
}

} // namespace
