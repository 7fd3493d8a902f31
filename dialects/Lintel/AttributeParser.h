// The attribute dictionary of an op whose parser is written by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/OpImplementation.h"

namespace lintel::ir {

/// Parses an optional attribute dictionary and checks the op's own attributes
/// in it. Unchecked, one of the wrong kind would silently be dropped. Those in
/// `spelled` are what the rest of the text says, and would override it.
template <class Op>
mlir::ParseResult parseAttributes(mlir::OpAsmParser &parser,
                                  mlir::OperationState &state,
                                  llvm::ArrayRef<mlir::StringAttr> spelled) {
  llvm::SMLoc location = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(state.attributes))
    return mlir::failure();
  const auto refuse = [&](llvm::StringRef name) {
    return parser.emitError(location)
           << "spells out what '" << name
           << "' is before its attributes; leave it out of them";
  };
  for (mlir::StringAttr name : spelled) {
    if (state.attributes.get(name))
      return refuse(name.getValue());
    // MLIR still takes the name that segment sizes once had.
    constexpr llvm::StringRef kOldSegments = "operand_segment_sizes";
    if (name.getValue() == "operandSegmentSizes" &&
        state.attributes.get(kOldSegments))
      return refuse(kOldSegments);
  }
  return Op::verifyInherentAttrs(state.name, state.attributes,
                                 [&]() { return parser.emitError(location); });
}

} // namespace lintel::ir
