// What operations of an epilogue may promise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/EpilogueFlags.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

namespace lintel::ir {

namespace arith = mlir::arith;

static void keepContraction(arith::ArithFastMathInterface op) {
  arith::FastMathFlagsAttr given = op.getFastMathFlagsAttr();
  if (!given)
    return;
  const arith::FastMathFlags used =
      llvm::isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op)
          ? arith::FastMathFlags::contract
          : arith::FastMathFlags::none;
  const arith::FastMathFlags kept = given.getValue() & used;
  if (kept != given.getValue())
    op->setAttr(op.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op.getContext(), kept));
}

void dropPromises(mlir::Operation *op) {
  // Conversions copy them to operations of which they are flags.
  op->setDiscardableAttrs(mlir::DictionaryAttr::get(op->getContext()));
  if (auto floats = llvm::dyn_cast<arith::ArithFastMathInterface>(op))
    keepContraction(floats);
  if (auto integers =
          llvm::dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(integers.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(
                    op->getContext(), arith::IntegerOverflowFlags::none));
  llvm::TypeSwitch<mlir::Operation *>(op)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [](auto exact) { exact.setIsExact(false); });
}

} // namespace lintel::ir
