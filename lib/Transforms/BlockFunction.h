// The function of a kernel that computes one block of the output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/TileFunctions.h"

namespace lintel::ir {

/// What the driver passes on, as far as it is not known when compiling.
struct BlockOperands {
  Range strips, panels;
  mlir::Value baseRows, shortStrips; ///< how M is cut, see firstRowOf()
  mlir::Value accumulators;          ///< offset in the memory of sums
  mlir::Value tallRows;              ///< when there are several heights
  mlir::Value firstDepth, depth;     ///< of a slice, when threads share K
  mlir::Value widePanel;             ///< when panels are widened: where to
  mlir::Value packedA, packs; ///< when x is packed: where, and whether now

  llvm::SmallVector<Parameter> parameters();
};

/// Builds the loops over K blocks and tiles: (args, parameters of a block). The
/// tile functions are called by name.
void buildBlockFunction(KernelWriter &writer);

} // namespace lintel::ir
