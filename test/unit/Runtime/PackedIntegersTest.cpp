// Packed weights of integers: quads of K, and the sums behind them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/KernelCall.h"
#include "Runtime/PackedWeight.h"

#include "support/GuardedBuffer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

using namespace lintel;

namespace {

int8_t weightAt(int64_t row, int64_t k) {
  return int8_t(row * 31 + k * 7 + 128);
}

void checkPacking(const PackedLayout &layout) {
  const int64_t ldw = layout.k + 3;
  GuardedBuffer w(size_t((layout.n - 1) * ldw + layout.k),
                  GuardedBuffer::Fit::end, 1);
  auto *rows = static_cast<int8_t *>(w.memory());
  for (int64_t row = 0; row < layout.n; ++row)
    for (int64_t i = 0; i < layout.k; ++i)
      rows[row * ldw + i] = weightAt(row, i);
  auto packed = PackedWeight::pack(layout, rows, ldw);
  ASSERT_TRUE(packed) << packed.error().message();
  const auto *at = static_cast<const int8_t *>(packed->data());
  std::vector<int32_t> sums(size_t(layout.panels() * layout.panel));
  for (int64_t p = 0; p < layout.panels(); ++p)
    for (int64_t group = 0; group < layout.groups(); ++group)
      for (int64_t c = 0; c < layout.panel; ++c)
        for (int64_t i = 0; i < layout.group; ++i, ++at) {
          const int64_t row = p * layout.panel + c;
          const int64_t depth = group * layout.group + i;
          const int8_t expected = row < layout.n && depth < layout.k
                                      ? weightAt(row, depth)
                                      : int8_t(0);
          ASSERT_EQ(*at, expected)
              << layout.n << " x " << layout.k << " in " << layout.panel;
          sums[size_t(row)] += expected;
        }
  ASSERT_NE(packed->columnSums(), nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(packed->columnSums()) % 64, 0u);
  EXPECT_EQ(std::vector<int32_t>(packed->columnSums(),
                                 packed->columnSums() + sums.size()),
            sums);
  const auto *end =
      reinterpret_cast<const char *>(packed->columnSums() + sums.size());
  EXPECT_EQ(end - static_cast<const char *>(packed->data()), layout.bytes());
}

TEST(PackedIntegersTest, GroupsArePaddedAndColumnsSummed) {
  for (int64_t group : {2, 4, 32}) // pairs, quads, dot products
    for (int64_t panel : {4, 16, 48})
      for (int64_t n : {1, 15, 16, 17, 97})
        for (int64_t k : {0, 1, 3, 4, 5, 63, 130})
          checkPacking({n, k, panel, DType::s8, group});
}

TEST(PackedIntegersTest, FloatsHaveNoSums) {
  const float w[] = {1, 2};
  auto packed = PackedWeight::pack({1, 2, 4}, w, 2);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->columnSums(), nullptr);
  EXPECT_EQ(packed->layout().bytes(), 4 * 2 * 4);
}

TEST(PackedIntegersTest, SumsThatDoNotFitAreRefused) {
  const int8_t w = 0;
  EXPECT_FALSE(PackedWeight::pack({INT64_MAX / 4, 0, 16, DType::s8, 4}, &w, 1));
}

//===----------------------------------------------------------------------===//
// What calls hand to kernels
//===----------------------------------------------------------------------===//

Problem integerProblem(std::string_view text) {
  return Problem::parse(text, DataTypes::parse("u8s8").value()).value();
}

Schedule integerSchedule() {
  return Schedule::parse("tile=4x16,group=4").value();
}

/// Writes the sums that it is given to the output, columns to row 0.
void writesSums(const KernelArgs *args, int32_t, int32_t) {
  auto *out = static_cast<float *>(args->outputs[0].data);
  for (int64_t n = 0; n < 3; ++n)
    out[n] = float(args->columnSums[n]);
  for (int64_t m = 0; args->rowSums && m < args->m; ++m)
    out[3 + m] = float(args->rowSums[m]);
}

TEST(IntegerCallTest, KernelsGetTheSumsOfBothFactors) {
  const Problem problem = integerProblem("2x5:5x3 dequant(wzero=tensor)");
  const std::vector<int8_t> w = {1,  2,  3, 4, 5, -1, -2, -3,
                                 -4, -5, 9, 9, 9, 9,  9};
  const std::vector<uint8_t> x = {255, 255, 255, 255, 255, 0, 7, 1, 2, 3, 4, 5};
  const PackedWeight packed =
      PackedWeight::pack(PackedLayout::of(problem, integerSchedule().panel()),
                         w.data(), 5)
          .value();
  const KernelPlan plan =
      makePlan(writesSums, integerSchedule(), problem, 1, 128);
  float out[5] = {};
  const KernelTensor outputs[] = {{out, 3}};
  ASSERT_TRUE(runPlan(plan, *openMPExecutor(), x.data(), 7, 2, packed.data(),
                      outputs, nullptr));
  EXPECT_EQ(std::vector<float>(out, out + 5),
            (std::vector<float>{15, -15, 45, 5 * 255, 15}));
}

void writesWhetherThereAreRowSums(const KernelArgs *args, int32_t, int32_t) {
  *static_cast<float *>(args->outputs[0].data) = args->rowSums ? 1 : 0;
}

TEST(IntegerCallTest, RowsAreNotSummedForNothing) {
  const Problem problem = integerProblem("1x4:4x1");
  const KernelPlan plan =
      makePlan(writesWhetherThereAreRowSums, integerSchedule(), problem, 1, 0);
  const int8_t w[4] = {};
  const uint8_t x[4] = {};
  const PackedWeight packed =
      PackedWeight::pack(PackedLayout::of(problem, integerSchedule().panel()),
                         w, 4)
          .value();
  float out = -1;
  const KernelTensor outputs[] = {{&out, 1}};
  ASSERT_TRUE(runPlan(plan, *openMPExecutor(), x, 4, 1, packed.data(), outputs,
                      nullptr));
  EXPECT_EQ(out, 0);
}

} // namespace
