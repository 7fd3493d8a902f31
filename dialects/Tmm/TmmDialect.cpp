// Registration of the dialect's parts, and the attributes of functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tmm/TmmDialect.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace lintel::tmm;

#include "Tmm/TmmDialect.cpp.inc"
#include "Tmm/TmmEnums.cpp.inc"

void TmmDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "Tmm/TmmOps.cpp.inc"
      >();
}

LogicalResult TmmDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name != kConfiguredAttribute && name != kUntouchedAttribute)
    return op->emitError("the dialect tmm knows the attributes '")
           << kConfiguredAttribute << "' and '" << kUntouchedAttribute
           << "', not '" << name << "'";
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError("is no function: '")
           << name << "' says what a function does to the tile registers";
  if (name == kConfiguredAttribute && !isa<ConfigAttr>(attribute.getValue()))
    return op->emitOpError("takes a #tmm.config as '")
           << name << "', not " << attribute.getValue();
  if (name == kUntouchedAttribute && !isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError("takes '")
           << name << "' without a value, not " << attribute.getValue();
  if (name == kUntouchedAttribute && op->hasAttr(kConfiguredAttribute))
    return op->emitOpError("cannot be both '")
           << kConfiguredAttribute << "' and '" << kUntouchedAttribute << "'";
  return success();
}

/// They are of functions, not of what these take or return.
static LogicalResult refuseOnValue(Operation *op, NamedAttribute attribute) {
  return op->emitOpError("has '")
         << attribute.getName().getValue()
         << "' on an argument or a result; what a function does to the tile "
            "registers is said by attributes of the function";
}

LogicalResult TmmDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned,
                                                   NamedAttribute attribute) {
  return refuseOnValue(op, attribute);
}

LogicalResult
TmmDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                        NamedAttribute attribute) {
  return refuseOnValue(op, attribute);
}
