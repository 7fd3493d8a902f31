// The C++ side of the dialect: accessors of lintel.linear, attributes made
// without text, registration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/LintelDialect.h"
#include "Lintel/RegisterDialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lintel::ir {
namespace {

class Dialect : public testing::Test {
protected:
  Dialect() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
      message = diagnostic.str();
      return mlir::success();
    });
  }

  /// The only lintel.linear of a module.
  LinearOp parseLinear(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << message;
    LinearOp found;
    if (module)
      module->walk([&](LinearOp op) { found = op; });
    return found;
  }

  /// What is said of a layer of [M, K] x with an operand and an output of
  /// these types; nothing of a valid one.
  std::string refusalOf(const std::string &x, const std::string &operand,
                        const std::string &output,
                        const std::string &attributes = "") {
    message.clear();
    const std::string text =
        "func.func @f(%x: " + x + ", %w: tensor<16x8xf32>, %r: " + operand +
        ") {\n%y = lintel.linear %x, %w epilogue(%r : " + operand + ") " +
        attributes + " : (" + x + ", tensor<16x8xf32>) -> " + output +
        " {\n^bb0(%acc: f32, %0: f32):\nlintel.yield %acc : f32\n}\nreturn\n}";
    EXPECT_EQ(!mlir::parseSourceString<mlir::ModuleOp>(text, &context),
              !message.empty());
    return message;
  }

  auto emitError() {
    return [&]() { return mlir::emitError(mlir::UnknownLoc::get(&context)); };
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string message;
};

TEST_F(Dialect, LinearKnowsItsShapeOnTensors) {
  LinearOp op = parseLinear(R"mlir(
    func.func @f(%x: tensor<?x8xbf16>, %w: tensor<16x8xbf16>, %s: tensor<f32>,
                 %c: tensor<16xf32>, %r: tensor<?x1xf32>, %f: tensor<?x16xbf16>)
        -> (tensor<?x16xbf16>, tensor<?x16xf32>) {
      %y:2 = lintel.linear %x, %w epilogue(%s, %c, %r, %f : tensor<f32>,
            tensor<16xf32>, tensor<?x1xf32>, tensor<?x16xbf16>)
          : (tensor<?x8xbf16>, tensor<16x8xbf16>) -> (tensor<?x16xbf16>, tensor<?x16xf32>) {
      ^bb0(%acc: f32, %0: f32, %1: f32, %2: f32, %3: bf16):
        lintel.yield %3, %acc : bf16, f32
      }
      return %y#0, %y#1 : tensor<?x16xbf16>, tensor<?x16xf32>
    })mlir");
  ASSERT_TRUE(op);
  EXPECT_EQ(op.getM(), mlir::ShapedType::kDynamic);
  EXPECT_EQ(op.getN(), 16);
  EXPECT_EQ(op.getK(), 8);
  EXPECT_TRUE(op.getInputType().isBF16());
  EXPECT_TRUE(op.getWeightType().isBF16());
  EXPECT_TRUE(op.getAccumulatorType().isF32());
  ASSERT_EQ(op.getEpilogueOperands().size(), 4u);
  EXPECT_EQ(op.getBroadcast(0), Broadcast::scalar);
  EXPECT_EQ(op.getBroadcast(1), Broadcast::column);
  EXPECT_EQ(op.getBroadcast(2), Broadcast::row);
  EXPECT_EQ(op.getBroadcast(3), Broadcast::full);
  ASSERT_EQ(op.getNumOutputs(), 2u);
  EXPECT_TRUE(op.getOutputType(0).getElementType().isBF16());
  EXPECT_TRUE(op.getOutputType(1).getElementType().isF32());
  EXPECT_TRUE(mlir::isMemoryEffectFree(op));
}

TEST_F(Dialect, LinearKnowsItsShapeAndEffectsOnMemRefs) {
  LinearOp op = parseLinear(R"mlir(
    func.func @f(%x: memref<4x8xf32>, %w: !lintel.packed<16x8xf32, n = 48, k = 1>,
                 %b: memref<16xf32>, %y: memref<4x16xf32>) {
      lintel.linear %x, %w epilogue(%b : memref<16xf32>) outs(%y : memref<4x16xf32>)
          : (memref<4x8xf32>, !lintel.packed<16x8xf32, n = 48, k = 1>) {
      ^bb0(%acc: f32, %0: f32):
        lintel.yield %acc : f32
      }
      return
    })mlir");
  ASSERT_TRUE(op);
  EXPECT_EQ(op.getM(), 4);
  EXPECT_EQ(op.getN(), 16);
  EXPECT_EQ(op.getK(), 8);
  ASSERT_EQ(op.getNumOutputs(), 1u);
  EXPECT_EQ(op.getOutputType(0), op.getOuts()[0].getType());
  EXPECT_TRUE(mlir::hasEffect<mlir::MemoryEffects::Read>(op, op.getX()));
  EXPECT_TRUE(mlir::hasEffect<mlir::MemoryEffects::Read>(
      op, op.getEpilogueOperands()[0]));
  EXPECT_TRUE(mlir::hasEffect<mlir::MemoryEffects::Write>(op, op.getOuts()[0]));
  EXPECT_FALSE(mlir::hasEffect<mlir::MemoryEffects::Read>(op, op.getOuts()[0]));
}

