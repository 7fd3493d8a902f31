// Bounds of operands that are constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Operation.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace lintel::ir {

/// What an operand may be where it is known; lowerings make sizes and strides
/// of it.
struct KnownRange {
  llvm::StringRef name;
  mlir::Value value; ///< null: the operand is not there
  int64_t least = 0;
  int64_t most = std::numeric_limits<int64_t>::max();
};

/// Success unless one of the operands is a constant out of its range.
inline mlir::LogicalResult
verifyKnownRanges(mlir::Operation *op, llvm::ArrayRef<KnownRange> ranges) {
  for (const KnownRange &range : ranges) {
    if (!range.value)
      continue;
    const std::optional<int64_t> known = mlir::getConstantIntValue(range.value);
    if (known && (*known < range.least || *known > range.most))
      return op->emitOpError("has '")
             << range.name << "' of " << *known << "; it is at least "
             << range.least << " and at most " << range.most;
  }
  return mlir::success();
}

} // namespace lintel::ir
