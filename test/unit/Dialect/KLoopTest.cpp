// What a turn of the k loop on vectors takes and reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/Schedule.h"

#include <gtest/gtest.h>

namespace lintel {

TEST(KLoop, TurnsOfFewProductsTakeTwoSteps) {
  const Target avx2 = *Target::parse("isa=avx2");
  const auto steps = [&](const char *text, DType panels, const Target &target) {
    return stepsOfTurn(*Schedule::parse(text), panels, target);
  };
  // Of eight products and more, of two vectors and more.
  for (const char *text : {"tile=4x16", "tile=3x24", "tile=4x24", "tile=2x32",
                           "tile=2x40", "tile=6x16,share=1,pack=block",
                           "tile=6x16,group=2,pack=block,widen=panel"})
    EXPECT_EQ(steps(text, DType::f32, avx2), 2) << text;
  for (const char *text : {"tile=3x16", "tile=2x24", "tile=12x8",
                           "tile=4x4,group=8", "tile=4x16,streams=8"})
    EXPECT_EQ(steps(text, DType::f32, avx2), 1) << text;
  EXPECT_EQ(steps("tile=6x16", DType::f16, avx2), 1);
  EXPECT_EQ(steps("tile=6x16,group=2", DType::bf16, avx2), 1);
  for (const char *isa : {"isa=x86_64", "isa=avx512"})
    EXPECT_EQ(steps("tile=4x32", DType::f32, *Target::parse(isa)), 1) << isa;
}

TEST(KLoop, TurnsReadWholeLines) {
  const auto lines = [](const char *text, DType weight, const char *target) {
    return linesOfTurn(*Schedule::parse(text), weight, *Target::parse(target));
  };
  EXPECT_EQ(lines("tile=8x48", DType::f32, "isa=avx512"), 3);
  EXPECT_EQ(lines("tile=8x16,group=2", DType::bf16, "isa=avx512"), 1);
  EXPECT_EQ(lines("tile=2x8", DType::f32, "isa=avx2"), 1);
  // Of two steps: 192 bytes, and half as many of what is widened.
  EXPECT_EQ(lines("tile=4x24", DType::f32, "isa=avx2"), 3);
  EXPECT_EQ(lines("tile=4x24,group=2,pack=block,widen=panel,tiles=nm",
                  DType::bf16, "isa=avx2"),
            2);
}

} // namespace lintel
