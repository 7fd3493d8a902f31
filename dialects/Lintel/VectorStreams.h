// What streams take on vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"

namespace lintel::ir {

/// The error of an op whose streams do not have it. The verifier sees part of
/// it, and whoever knows the depth the rest.
inline mlir::InFlightDiagnostic refuseVectorStreams(MicrokernelOp op) {
  return op.emitOpError("has streams = ")
         << op.getSchedule().getValue().streams
         << ", which on vectors takes accumulate = f32, vectors along N and a "
            "depth that is a constant";
}

} // namespace lintel::ir
