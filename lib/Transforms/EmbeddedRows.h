// Rows of A that multiply-adds broadcast from memory themselves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"
#include "Transforms/IndexMath.h"

#include "llvm/ADT/SmallVector.h"

namespace lintel::ir {

/// How far apart elements of A lie, in elements.
struct DistancesInA {
  int64_t row;   ///< from one row to the next
  int64_t depth; ///< from one element of K to the next
};

/// Where a micro-kernel of f32 with `embed` in its schedule reads A: by
/// pointers and known distances, since with an index such a multiply-add
/// becomes two instructions again on Intel's cores. Several loads of one
/// address would be one load in LLVM, which no multiply-add could take for
/// itself: so each vector of B has a pointer of its own, a line behind the one
/// before.
class EmbeddedRows {
public:
  using Pointers = llvm::SmallVector<mlir::Value, 4>;

  EmbeddedRows(MicrokernelOp op, mlir::OpBuilder &builder, IndexMath &math,
               DistancesInA apart);

  /// Whether each multiply-add of the row broadcasts it itself. Such rows are
  /// spread among the others, whose broadcast takes one load for all vectors.
  bool embeds(int64_t row) const { return row * embedded % rows < embedded; }

  /// To where the loop over k stands, and `depth` more elements of K later.
  Pointers at(mlir::Value k);
  Pointers after(mlir::ValueRange pointers, int64_t depth);
  /// The element `depth` elements of K behind the pointers, for products with
  /// the vector-th vector of B.
  mlir::Value element(mlir::ValueRange pointers, int64_t row, int64_t vector,
                      int64_t depth);

private:
  mlir::Value advanced(mlir::Value pointer, int64_t elements);

  MicrokernelOp op;
  mlir::OpBuilder &builder;
  IndexMath &math;
  const DistancesInA apart;
  const int64_t rows;
  const int64_t embedded; ///< of the rows
  const int64_t vectors;  ///< of B
  mlir::Value begin;      ///< the address of the first element
};

} // namespace lintel::ir
