// The function of a kernel that copies a strip of x.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/PackStrip.h"

#include "Transforms/HalfPrecision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace lintel::ir {
namespace {

using mlir::Value;

class PackStrip {
public:
  explicit PackStrip(KernelWriter &writer)
      : writer(writer), layer(writer.layer), builder(writer.builder),
        loc(writer.loc), math(writer.math), together(layer.packedTogether()),
        element(scalarOf(layer.activation)),
        packed(scalarOf(layer.packedActivation())) {}

  void build() {
    llvm::SmallVector<mlir::Type> inputs(6, writer.indexType);
    inputs.front() = writer.argsType;
    mlir::func::FuncOp function =
        writer.createPrivate(writer.packName(), inputs);
    writer.leavesTilesAlone(function);
    if (layer.schedule.onTiles()) // whole lines
      writer.leaveUnoptimized(function);
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    Value one = math.constant(1);
    rows = arg(2);
    depth = arg(4);
    Value ldx = writer.number(arg(0), KernelField::ldx);
    from = math.view(writer.pointer(arg(0), KernelField::x, element),
                     math.add(math.mul(arg(1), ldx), arg(3)), {rows, depth},
                     {ldx, one});
    to = viewOfPacked(arg(0), arg(5));
    if (layer.schedule.onTiles())
      copyLines();
    else if (layer.widensRows())
      widenRows();
    else
      copyElements();
    writer.finish(function);
  }

private:
  Value viewOfPacked(Value args, Value offset) {
    Value pointer = writer.pointer(args, KernelField::workspace, packed);
    Value one = math.constant(1);
    if (layer.widensRows())
      return math.view(pointer, offset, {rows, depth},
                       {strideOfWidenedRows(math, depth), one});
    Value height = layer.schedule.onTiles()
                       ? math.constant(layer.strips.tall.front())
                       : rows;
    Value groupElements = math.mul(height, math.constant(together));
    return math.view(pointer, offset,
                     {math.ceilDivBy(depth, together), groupElements},
                     {groupElements, one});
  }

  /// A vector of a row at a time. What is left of one is widened with the
  /// elements before it once more.
  void widenRows() {
    const int64_t lanes = layer.target.lanes();
    const auto oneByOne = [&] {
      math.loop(rows, [&](Value r) {
        math.loop(depth, [&](Value k) { widen(r, k, 1); });
      });
    };
    math.choose(math.greater(math.constant(lanes), depth), oneByOne, [&] {
      Value last = math.sub(depth, math.constant(lanes));
      math.loop(rows, [&](Value r) {
        math.loop(math.constant(0), depth, math.constant(lanes),
                  [&](Value k) { widen(r, math.min(k, last), lanes); });
      });
    });
  }

  void widen(Value row, Value k, int64_t count) {
    mlir::vector::StoreOp::create(builder, loc,
                                  widened(load(row, k, count), count), to,
                                  mlir::ValueRange{row, k});
  }

  Value widened(Value narrow, int64_t count) {
    if (element.isF16() && !layer.target.hasHalfConversions())
      return widenHalf(builder, loc, narrow);
    return mlir::arith::ExtFOp::create(
        builder, loc, mlir::VectorType::get(count, packed), narrow);
  }

  /// Row by row, since a group is smaller than any vector: a group at a time,
  /// then what is left of K.
  void copyElements() {
    Value whole = math.roundDownTo(depth, together);
    math.loop(rows, [&](Value r) {
      Value first = math.mul(r, math.constant(together));
      math.loop(math.constant(0), whole, math.constant(together), [&](Value k) {
        copy(r, k, together, {math.divBy(k, together), first});
      });
      if (together > 1)
        math.loop(whole, depth, math.constant(1), [&](Value k) {
          copy(r, k, 1,
               {math.divBy(k, together), math.add(first, math.sub(k, whole))});
        });
    });
  }

  Value load(Value row, Value k, int64_t count) {
    return mlir::vector::LoadOp::create(builder, loc,
                                        mlir::VectorType::get(count, element),
                                        from, mlir::ValueRange{row, k});
  }

  /// Copies `count` elements of a row as products take them: signed ones that
  /// stand for x + 128 have their sign bit flipped.
  void copy(Value row, Value k, int64_t count, mlir::ValueRange place) {
    Value elements = load(row, k, count);
    if (layer.shiftsX()) {
      auto type = llvm::cast<mlir::VectorType>(elements.getType());
      Value signs = mlir::arith::ConstantOp::create(
          builder, loc,
          mlir::DenseElementsAttr::get(type, llvm::APInt(8, 128)));
      elements = mlir::arith::XOrIOp::create(builder, loc, elements, signs);
    }
    mlir::vector::StoreOp::create(builder, loc, elements, to, place);
  }

  /// A group is a cache line, the last one of K padded with zeros: what it
  /// meets in w is padding too, but NaN times zero would be NaN.
  void copyLines() {
    Value whole = math.roundDownTo(depth, together);
    math.loop(math.constant(0), whole, math.constant(together),
              [&](Value k) { copyColumn(k, Value()); });
    if (layer.k % together == 0)
      return;
    math.when(math.greater(depth, whole), [&] {
      copyColumn(whole, firstElements(math.sub(depth, whole)));
    });
  }

  /// A mask of the first `count` elements of a line: an integer that has a bit
  /// for each, where comparing would take vectors longer than a line.
  Value firstElements(Value count) {
    mlir::Type bits = builder.getIntegerType(static_cast<unsigned>(together));
    Value one = mlir::arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(bits, 1));
    Value power = mlir::arith::ShLIOp::create(
        builder, loc, one,
        mlir::arith::IndexCastOp::create(builder, loc, bits, count));
    return mlir::LLVM::BitcastOp::create(
        builder, loc, mlir::VectorType::get(together, builder.getI1Type()),
        mlir::arith::SubIOp::create(builder, loc, power, one));
  }

  void copyColumn(Value k, Value mask) {
    auto type = mlir::VectorType::get(together, element);
    Value group = math.divBy(k, together);
    math.loop(rows, [&](Value r) {
      Value line;
      if (mask) {
        Value zero = mlir::arith::ConstantOp::create(builder, loc,
                                                     builder.getZeroAttr(type));
        line = mlir::vector::MaskedLoadOp::create(
            builder, loc, type, from, mlir::ValueRange{r, k}, mask, zero);
      } else {
        line = mlir::vector::LoadOp::create(builder, loc, type, from,
                                            mlir::ValueRange{r, k});
      }
      mlir::vector::StoreOp::create(
          builder, loc, line, to,
          mlir::ValueRange{group, math.mul(r, math.constant(together))});
    });
  }

  KernelWriter &writer;
  const KernelLayer &layer;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexMath &math;
  const int64_t together;
  const mlir::Type element; ///< of x; a copy asks for no sign
  const mlir::Type packed;  ///< the same of packed rows
  Value rows, depth, from, to;
};

} // namespace

void buildPackStrip(KernelWriter &writer) { PackStrip(writer).build(); }

} // namespace lintel::ir
