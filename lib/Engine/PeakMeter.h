// The multiply-add rate the machine reaches right now, on the threads of an
// executor. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "Target/MachinePeaks.h"
#include "lintel/Executor.h"

#include <cstdint>
#include <vector>

namespace lintel {

/// Collects samples of the FMA peak. Clocks of shared and thermally limited
/// machines drift, so take some before and some after what is to be compared.
class PeakMeter {
public:
  /// `threads` are asked of the executor; at most `cores` of them run at once.
  PeakMeter(Executor &executor, int32_t threads, const Target &target)
      : executor(executor), threads(threads), isa(target.isa),
        cores(target.cores) {}

  /// One sample, of about a millisecond.
  void sampleOnce();
  /// Samples for about this long, at least three times.
  void sampleFor(double milliseconds);

  /// The fastest sample; 0 before the first.
  double gflops() const { return rate().best; }
  Rate rate() const { return Rate::of(samples); }

private:
  Executor &executor;
  int32_t threads;
  IsaLevel isa;
  int64_t cores;
  int64_t iterations = 0; ///< of one sample; found by the first
  std::vector<double> samples;
};

} // namespace lintel
