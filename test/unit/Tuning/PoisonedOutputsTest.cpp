// Poison and guards of output tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/PoisonedOutputs.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

float *elements(const KernelTensor &tensor) {
  return static_cast<float *>(tensor.data);
}

TEST(PoisonedOutputs, AreNotANumberAtFirst) {
  PoisonedOutputs outputs = PoisonedOutputs::allocate({2, 3, 5}, 5).value();
  for (int result : {0, 1})
    for (int64_t row = 0; row < 3; ++row)
      for (int64_t column = 0; column < 5; ++column) {
        EXPECT_TRUE(std::isnan(outputs.at(result, row, column)));
        EXPECT_FALSE(outputs.written(result, row, column));
      }
  EXPECT_THAT(outputs.damage(3), IsEmpty());
}

TEST(PoisonedOutputs, ShowWhatIsWritten) {
  PoisonedOutputs outputs = PoisonedOutputs::allocate({2, 3, 5}, 5).value();
  const KernelTensor second = outputs.tensors()[1];
  elements(second)[2 * second.stride + 4] = 7;
  EXPECT_EQ(outputs.at(1, 2, 4), 7);
  EXPECT_TRUE(outputs.written(1, 2, 4));
  EXPECT_FALSE(outputs.written(0, 2, 4));
  EXPECT_THAT(outputs.damage(3), IsEmpty());
  // A NaN of the kernel's own is not poison.
  elements(second)[0] = std::nanf("");
  EXPECT_TRUE(outputs.written(1, 0, 0));
  outputs.poison();
  EXPECT_FALSE(outputs.written(1, 2, 4));
}

TEST(PoisonedOutputs, ShowGaps) {
  PoisonedOutputs outputs = PoisonedOutputs::allocate({2, 3, 5}, 5).value();
  EXPECT_EQ(outputs.gap(3), "output 0, row 0, column 0 was not written");
  for (const KernelTensor &tensor :
       {outputs.tensors()[0], outputs.tensors()[1]})
    for (int64_t row = 0; row < 2; ++row)
      for (int64_t column = 1; column < 5; ++column)
        elements(tensor)[row * tensor.stride + column] = 7;
  EXPECT_EQ(outputs.gap(2, 1), "");
  EXPECT_EQ(outputs.gap(2), "output 0, row 0, column 0 was not written");
  EXPECT_EQ(outputs.gap(3, 1), "output 0, row 2, column 1 was not written");
}

TEST(PoisonedOutputs, ShowDamagedGuards) {
  PoisonedOutputs outputs = PoisonedOutputs::allocate({2, 3, 5}, 5).value();
  const KernelTensor second = outputs.tensors()[1];
  struct Case {
    int64_t offset;
    const char *words;
  };
  for (const Case &c :
       {Case{-1, "before the first row"}, Case{-200, "before the first row"},
        Case{5, "row 0, at column 5"},
        Case{second.stride + 5, "row 1, at column 5"},
        Case{2 * second.stride + 8, "row 2, at column 8"},
        Case{3 * second.stride, "after the last row"},
        Case{3 * second.stride + 200, "after the last row"}}) {
    outputs.poison();
    elements(second)[c.offset] = 0;
    EXPECT_THAT(outputs.damage(3),
                AllOf(HasSubstr("output 1"), HasSubstr(c.words)));
  }
}

TEST(PoisonedOutputs, GuardRowsThatShouldNotBeUsed) {
  PoisonedOutputs outputs = PoisonedOutputs::allocate({1, 3, 5}, 5).value();
  elements(outputs.tensors()[0])[2 * outputs.tensors()[0].stride] = 0;
  EXPECT_THAT(outputs.damage(3), IsEmpty());
  EXPECT_THAT(outputs.damage(2), HasSubstr("after the last row"));
}

TEST(PoisonedOutputs, GuardColumnsThatAreNotTheKernelsOwn) {
  PoisonedOutputs outputs = PoisonedOutputs::allocate({1, 3, 5}, 5).value();
  const KernelTensor tensor = outputs.tensors()[0];
  elements(tensor)[tensor.stride + 2] = 0;
  EXPECT_THAT(outputs.damage(3, 2), IsEmpty());
  EXPECT_THAT(outputs.damage(3, 3), HasSubstr("column 2 of row 1"));
}

class NarrowOutputs : public testing::TestWithParam<DType> {
protected:
  PoisonedOutputs outputs =
      PoisonedOutputs::allocate({2, 3, 5, GetParam()}, 5).value();
  uint16_t *elements(int result) {
    return static_cast<uint16_t *>(outputs.tensors()[result].data);
  }
  int64_t stride() const { return outputs.tensors()[0].stride; }
};

