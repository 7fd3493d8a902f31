// The problem behind a lintel.linear, as far as schedules look at it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/LayerShape.h"

#include "Lintel/ElementType.h"

namespace lintel::ir {

mlir::Type weightType(LinearOp op) {
  if (auto packed = llvm::dyn_cast<PackedType>(op.getW().getType()))
    return packed.getElementType();
  return llvm::cast<mlir::ShapedType>(op.getW().getType()).getElementType();
}

/// f32 stands for types that no kernel computes with, which lintel-tile
/// refuses.
static DType dtypeOrF32(mlir::Type type) {
  return dtypeOf(type).value_or(DType::f32);
}

Expected<Problem> shapeOf(LinearOp op) {
  if (mlir::ShapedType::isDynamic(op.getN()) ||
      mlir::ShapedType::isDynamic(op.getK()))
    return Error(ErrorCode::unsupported,
                 "N and K must be known when compiling; only M may be "
                 "dynamic");
  const DataTypes types = {dtypeOrF32(op.getInputType()),
                           dtypeOrF32(weightType(op)),
                           dtypeOrF32(op.getOutputType(0).getElementType()),
                           op.getAccumulate() ? DType::f16 : DType::f32};
  return Problem::create(op.getRowRange(), op.getN(), op.getK(), types,
                         Epilogue());
}

} // namespace lintel::ir
