// Registration of the dialect's parts, and the attribute of modules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/LintelDialect.h"

#include "mlir/IR/BuiltinOps.h"

using namespace lintel::ir;

#include "Lintel/LintelDialect.cpp.inc"
#include "Lintel/LintelEnums.cpp.inc"

#define GET_OP_CLASSES
#include "Lintel/LintelOps.cpp.inc"

void LintelDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "Lintel/LintelOps.cpp.inc"
      >();
}

llvm::LogicalResult
LintelDialect::verifyOperationAttribute(mlir::Operation *op,
                                        mlir::NamedAttribute attribute) {
  const llvm::StringRef name = attribute.getName();
  if (name != kTargetAttribute)
    return op->emitError("the dialect lintel knows the attribute '")
           << kTargetAttribute << "', not '" << name << "'";
  if (!llvm::isa<mlir::ModuleOp>(op))
    return op->emitOpError("is no module: '")
           << name << "' says what the kernels of a module run on";
  if (!llvm::isa<TargetAttr>(attribute.getValue()))
    return op->emitOpError("takes a #lintel.target as '")
           << name << "', not " << attribute.getValue();
  return mlir::success();
}

static llvm::LogicalResult refuseOnValue(mlir::Operation *op,
                                         mlir::NamedAttribute attribute) {
  return op->emitOpError("has '")
         << attribute.getName().getValue()
         << "' on an argument or a result, of which the dialect lintel knows "
            "no attributes";
}

llvm::LogicalResult
LintelDialect::verifyRegionArgAttribute(mlir::Operation *op, unsigned, unsigned,
                                        mlir::NamedAttribute attribute) {
  return refuseOnValue(op, attribute);
}

llvm::LogicalResult LintelDialect::verifyRegionResultAttribute(
    mlir::Operation *op, unsigned, unsigned, mlir::NamedAttribute attribute) {
  return refuseOnValue(op, attribute);
}
