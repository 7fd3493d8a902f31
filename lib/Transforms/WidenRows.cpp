// Rows of x that are widened as they are packed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/WidenRows.h"

#include "Transforms/HalfPrecision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace lintel::ir {
namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace vector = mlir::vector;

class WidenRows {
public:
  WidenRows(KernelWriter &writer, const RowsToWiden &views)
      : layer(writer.layer), builder(writer.builder), loc(writer.loc),
        math(writer.math), from(views.from), to(views.to), rows(views.rows),
        depth(views.depth) {}

  /// As many elements at a time as a register of widened ones holds.
  void widen() {
    const int64_t perVector = layer.target.vectorBytes() / layer.packedBytes();
    inVectors(perVector, [&](Value row, Value k, int64_t count) {
      vector::StoreOp::create(builder, loc, widened(load(row, k, count)), to,
                              mlir::ValueRange{row, k});
    });
  }

private:
  /// body(row, k, count) for `wide` elements of a row at a time. What is left
  /// of one is widened with the elements before it once more; rows shorter than
  /// that, element by element.
  void inVectors(int64_t wide,
                 llvm::function_ref<void(Value, Value, int64_t)> body) {
    const auto oneByOne = [&] {
      math.loop(rows, [&](Value r) {
        math.loop(math.constant(0), depth, math.constant(1),
                  [&](Value k) { body(r, k, 1); });
      });
    };
    math.choose(math.greater(math.constant(wide), depth), oneByOne, [&] {
      Value last = math.sub(depth, math.constant(wide));
      math.loop(rows, [&](Value r) {
        math.loop(math.constant(0), depth, math.constant(wide),
                  [&](Value k) { body(r, math.min(k, last), wide); });
      });
    });
  }

  Value load(Value row, Value k, int64_t count) {
    return vector::LoadOp::create(
        builder, loc,
        mlir::VectorType::get(count,
                              mlir::getElementTypeOrSelf(from.getType())),
        from, mlir::ValueRange{row, k});
  }
  Value widened(Value narrow) {
    auto type = llvm::cast<mlir::VectorType>(narrow.getType());
    if (type.getElementType().isF16() && !layer.target.hasHalfConversions())
      return widenHalf(builder, loc, narrow);
    auto wide = type.clone(mlir::getElementTypeOrSelf(to.getType()));
    // Bytes are signless in a vector, whatever they are in x.
    if (layer.activation.isUnsignedInteger())
      return arith::ExtUIOp::create(builder, loc, wide, narrow);
    if (layer.activation.isSignlessInteger())
      return arith::ExtSIOp::create(builder, loc, wide, narrow);
    return arith::ExtFOp::create(builder, loc, wide, narrow);
  }

  const KernelLayer &layer;
  mlir::OpBuilder &builder;
  const mlir::Location loc;
  IndexMath &math;
  const Value from, to, rows, depth;
};

} // namespace

void widenRows(KernelWriter &writer, const RowsToWiden &rows) {
  WidenRows(writer, rows).widen();
}

} // namespace lintel::ir
