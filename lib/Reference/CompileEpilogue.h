// From an epilogue region to a program that the oracle runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/ScalarProgram.h"
#include "lintel/Error.h"

#include "mlir/IR/Region.h"

namespace lintel {

/// Compiles the one block of `region`, which is verified and yields the
/// results. An operation that the reference does not know is
/// ErrorCode::unsupported.
Expected<ScalarProgram> compileEpilogue(mlir::Region &region);

} // namespace lintel
