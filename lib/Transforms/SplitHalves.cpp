// f16 as the sum of two bf16.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/SplitHalves.h"

#include "Transforms/IntegerConstant.h"
#include "Transforms/PrefetchLocality.h"

#include "Lintel/WholeUnits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace lintel::ir {

using mlir::Value;
namespace arith = mlir::arith;
namespace vector = mlir::vector;

/// Of an f32, those of a bf16, and those that it lacks.
static constexpr int32_t kUpperBits = ~0xffff;
static constexpr int32_t kLowerBits = 0xffff;
static constexpr int32_t kHalfOfBits = 16;

/// How far ahead of its use a panel is asked for that is split. On Emerald
/// Rapids a vector of a weight from memory takes 3.1 to 3.5 ns by that, 3.3 to
/// 3.8 with 1024 bytes, no less with 4096, and 4.9 to 5.6 if left to the
/// hardware; from L2 1.7.
static constexpr int64_t kSplitAheadBytes = 2048;

HighAndLow splitHalves(mlir::OpBuilder &builder, mlir::Location loc,
                       Value elements) {
  auto floats = llvm::cast<mlir::VectorType>(elements.getType())
                    .clone(builder.getF32Type());
  auto integers = floats.clone(builder.getI32Type());
  const auto masked = [&](Value bits, int32_t mask) -> Value {
    return arith::AndIOp::create(builder, loc, bits,
                                 integerConstant(builder, loc, integers, mask));
  };
  const auto bitsOf = [&](Value number) -> Value {
    return arith::BitcastOp::create(builder, loc, integers, number);
  };
  Value whole = arith::ExtFOp::create(builder, loc, floats, elements);
  Value bits = bitsOf(whole);
  Value leavesSome = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ne, masked(bits, kLowerBits),
      integerConstant(builder, loc, integers, 0));
  Value oneHalf = arith::ConstantOp::create(
      builder, loc,
      mlir::DenseElementsAttr::get(floats,
                                   builder.getF32FloatAttr(0.5F).getValue()));
  Value equalPart = arith::MulFOp::create(builder, loc, whole, oneHalf);
  Value high = arith::SelectOp::create(
      builder, loc, leavesSome, masked(bits, kUpperBits), bitsOf(equalPart));
  // Of the selected high part, so that a subtraction with a mask does both.
  Value rest = arith::SubFOp::create(
      builder, loc, whole,
      arith::BitcastOp::create(builder, loc, floats, high));
  Value low =
      arith::SelectOp::create(builder, loc, leavesSome, rest, equalPart);
  return {high, bitsOf(low)};
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
  Value pairs =
      arith::OrIOp::create(builder, loc, shiftedDown(builder, loc, even), odd);
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
    // Loops reduced in strength would save four instructions in forty, for
    // 5 % of an object's time.
    writer.keepLoops(function);
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
    prefetchLine(even, 2 * column);
    const HighAndLow evens = splitAt(even, column);
    const HighAndLow odds = splitAt(math.add(even, math.constant(1)), column);
    Value high = math.add(first, pair);
    store(evens.high, odds.high, high, column);
    store(evens.low, odds.low, math.add(high, math.constant(depthOfStep / 2)),
          column);
  }

  /// Asks for the line with the element of that number from the beginning of
  /// row `k`, in a later row. Beyond the panel lies the next, beyond the last
  /// nothing that a prefetch could fault on.
  void prefetchLine(Value k, int64_t element) {
    const int64_t rowBytes = layer.schedule.nr * bytesOf(DType::f16);
    const int64_t rows = ceilDiv(kSplitAheadBytes, rowBytes);
    mlir::memref::PrefetchOp::create(
        builder, loc, from,
        mlir::ValueRange{
            math.add(k, math.constant(rows + element / layer.schedule.nr)),
            math.constant(element % layer.schedule.nr)},
        /*isWrite=*/false, kToL1, /*isDataCache=*/true);
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
