// IR's element types and those of problems.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/ElementType.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

namespace lintel::ir {
namespace {

TEST(ElementType, NamesWhatLayersComputeWith) {
  mlir::MLIRContext context;
  mlir::Builder builder(&context);
  EXPECT_EQ(dtypeOf(builder.getF32Type()), DType::f32);
  EXPECT_EQ(dtypeOf(builder.getBF16Type()), DType::bf16);
  EXPECT_EQ(dtypeOf(builder.getF16Type()), DType::f16);
  EXPECT_EQ(dtypeOf(builder.getI8Type()), DType::s8);
  EXPECT_EQ(dtypeOf(builder.getIntegerType(8, /*isSigned=*/false)), DType::u8);
  EXPECT_EQ(dtypeOf(builder.getI32Type()), DType::s32);
  EXPECT_EQ(dtypeOf(builder.getF64Type()), std::nullopt);
  EXPECT_EQ(dtypeOf(builder.getI1Type()), std::nullopt);
}

TEST(ElementType, KnowsTheFloatsOfLayers) {
  mlir::MLIRContext context;
  mlir::Builder builder(&context);
  EXPECT_TRUE(isFloatOfLayers(builder.getF32Type()));
  EXPECT_TRUE(isFloatOfLayers(builder.getBF16Type()));
  EXPECT_TRUE(isFloatOfLayers(builder.getF16Type()));
  EXPECT_FALSE(isFloatOfLayers(builder.getF64Type()));
  EXPECT_FALSE(isFloatOfLayers(builder.getI8Type()));
  EXPECT_TRUE(isNarrowFloat(builder.getBF16Type()));
  EXPECT_TRUE(isNarrowFloat(builder.getF16Type()));
  EXPECT_FALSE(isNarrowFloat(builder.getF32Type()));
}

TEST(ElementType, TypesOfElementsRoundTrip) {
  mlir::MLIRContext context;
  for (DType dtype :
       {DType::f32, DType::bf16, DType::f16, DType::s8, DType::u8, DType::s32})
    EXPECT_EQ(dtypeOf(typeOf(&context, dtype)), dtype) << toString(dtype);
}

TEST(ElementType, ScalarsOfIntegersHaveNoSign) {
  mlir::MLIRContext context;
  mlir::Builder builder(&context);
  EXPECT_EQ(scalarOf(typeOf(&context, DType::u8)), builder.getI8Type());
  EXPECT_EQ(scalarOf(builder.getI8Type()), builder.getI8Type());
  EXPECT_EQ(scalarOf(builder.getBF16Type()), builder.getBF16Type());
}

TEST(ElementType, InterleavesWhatFillsALane) {
  mlir::MLIRContext context;
  mlir::Builder builder(&context);
  EXPECT_EQ(interleaveOf(builder.getF32Type()), 1);
  EXPECT_EQ(interleaveOf(builder.getBF16Type()), 2);
  EXPECT_EQ(interleaveOf(builder.getF16Type()), 1);
  EXPECT_EQ(interleaveOf(builder.getI8Type()), 4);
  EXPECT_EQ(tileInterleaveOf(builder.getF16Type()), 2);
  EXPECT_EQ(tileInterleaveOf(builder.getI8Type()), 4);
  EXPECT_EQ(tileInterleaveOf(builder.getF64Type()), 1);
  EXPECT_EQ(interleaveOf(builder.getF64Type()), 1);
}

} // namespace
} // namespace lintel::ir
