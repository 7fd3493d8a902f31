// Rows of x that are widened as they are packed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/KernelWriter.h"

namespace lintel::ir {

/// `rows` x `depth` elements: `from` as they lie in x, `to` wider.
struct RowsToWiden {
  mlir::Value from, to, rows, depth;
};

/// Floats to f32, bytes to i16 (Schedule::typeOfRows).
void widenRows(KernelWriter &writer, const RowsToWiden &rows);

} // namespace lintel::ir
