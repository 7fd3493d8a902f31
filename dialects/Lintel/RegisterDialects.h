// Every dialect that a module on the line may hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/DialectRegistry.h"

namespace lintel::ir {

/// Adds Lintel's dialects, the upstream dialects that its passes read and
/// write, and the extensions that upstream's inliner and conversions to LLVM
/// look for.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace lintel::ir