/// Kernels are for the rows of x: 5 rows of an output would be forgotten.
TEST_F(Dialect, LinearLeavesItsRowsOpenEverywhereOrNowhere) {
  const char *anyX = "tensor<?x8xf32>", *anyOutput = "tensor<?x16xf32>",
             *five = "tensor<5x16xf32>", *column = "tensor<16xf32>";
  EXPECT_EQ(refusalOf(anyX, column, anyOutput), "");
  EXPECT_EQ(refusalOf("tensor<5x8xf32>", five, five), "");
  EXPECT_EQ(refusalOf("tensor<5x8xf32>", anyOutput, anyOutput), "");
  EXPECT_EQ(refusalOf(anyX, column, five),
            "'lintel.linear' op has ? rows of x, but 5 of an output; give x as "
            "many, or leave them open everywhere");
  EXPECT_THAT(refusalOf(anyX, five, anyOutput),
              testing::HasSubstr("has ? rows of x, but 5 of an epilogue "
                                 "operand; give x as many"));
  // Also where they are promised.
  EXPECT_THAT(refusalOf(anyX, column, five, "{rows = array<i64: 4, 8>}"),
              testing::HasSubstr("5 of an output"));
  EXPECT_THAT(refusalOf(anyX, column, five, "{rows = array<i64: 6, 8>}"),
              testing::HasSubstr("has rows from 6 to 8, but"));
}

TEST_F(Dialect, ScheduleAttributesOfEqualSchedulesAreOne) {
  Schedule schedule = Schedule::parse("tile=8x48,mc=96").value();
  ScheduleAttr attribute = ScheduleAttr::get(&context, schedule);
  EXPECT_EQ(attribute.getValue(), schedule);
  EXPECT_EQ(attribute, ScheduleAttr::get(&context, schedule));
  schedule.mc = 128;
  EXPECT_NE(attribute, ScheduleAttr::get(&context, schedule));
}

TEST_F(Dialect, ScheduleAttributesAreChecked) {
  Schedule schedule;
  schedule.nr = 0;
  EXPECT_FALSE(ScheduleAttr::getChecked(emitError(), &context, schedule));
  EXPECT_EQ(message, "tile takes a number from 1 to 1048576, not '0'");
}

TEST_F(Dialect, TargetAttributesOfEqualTargetsAreOne) {
  Target target = Target::parse("isa=avx512,cpu=znver4").value();
  TargetAttr attribute = TargetAttr::get(&context, target);
  EXPECT_EQ(attribute.getValue(), target);
  EXPECT_EQ(attribute, TargetAttr::get(&context, target));
  target.cpu = "cascadelake";
  EXPECT_NE(attribute, TargetAttr::get(&context, target));
}

TEST_F(Dialect, TargetAttributesAreChecked) {
  Target target;
  target.cpu = "a\",evil";
  EXPECT_FALSE(TargetAttr::getChecked(emitError(), &context, target));
  EXPECT_THAT(message, testing::HasSubstr("cpu takes a name of letters"));
}

TEST_F(Dialect, PackedTypesAreChecked) {
  mlir::Type f32 = mlir::Float32Type::get(&context);
  auto packed = [&](int64_t rows, int64_t depth) {
    return PackedType::getChecked(emitError(), &context, rows, depth, f32,
                                  /*n=*/int64_t(16), /*k=*/int64_t(1));
  };
  EXPECT_TRUE(packed(0, 0));
  EXPECT_FALSE(packed(-1, 4));
  EXPECT_EQ(message,
            "a packed weight has known, non-negative dimensions, not -1x4");
}

TEST_F(Dialect, AYieldOfNothingCanBeBuilt) {
  mlir::OpBuilder builder(&context);
  mlir::OwningOpRef<mlir::ModuleOp> parent =
      mlir::ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(parent->getBody());
  auto yield = YieldOp::create(builder, builder.getUnknownLoc());
  EXPECT_EQ(yield.getValues().size(), 0u);
  EXPECT_TRUE(mlir::failed(mlir::verify(*parent))) << "a yield needs its op";
}

} // namespace
} // namespace lintel::ir
