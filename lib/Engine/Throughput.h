// Work and traffic of one call, and the rates they give.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Engine.h"
#include "lintel/Problem.h"

namespace lintel {

/// 2 * M * N * K; M is the typical one when it is dynamic. The epilogue's own
/// operations are not counted.
double floatingPointOperations(const Problem &problem);

/// Bytes of x, w, the operands and the outputs, each counted once.
double bytesMoved(const Problem &problem);

/// The rate that a share of the peak refers to.
struct PeakRate {
  double gflops = 0; ///< 0: unknown
  PeakSource source = PeakSource::run;
};

/// Of the peak kept for the machine (0: none) and the one sampled in this run,
/// the larger: either may have been measured at a bad time, and neither can
/// show more than the machine has.
PeakRate choosePeak(double storedGflops, double runGflops);

/// Fills peakFraction and peakSource from the report's gflops. A kernel that
/// was faster than the peak is itself the better measurement of it: the share
/// is then 1, the source the run. Returns the peak that the share refers to.
PeakRate setPeakShare(TuningReport &report, PeakRate peak);

/// Fills gflops, gbps and the share of the peak from the report's median; zeros
/// when nothing was timed. Returns the peak that the share refers to.
PeakRate setThroughput(TuningReport &report, const Problem &problem,
                       PeakRate peak);

} // namespace lintel
