// What lowerings ask of operands that are constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"

namespace lintel::ir {

/// Fails, with an error on `op`, if an operand is a constant that no kernel can
/// have, or is none where its lowering needs one. No verifier asks: whether an
/// operand is a constant depends on the passes that have run.
mlir::LogicalResult checkKnownOperands(MicrokernelOp op);
mlir::LogicalResult checkKnownOperands(ApplyEpilogueOp op);

} // namespace lintel::ir
