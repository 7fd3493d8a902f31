// The regions of int8 layers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lintel/LintelDialect.h"
#include "Problem/BuildLinear.h"
#include "Problem/ReadLinear.h"

#include "mlir/IR/Verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace lintel;
using testing::HasSubstr;
using testing::Not;

namespace {

class QuantizedEpilogueTest : public testing::Test {
protected:
  QuantizedEpilogueTest() : context(mlir::MLIRContext::Threading::DISABLED) {}

  mlir::OwningOpRef<mlir::ModuleOp> build(std::string_view types,
                                          std::string_view text) {
    Expected<Problem> problem =
        Problem::parse(text, DataTypes::parse(types).value());
    EXPECT_TRUE(problem) << problem.error().message();
    Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
        buildModule(context, *problem);
    EXPECT_TRUE(module) << module.error().message();
    return module ? std::move(*module) : nullptr;
  }
  std::string textOf(std::string_view types, std::string_view text) {
    std::string printed;
    llvm::raw_string_ostream(printed) << *build(types, text);
    return printed;
  }

  mlir::MLIRContext context;
};

TEST_F(QuantizedEpilogueTest, TensorsSayWhetherTheirIntegersAreSigned) {
  EXPECT_THAT(textOf("u8s8:u8", "4x8:8x16"),
              HasSubstr("(tensor<4x8xui8>, tensor<16x8xi8>) -> "
                        "tensor<4x16xui8>"));
  EXPECT_THAT(
      textOf("s8s8:s8", "4x8:8x16"),
      HasSubstr("(tensor<4x8xi8>, tensor<16x8xi8>) -> tensor<4x16xi8>"));
}

TEST_F(QuantizedEpilogueTest, ZeroPointsAreTakenAwayInIntegers) {
  const std::string text = textOf("u8s8", "4x8:8x16 dequant(wzero=tensor)");
  EXPECT_THAT(text, HasSubstr("column_sums, row_sums"));
  // acc - xz * column - wz * (row - 8 xz)
  EXPECT_THAT(text, HasSubstr("^bb0(%arg6: i32, %arg7: i32, %arg8: i32, "
                              "%arg9: f32, %arg10: i32, %arg11: f32, "
                              "%arg12: i32):"));
  EXPECT_THAT(text, HasSubstr("%1 = arith.muli %arg10, %arg7 : i32"));
  EXPECT_THAT(text, HasSubstr("%2 = arith.subi %arg6, %1 : i32"));
  EXPECT_THAT(text, HasSubstr("%3 = arith.muli %arg10, %c8_i32 : i32"));
  EXPECT_THAT(text, HasSubstr("%4 = arith.subi %arg8, %3 : i32"));
  EXPECT_THAT(text, HasSubstr("%5 = arith.muli %arg12, %4 : i32"));
  EXPECT_THAT(text, HasSubstr("%6 = arith.subi %2, %5 : i32"));
}

TEST_F(QuantizedEpilogueTest, WithoutZeroPointsThereAreNoSums) {
  const std::string text = textOf("s8s8", "4x8:8x16 bias");
  EXPECT_THAT(text, Not(HasSubstr("_sums")));
  EXPECT_THAT(text, Not(HasSubstr("arith.subi")));
}

/// Every kernel and the reference give the same bits.
TEST_F(QuantizedEpilogueTest, NoSumOrProductMayFuse) {
  EXPECT_THAT(textOf("u8s8", "4x8:8x16 mul+bias+gelu_tanh"),
              Not(HasSubstr("fastmath")));
}

TEST_F(QuantizedEpilogueTest, ResultsAreRoundedThenClamped) {
  const std::string text = textOf("s8s8:s8", "4x8:8x16 quant(zero=tensor)");
  EXPECT_THAT(text, HasSubstr("math.roundeven"));
  EXPECT_THAT(text, HasSubstr("arith.cmpf ogt"));
  EXPECT_THAT(text, HasSubstr("1.270000e+02"));
  EXPECT_THAT(text, HasSubstr("-1.280000e+02"));
  EXPECT_THAT(text, HasSubstr("arith.trunci"));
  EXPECT_THAT(textOf("u8s8:u8", "4x8:8x16"), HasSubstr("2.550000e+02"));
}

TEST_F(QuantizedEpilogueTest, EveryCombinationVerifiesAndSurvivesAsARegion) {
  for (const char *types : {"u8s8", "u8s8:bf16", "u8s8:f16", "u8s8:u8",
                            "u8s8:s8", "s8s8", "s8s8:s8"})
    for (const char *x : {"tensor", "row"})
      for (const char *xZero : {"none", "tensor", "row"})
        for (const char *w : {"tensor", "column"})
          for (const char *wZero : {"none", "tensor", "column"}) {
            const std::string text = std::string("?x8:8x16 dequant(x=") + x +
                                     ",xzero=" + xZero + ",w=" + w +
                                     ",wzero=" + wZero + ")+bias+silu+residual";
            auto module = build(types, text);
            ASSERT_TRUE(module);
            Expected<Problem> extracted = problemFromModule(*module);
            ASSERT_TRUE(extracted) << extracted.error().message();
            auto again = buildModule(context, *extracted);
            ASSERT_TRUE(again) << again.error().message();
            std::string first, second;
            llvm::raw_string_ostream(first) << *module;
            llvm::raw_string_ostream(second) << **again;
            EXPECT_EQ(first, second) << text;
          }
}

} // namespace
