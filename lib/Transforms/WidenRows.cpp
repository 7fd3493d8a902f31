// Rows of x that are widened as they are packed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/WidenRows.h"

#include "Transforms/HalfPrecision.h"
#include "Transforms/QuadProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>

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

  void floats() {
    inVectors(depth, layer.target.lanes(), /*unit=*/1,
              [&](Value row, Value k, int64_t count) {
                store(widened(load(row, k, count)), row, k);
              });
  }

  void bytes() {
    Value whole = math.roundDownTo(depth, kQuad);
    inVectors(whole, layer.target.lanes() * kQuad, kQuad,
              [&](Value row, Value k, int64_t count) {
                storeHalves(load(row, k, count), row, k);
              });
    if (layer.k % kQuad != 0)
      restOfBytes(whole);
  }

private:
  static constexpr int64_t kQuad = 4;

  /// body(row, k, count) for `wide` elements of a row at a time. What is left
  /// of one is widened with the elements before it once more; rows shorter than
  /// that, `unit` elements at a time.
  void inVectors(Value elements, int64_t wide, int64_t unit,
                 llvm::function_ref<void(Value, Value, int64_t)> body) {
    const auto inUnits = [&] {
      math.loop(rows, [&](Value r) {
        math.loop(math.constant(0), elements, math.constant(unit),
                  [&](Value k) { body(r, k, unit); });
      });
    };
    math.choose(math.greater(math.constant(wide), elements), inUnits, [&] {
      Value last = math.sub(elements, math.constant(wide));
      math.loop(rows, [&](Value r) {
        math.loop(math.constant(0), elements, math.constant(wide),
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
  void store(Value elements, Value row, Value k) {
    vector::StoreOp::create(builder, loc, elements, to,
                            mlir::ValueRange{row, k});
  }

  Value widened(Value narrow) {
    auto type = llvm::cast<mlir::VectorType>(narrow.getType());
    if (type.getElementType().isF16() && !layer.target.hasHalfConversions())
      return widenHalf(builder, loc, narrow);
    return arith::ExtFOp::create(
        builder, loc, type.clone(mlir::getElementTypeOrSelf(to.getType())),
        narrow);
  }

  Value as(mlir::Type element, Value vector) {
    auto type = llvm::cast<mlir::VectorType>(vector.getType());
    const int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
    return vector::BitCastOp::create(
        builder, loc,
        mlir::VectorType::get(bits / element.getIntOrFloatBitWidth(), element),
        vector);
  }

  bool areSigned() const { return layer.activation.isSignlessInteger(); }

  /// Of each quad its even elements, in 32 bits, and then its odd ones; a
  /// vector of quads becomes two.
  void storeHalves(Value quads, Value row, Value k) {
    mlir::Type i16 = builder.getI16Type(), i32 = builder.getI32Type();
    const WidenedHalves halves =
        widenHalves(builder, loc, as(i16, quads), areSigned());
    Value even = as(i32, halves.even), odd = as(i32, halves.odd);
    const int64_t count =
        llvm::cast<mlir::VectorType>(even.getType()).getNumElements();
    const int64_t inStore = std::max<int64_t>(1, count / 2);
    for (int64_t first = 0; first < count; first += inStore) {
      llvm::SmallVector<int64_t> inTurns;
      for (int64_t i = first; i < first + inStore; ++i)
        inTurns.append({i, count + i});
      Value turns = vector::ShuffleOp::create(builder, loc, even, odd, inTurns);
      store(as(i16, turns), row, math.add(k, math.constant(kQuad * first)));
    }
  }

  /// One to three, the first three of a quad: at 0, 2 and 1.
  void restOfBytes(Value whole) {
    math.loop(rows, [&](Value r) {
      math.loop(whole, depth, math.constant(1), [&](Value k) {
        Value twice = math.mul(math.sub(k, whole), math.constant(2));
        Value place =
            math.sub(twice, math.mul(math.divBy(twice, 3), math.constant(3)));
        Value byte = mlir::memref::LoadOp::create(builder, loc, from,
                                                  mlir::ValueRange{r, k});
        mlir::Type i16 = builder.getI16Type();
        Value wide =
            areSigned() ? Value(arith::ExtSIOp::create(builder, loc, i16, byte))
                        : arith::ExtUIOp::create(builder, loc, i16, byte);
        mlir::memref::StoreOp::create(
            builder, loc, wide, to,
            mlir::ValueRange{r, math.add(whole, place)});
      });
    });
  }

  const KernelLayer &layer;
  mlir::OpBuilder &builder;
  const mlir::Location loc;
  IndexMath &math;
  const Value from, to, rows, depth;
};

} // namespace

void widenRows(KernelWriter &writer, const RowsToWiden &rows) {
  WidenRows widening(writer, rows);
  if (mlir::getElementTypeOrSelf(rows.to.getType()).isF32())
    widening.floats();
  else
    widening.bytes();
}

} // namespace lintel::ir
