// The rate of products that the threads of an executor reach right now.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "Target/MachinePeaks.h"
#include "Target/ProductPeak.h"
#include "lintel/Error.h"
#include "lintel/Executor.h"

#include <cstdint>
#include <vector>

namespace lintel {

/// Collects samples of an instruction's peak. Clocks of shared and thermally
/// limited machines drift, so take some before and some after what is to be
/// compared.
class PeakMeter {
public:
  /// `threads` are asked of the executor; at most as many as the target has
  /// cores, and as the threads may use CPUs, run at once. The target must have
  /// the instruction, of whose products `partsOfOne` make one that counts.
  PeakMeter(Executor &executor, int32_t threads, const Target &target,
            ProductInstruction instruction, int64_t partsOfOne = 1)
      : executor(executor), threads(threads), instruction(instruction),
        partsOfOne(partsOfOne), isa(target.levelOfCode()), cores(target.cores) {
  }

  /// Of what the products of a layer of these types are made of.
  PeakMeter(Executor &executor, int32_t threads, const Target &target,
            const DataTypes &types)
      : PeakMeter(executor, threads, target, bestInstruction(target, types),
                  partsOfProduct(target, types)) {}

  /// One sample, of about a millisecond. Fails where the executor does not run
  /// each part once.
  Status sampleOnce();
  /// Samples for about this long, and at least three times unless that takes
  /// many times as long.
  Status sampleFor(double milliseconds);

  /// The fastest sample; 0 before the first.
  double gflops() const { return rate().best; }
  Rate rate() const { return Rate::of(samples); }
  /// The most threads that ran parts of one sample at all; 0 before the first.
  int32_t threadsSeen() const { return seen; }
  /// Of these, the most that can have run at once, by the CPUs that all of them
  /// together may use.
  int32_t threadsAtOnce() const { return seenAtOnce; }

private:
  Executor &executor;
  int32_t threads;
  ProductInstruction instruction;
  int64_t partsOfOne;
  IsaLevel isa;
  int64_t cores;
  int64_t iterations = 0; ///< of one sample; found by the first
  int32_t seen = 0, seenAtOnce = 0;
  std::vector<double> samples;
};

} // namespace lintel
