// The function of a kernel that asks for what an epilogue will touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/KernelWriter.h"

namespace lintel::ir {

/// Whether a kernel has @name_prefetch: not where outputs and full operands of
/// all rows fit L1, nor where an epilogue does not follow the products of its
/// tile, nor for tiles of dot products, a few columns wide.
bool prefetchesTiles(const KernelLayer &layer);

/// Builds @name_prefetch(args, row, column, rows): prefetches the full operands
/// of a tile of `rows` rows at (`row`, `column`) and its outputs, unless these
/// are streamed. Called before the tile's last products, which take longer than
/// the lines take to come (all products, where K is not cut: then a deep K may
/// push them out again, but takes so long that it hardly matters); without it
/// an epilogue waits for memory, and the next tile's products behind it.
void buildTilePrefetch(KernelWriter &writer);

} // namespace lintel::ir
