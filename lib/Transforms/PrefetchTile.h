// Asking for what an epilogue will touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/KernelWriter.h"

namespace lintel::ir {

/// Where a tile stands in the outputs of a kernel that is given `args`.
struct TileCorner {
  mlir::Value args, row, column;
  mlir::Value finishes; ///< whether its sums will be finished, always if null
};

/// Whether a kernel asks for what an epilogue touches before it gets there: not
/// where outputs and full operands of all rows fit L1, nor where another phase
/// has the epilogues, nor for tiles of dot products, a
/// few columns wide. Without it an epilogue waits for memory, and the next
/// tile's products behind it.
bool prefetchesTiles(const KernelLayer &layer);

/// Whether its k loops ask, rather than a function before them.
bool prefetchesInLoop(const KernelLayer &layer);

/// Whether a call with `args` asks, of a kernel that calls @name_prefetch: with
/// few rows of many possible ones all may fit L1, where asking takes a few ns a
/// tile for nothing.
mlir::Value prefetchesInCall(KernelWriter &writer, mlir::Value args);

/// The tiles of mr x nr elements that the epilogue reads and writes: of the
/// full operands, and of the outputs unless these are streamed. Before its
/// epilogue comes next all rows are the first one.
llvm::SmallVector<mlir::Value> touchedByEpilogue(KernelWriter &writer,
                                                 const TileCorner &at);

/// Lines of a row of `columns` columns, as if it began with a line: what it
/// goes beyond them is the next tile's.
int64_t linesOfRow(mlir::Value tile, int64_t columns);

/// Prefetches one of them. As for reading, outputs too: instructions that ask
/// for a line to write are an extension of their own.
void prefetchLine(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value tile, mlir::Value row, int64_t line,
                  unsigned locality);

/// Builds @name_prefetch(args, row, column, rows), which asks for all of a tile
/// of `rows` rows at (`row`, `column`) at once. Kernels on vectors call it
/// before the tile's last products, which take longer than the lines take to
/// come (all products, where K is not cut: then a deep K may push them out
/// again, but takes so long that it hardly matters). On tile registers the k
/// loop asks, a few lines a step.
void buildTilePrefetch(KernelWriter &writer);

} // namespace lintel::ir