TEST_P(NarrowOutputs, AreNotANumberAtFirst) {
  for (int64_t column = 0; column < 5; ++column) {
    EXPECT_TRUE(std::isnan(outputs.at(1, 2, column)));
    EXPECT_FALSE(outputs.written(1, 2, column));
  }
  EXPECT_THAT(outputs.damage(3), IsEmpty());
  // Rows keep their alignment to cache lines.
  EXPECT_EQ((stride() - 5) * 2, 64);
}

TEST_P(NarrowOutputs, ShowWhatIsWritten) {
  elements(1)[2 * stride() + 4] = 0x8000;
  EXPECT_EQ(outputs.at(1, 2, 4), 0);
  EXPECT_TRUE(std::signbit(outputs.at(1, 2, 4)));
  EXPECT_TRUE(outputs.written(1, 2, 4));
  EXPECT_FALSE(outputs.written(0, 2, 4));
  EXPECT_FALSE(outputs.written(1, 2, 3));
  EXPECT_EQ(reinterpret_cast<const uint16_t *>(outputs.rowOf(1, 2))[4], 0x8000);
  EXPECT_THAT(outputs.damage(3), IsEmpty());
  EXPECT_THAT(outputs.damage(3, 4), IsEmpty());
  EXPECT_THAT(outputs.damage(3, 5), HasSubstr("column 4 of row 2"));
  EXPECT_THAT(outputs.damage(2), HasSubstr("after the last row"));
  // The NaNs that hardware makes are not poison.
  for (uint16_t bits : {0x7fc0, 0xffc0, 0x7e00, 0xfe00}) {
    outputs.poison();
    elements(0)[0] = bits;
    EXPECT_TRUE(outputs.written(0, 0, 0)) << bits;
  }
}

TEST_P(NarrowOutputs, ShowDamagedGuards) {
  for (int64_t offset : {int64_t(-1), int64_t(-200), int64_t(5), int64_t(36),
                         stride() + 5, 3 * stride(), 3 * stride() + 200}) {
    outputs.poison();
    elements(1)[offset] = 0;
    EXPECT_THAT(outputs.damage(3), HasSubstr("output 1")) << offset;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, NarrowOutputs,
                         testing::Values(DType::bf16, DType::f16));

TEST(PoisonedOutputs, HaveADenseForm) {
  PoisonedOutputs outputs = PoisonedOutputs::allocate({1, 3, 5}, 700).value();
  EXPECT_EQ(outputs.denseTensors()[0].stride, 700);
  elements(outputs.denseTensors()[0])[2 * 700 + 4] = 1; // is inside
  EXPECT_EQ(outputs.denseTensors()[0].data, outputs.tensors()[0].data);
}

TEST(PoisonedOutputs, TakeTheBytesTheySay) {
  EXPECT_GE(PoisonedOutputs::bytesPerRow({2, 1, 5}), 2 * 5 * 4);
  EXPECT_EQ(
      PoisonedOutputs::allocate({1, 4, 5}, 5).value().tensors()[0].stride * 4,
      PoisonedOutputs::bytesPerRow({1, 1, 5}));
  const PoisonedOutputs narrow =
      PoisonedOutputs::allocate({1, 4, 5, DType::bf16}, 5).value();
  EXPECT_EQ(narrow.tensors()[0].stride * 2,
            PoisonedOutputs::bytesPerRow({1, 1, 5, DType::bf16}));
}

TEST(PoisonedOutputs, RefuseWhatDoesNotFitInMemory) {
  Expected<PoisonedOutputs> outputs = PoisonedOutputs::allocate(
      {1, int64_t(1) << 31, int64_t(1) << 28}, int64_t(1) << 28);
  ASSERT_FALSE(outputs);
  EXPECT_EQ(outputs.error().code(), ErrorCode::io);
}

/// Integers have no NaN; guards and elements hold a byte of their own.
TEST(IntegerOutputs, ShowWhatIsWrittenAndWhatShouldNot) {
  for (DType dtype : {DType::u8, DType::s8}) {
    PoisonedOutputs outputs =
        PoisonedOutputs::allocate({1, 3, 5, dtype}, 5).value();
    const KernelTensor tensor = outputs.tensors()[0];
    auto *bytes = static_cast<uint8_t *>(tensor.data);
    EXPECT_EQ(tensor.stride - 5, 64);
    EXPECT_FALSE(outputs.written(0, 2, 4));
    bytes[2 * tensor.stride + 4] = 0x80;
    EXPECT_TRUE(outputs.written(0, 2, 4));
    EXPECT_EQ(outputs.at(0, 2, 4), dtype == DType::u8 ? 128 : -128);
    EXPECT_THAT(outputs.damage(3), IsEmpty());
    bytes[tensor.stride + 5] = 0;
    EXPECT_THAT(outputs.damage(3), HasSubstr("row 1, at column 5"));
    outputs.poison();
    EXPECT_THAT(outputs.damage(3), IsEmpty());
    bytes[-1] = 0;
    EXPECT_THAT(outputs.damage(3), HasSubstr("before the first row"));
  }
}

} // namespace
