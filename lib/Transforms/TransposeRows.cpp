// Four rows of groups of K, as lanes of vectors, transposed in registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/TransposeRows.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>

namespace lintel::ir {

using mlir::Value;
using Values = llvm::SmallVector<Value>;

/// Lanes of 128 bits, where they are of 32, within which cheap shuffles stay.
static constexpr int64_t kQuad = 4;

int64_t columnsTogether(const Target &target) {
  return std::min<int64_t>(2 * kQuad, target.lanes());
}

namespace {

class Shuffles {
public:
  Shuffles(mlir::OpBuilder &builder, mlir::Location loc, int64_t lanes)
      : builder(builder), loc(loc), lanes(lanes) {}

  /// Of each quad the two lanes that begin at `from`: `unit` of a and as many
  /// of b, in turn.
  Value interleave(Value a, Value b, int64_t unit, int64_t from) {
    llvm::SmallVector<int64_t> mask;
    for (int64_t quad = 0; quad < lanes; quad += kQuad)
      for (int64_t taken = 0; taken < 2; taken += unit)
        for (int64_t source : {int64_t(0), lanes})
          for (int64_t lane = 0; lane < unit; ++lane)
            mask.push_back(source + quad + from + taken + lane);
    return shuffle(a, b, mask);
  }

  Value quadFrom(Value vector, int64_t lane) {
    return lanes == kQuad
               ? vector
               : shuffle(vector, vector,
                         llvm::to_vector(llvm::seq(lane, lane + kQuad)));
  }

private:
  Value shuffle(Value a, Value b, llvm::ArrayRef<int64_t> mask) {
    return mlir::vector::ShuffleOp::create(builder, loc, a, b, mask);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const int64_t lanes; ///< of a vector
};

} // namespace

Values transposed(mlir::OpBuilder &builder, mlir::Location loc,
                  llvm::ArrayRef<Value> rows) {
  const int64_t lanes =
      llvm::cast<mlir::VectorType>(rows.front().getType()).getNumElements();
  Shuffles shuffles(builder, loc, lanes);
  const Value low01 = shuffles.interleave(rows[0], rows[1], 1, 0);
  const Value high01 = shuffles.interleave(rows[0], rows[1], 1, 2);
  const Value low23 = shuffles.interleave(rows[2], rows[3], 1, 0);
  const Value high23 = shuffles.interleave(rows[2], rows[3], 1, 2);
  // In each quad, the column of its first lane, its second, ...
  const Value inQuads[] = {shuffles.interleave(low01, low23, 2, 0),
                           shuffles.interleave(low01, low23, 2, 2),
                           shuffles.interleave(high01, high23, 2, 0),
                           shuffles.interleave(high01, high23, 2, 2)};
  Values columns;
  for (int64_t quad = 0; quad < lanes; quad += kQuad)
    for (Value column : inQuads)
      columns.push_back(shuffles.quadFrom(column, quad));
  return columns;
}

} // namespace lintel::ir
