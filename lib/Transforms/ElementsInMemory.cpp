// Which elements stand in memory as they do in a vector.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/ElementsInMemory.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace lintel::ir {

bool isDenseInMemory(mlir::Type element) {
  if (!element.isIntOrFloat())
    return false;
  const unsigned bits = element.getIntOrFloatBitWidth();
  return bits >= 8 && llvm::isPowerOf2_32(bits);
}

mlir::LogicalResult checkElementsInMemory(mlir::Operation *op) {
  const auto moved =
      llvm::TypeSwitch<mlir::Operation *, mlir::VectorType>(op)
          .Case<mlir::vector::LoadOp, mlir::vector::StoreOp,
                mlir::vector::MaskedLoadOp, mlir::vector::MaskedStoreOp>(
              [](auto access) { return access.getVectorType(); })
          .Default(mlir::VectorType());
  if (!moved || !moved.getElementType().isIntOrFloat() ||
      isDenseInMemory(moved.getElementType()))
    return mlir::success();
  return op->emitOpError("moves the vector ")
         << moved << ", but elements of " << moved.getElementType()
         << " stand farther apart in memory; use elements of 8 bits or a "
            "larger power of two";
}

} // namespace lintel::ir
