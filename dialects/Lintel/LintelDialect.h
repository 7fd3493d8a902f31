// The dialect in C++: everything that the .td files generate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Broadcast.h"
#include "lintel/Quantization.h"
#include "lintel/RowRange.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Lintel/LintelDialect.h.inc"
#include "Lintel/LintelEnums.h.inc"

namespace lintel::ir {

/// A discardable attribute of the module, a #lintel.target: set by lintel-tile,
/// read by the passes after it, removed by lintel-to-llvm.
inline constexpr const char *kTargetAttribute = "lintel.target";

/// What `broadcasts` of a kernel's ops calls the sums of the columns of w and
/// of the rows of x; all other names are of operands.
inline constexpr llvm::StringLiteral kColumnSums = "column_sums";
inline constexpr llvm::StringLiteral kRowSums = "row_sums";
} // namespace lintel::ir

#define GET_TYPEDEF_CLASSES
#include "Lintel/LintelTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Lintel/LintelAttrs.h.inc"

#define GET_OP_CLASSES
#include "Lintel/LintelOps.h.inc"
