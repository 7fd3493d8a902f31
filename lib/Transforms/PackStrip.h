// The function of a kernel that copies a strip of x.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/KernelWriter.h"

namespace lintel::ir {

/// Builds @name_pack(args, row, rows, k, depth, to): copies `rows` rows of x
/// from (`row`, `k`) on, `depth` deep, to [depth / i][height][i] at element
/// `to` of the workspace, where i elements stand side by side
/// (KernelLayer::packedTogether) and a packed strip has `height` rows: those of
/// the one tall strip for tile registers, else `rows`. Rows that are widened go
/// to [rows][strideOfWidenedRows(depth)].
void buildPackStrip(KernelWriter &writer);

} // namespace lintel::ir
