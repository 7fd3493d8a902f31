// Instantiating an epilogue's scalar region on scalars or vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/EpilogueRegion.h"

#include "Transforms/EpilogueFlags.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"

namespace lintel::ir {

llvm::SmallVector<mlir::Value> instantiateEpilogue(mlir::OpBuilder &builder,
                                                   mlir::Region &region,
                                                   mlir::ValueRange arguments,
                                                   int64_t lanes) {
  mlir::Block &body = region.front();
  mlir::IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (mlir::Operation &op : body.without_terminator()) {
    mlir::Operation *copy = builder.clone(op, mapping);
    dropPromises(copy);
    if (lanes == 0)
      continue;
    for (mlir::OpResult result : copy->getResults())
      result.setType(mlir::VectorType::get(lanes, result.getType()));
    if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(copy))
      constant.setValueAttr(mlir::DenseElementsAttr::get(
          llvm::cast<mlir::ShapedType>(constant.getType()),
          constant.getValue()));
  }
  llvm::SmallVector<mlir::Value> yielded;
  for (mlir::Value value : body.getTerminator()->getOperands())
    yielded.push_back(mapping.lookup(value));
  return yielded;
}

} // namespace lintel::ir
