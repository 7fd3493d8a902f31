// f16 as the sum of two bf16.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/SplitHalves.h"

#include "Transforms/IntegerConstant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace lintel::ir {

using mlir::Value;
namespace arith = mlir::arith;
namespace vector = mlir::vector;

/// Of an f32, those of a bf16.
static constexpr int32_t kUpperBits = ~0xffff;
static constexpr int32_t kHalfOfBits = 16;

HighAndLow splitHalves(mlir::OpBuilder &builder, mlir::Location loc,
                       Value elements) {
  auto floats = llvm::cast<mlir::VectorType>(elements.getType())
                    .clone(builder.getF32Type());
  auto integers = floats.clone(builder.getI32Type());
  const auto constant = [&](float value) {
    return arith::ConstantOp::create(
        builder, loc,
        mlir::DenseElementsAttr::get(
            floats, builder.getF32FloatAttr(value).getValue()));
  };
  Value whole = arith::ExtFOp::create(builder, loc, floats, elements);
  Value upper = arith::AndIOp::create(
      builder, loc, arith::BitcastOp::create(builder, loc, integers, whole),
      integerConstant(builder, loc, integers, kUpperBits));
  Value high = arith::BitcastOp::create(builder, loc, floats, upper);
  Value low = arith::SubFOp::create(builder, loc, whole, high);
  // Of infinities and NaN a NaN is left.
  Value nothingLeft = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::UEQ, low, constant(0));
  Value equalPart = arith::MulFOp::create(builder, loc, whole, constant(0.5F));
  const auto orEqualPart = [&](Value part) -> Value {
    return arith::BitcastOp::create(
        builder, loc, integers,
        arith::SelectOp::create(builder, loc, nothingLeft, equalPart, part));
  };
  return {orEqualPart(high), orEqualPart(low)};
}

static Value shiftedDown(mlir::OpBuilder &builder, mlir::Location loc,
                         Value bits) {
  return arith::ShRUIOp::create(
      builder, loc, bits,
      integerConstant(builder, loc, bits.getType(), kHalfOfBits));
}

Value upperBits(mlir::OpBuilder &builder, mlir::Location loc, Value bits) {
  return arith::TruncIOp::create(
      builder, loc,
      llvm::cast<mlir::VectorType>(bits.getType()).clone(builder.getI16Type()),
      shiftedDown(builder, loc, bits));
}

Value interleavedUpperBits(mlir::OpBuilder &builder, mlir::Location loc,
                           Value even, Value odd) {
  auto type = llvm::cast<mlir::VectorType>(even.getType());
  Value upper = arith::AndIOp::create(
      builder, loc, odd, integerConstant(builder, loc, type, kUpperBits));
  Value pairs = arith::OrIOp::create(builder, loc,
                                     shiftedDown(builder, loc, even), upper);
  return vector::BitCastOp::create(
      builder, loc,
      mlir::VectorType::get(2 * type.getNumElements(), builder.getI16Type()),
      pairs);
}

namespace {

class SplitPanel {
public:
  explicit SplitPanel(KernelWriter &writer)
      : layer(writer.layer), builder(writer.builder), loc(writer.loc),
        math(writer.math), writer(writer),
        depthOfStep(depthUnitOf(writer.layer.weight)) {}

  void build() {
    llvm::SmallVector<mlir::Type> inputs(4, writer.indexType);
    inputs.front() = writer.argsType;
    mlir::func::FuncOp function =
        writer.createPrivate(writer.widenName(), inputs);
    writer.leavesTilesAlone(function);
    Value args = function.getArgument(0);
    Value one = math.constant(1);
    Value steps = math.ceilDivBy(function.getArgument(2), depthOfStep);
    from = math.view(writer.pointer(args, KernelField::w, layer.weight),
                     function.getArgument(1),
                     {math.mul(steps, math.constant(depthOfStep)),
                      math.constant(layer.schedule.nr)},
                     {math.constant(layer.schedule.nr), one});
    const int64_t rowElements = 2 * layer.schedule.nr;
    to = math.view(
        writer.pointer(args, KernelField::workspace, builder.getI16Type()),
        function.getArgument(3),
        {math.mul(steps, math.constant(depthOfStep)),
         math.constant(rowElements)},
        {math.constant(rowElements), one});
    math.loop(steps, [&](Value step) {
      Value first = math.mul(step, math.constant(depthOfStep));
      math.loop(math.constant(depthOfStep / 2), [&](Value pair) {
        for (int64_t column = 0; column < layer.schedule.nr;
             column += layer.target.lanes())
          splitPair(first, pair, column);
      });
    });
    writer.finish(function);
  }

private:
  /// Two elements of K that meet in a lane, a vector of columns of each. The
  /// parts of a step take as many rows as it has elements of K.
  void splitPair(Value first, Value pair, int64_t column) {
    Value even = math.add(first, math.mul(pair, math.constant(2)));
    const HighAndLow evens = splitAt(even, column);
    const HighAndLow odds = splitAt(math.add(even, math.constant(1)), column);
    Value high = math.add(first, pair);
    store(evens.high, odds.high, high, column);
    store(evens.low, odds.low, math.add(high, math.constant(depthOfStep / 2)),
          column);
  }

  HighAndLow splitAt(Value k, int64_t column) {
    return splitHalves(
        builder, loc,
        vector::LoadOp::create(
            builder, loc,
            mlir::VectorType::get(layer.target.lanes(), layer.weight), from,
            mlir::ValueRange{k, math.constant(column)}));
  }

  void store(Value even, Value odd, Value row, int64_t column) {
    vector::StoreOp::create(builder, loc,
                            interleavedUpperBits(builder, loc, even, odd), to,
                            mlir::ValueRange{row, math.constant(2 * column)});
  }

  const KernelLayer &layer;
  mlir::OpBuilder &builder;
  const mlir::Location loc;
  IndexMath &math;
  KernelWriter &writer;
  /// Elements of K: a row of a register holds those of a cache line.
  const int64_t depthOfStep;
  Value from, to;
};

} // namespace

void buildSplitPanel(KernelWriter &writer) { SplitPanel(writer).build(); }

} // namespace lintel::ir
