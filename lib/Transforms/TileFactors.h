// Where the k loop of a micro-kernel on vectors reads A and B.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"
#include "Transforms/EmbeddedRows.h"
#include "Transforms/IndexMath.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace lintel::ir {

/// Whether rows of A lie side by side. Those that were widened as they were
/// packed lie one behind the other, as in x.
bool isTransposed(MicrokernelOp op);

/// Elements of K that a turn of the loop takes, on vectors.
int64_t depthOfTurn(MicrokernelOp op);

/// Where a step stands. Rows of A that are in place are walked in groups, each
/// of as many rows as there are views: a row is a view at the offset of its
/// group. Rows a known distance apart have one group and one view.
struct FactorOffsets {
  llvm::SmallVector<mlir::Value, 4> groups; ///< of A
  EmbeddedRows::Pointers pointers; ///< to A instead, with rows embedded
  mlir::Value b;
  mlir::Value next; ///< of what is asked for of the next panel, if anything is
};

/// The element that an access begins with.
struct FactorPlace {
  mlir::Value view;
  llvm::SmallVector<mlir::Value, 2> indices;
};

/// Lays out what a loop over k adds to its addresses: in LLVM that is the work
/// of loop strength reduction, which takes a tenth of an object's compile time,
/// and of what runs before and after it. A step adds to one register for each
/// group, one for B and one for the next panel; all that is known of an address
/// stands in its last index, which instructions add for nothing.
class TileFactors {
public:
  TileFactors(MicrokernelOp op, mlir::OpBuilder &builder, IndexMath &math);

  FactorOffsets at(mlir::Value k) { return fromCarried(k, carriedAt(k)); }
  /// What a loop over k has to carry, but for k itself: where it begins, and
  /// `depth` more elements of K, a known number, after `offsets`.
  llvm::SmallVector<mlir::Value> carriedAt(mlir::Value k);
  llvm::SmallVector<mlir::Value> carriedAfter(const FactorOffsets &offsets,
                                              int64_t depth);
  FactorOffsets fromCarried(mlir::Value k, mlir::ValueRange carried) const;

  /// These stand `depth` elements of K, a known number, behind the offsets.
  bool embedsRows() const { return embedded.has_value(); }
  bool embeds(int64_t row) const { return embedded->embeds(row); }
  /// Of a row of A, for products with the vector-th vector of B, where rows are
  /// embedded.
  mlir::Value elementOfA(const FactorOffsets &offsets, int64_t row,
                         int64_t vector, int64_t depth) {
    return embedded->element(offsets.pointers, row, vector, depth);
  }
  FactorPlace rowOfA(const FactorOffsets &offsets, int64_t row, int64_t depth);
  FactorPlace columnOfB(const FactorOffsets &offsets, int64_t column,
                        int64_t depth);
  /// A line, counted from the first that a turn asks for of the next panel.
  FactorPlace lineOfNextPanel(const FactorOffsets &offsets, int64_t line);

private:
  std::optional<int64_t> knownRowDistance();
  void viewRowsOfA();
  mlir::Value flatView(mlir::Value pointer, mlir::Value offset,
                       mlir::Value elements);
  /// What a loop carries for groups.
  llvm::SmallVector<mlir::Value> groupsAt(mlir::Value k);
  llvm::SmallVector<mlir::Value> groupsAfter(const FactorOffsets &offsets,
                                             int64_t depth);
  bool asksForNextPanel() const { return schedule.share > 0; }
  int64_t rowsOfGroup() const { return static_cast<int64_t>(viewsOfA.size()); }

  MicrokernelOp op;
  IndexMath &math;
  const Schedule schedule;
  const int64_t rows;
  const int64_t stepDepth; ///< elements of K side by side in a lane
  const int64_t turnDepth; ///< of K that a turn of the loop takes
  const bool transposed;
  /// Elements from one row of A to the next, if known.
  const std::optional<int64_t> rowDistance;
  std::optional<EmbeddedRows> embedded;
  llvm::SmallVector<mlir::Value, 8> viewsOfA; ///< none with rows embedded
  mlir::Value viewOfB;
  mlir::Value viewOfNext; ///< of the memory that holds the next panel
};

} // namespace lintel::ir
