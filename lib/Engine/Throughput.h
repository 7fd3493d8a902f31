// Work and traffic of one call, and the rates they give.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Engine.h"
#include "lintel/Problem.h"

namespace lintel {

/// 2 * M * N * K; M is planningRows() when it is dynamic. The epilogue's own
/// operations are not counted.
double floatingPointOperations(const Problem &problem);

/// Bytes of x, w, the operands and the outputs, each counted once.
double bytesMoved(const Problem &problem);

/// Fills gflops, gbps and peakFraction from the report's median; zeros when
/// nothing was timed.
void setThroughput(TuningReport &report, const Problem &problem,
                   double peakGflops);

} // namespace lintel
