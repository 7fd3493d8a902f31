// The problem behind a lintel.linear, as far as schedules look at it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/LayerShape.h"

namespace lintel::ir {

Expected<Problem> shapeOf(LinearOp op) {
  if (mlir::ShapedType::isDynamic(op.getN()) ||
      mlir::ShapedType::isDynamic(op.getK()))
    return Error(ErrorCode::unsupported,
                 "N and K must be known when compiling; only M may be "
                 "dynamic");
  return Problem::create(op.getRowRange(), op.getN(), op.getK(), DataTypes(),
                         Epilogue());
}

} // namespace lintel::ir
