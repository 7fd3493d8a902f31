// The attribute dictionary of an op whose parser is written by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/OpImplementation.h"

namespace lintel::ir {

/// Parses an optional attribute dictionary and checks the op's own attributes
/// in it. Unchecked, one of the wrong kind would silently be dropped.
template <class Op>
mlir::ParseResult parseAttributes(mlir::OpAsmParser &parser,
                                  mlir::OperationState &state) {
  llvm::SMLoc location = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(state.attributes))
    return mlir::failure();
  return Op::verifyInherentAttrs(state.name, state.attributes,
                                 [&]() { return parser.emitError(location); });
}

} // namespace lintel::ir
