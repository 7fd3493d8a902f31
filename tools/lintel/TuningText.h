// A tuning report for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Engine.h"
#include "lintel/Problem.h"

#include <string>

namespace lintel::tool {

/// A head line, one line a candidate, best first, and what the work cost:
///
///   AUTOTUNE linear(128x768, 768x3072) f32 bias+gelu_erf threads=2 isa=avx512
///     tile=8x48,...  0.6123 ms  100.0%  986.4 GFLOP/s  88.1% of peak
///     ...
///   48 candidates, 7 objects; compile 80 ms, verify 60 ms, time 1000 ms, ...
/// A problem with buckets has such a block for each of them, and, before the
/// last line, one about the choice of the panels that they share:
///
///   panels of 48: 1.031 times the best of each kernel by itself; 32: 1.052
std::string tuningText(const Problem &problem, const TuningReport &report);

/// The report of the kernel that serves so many rows.
const TuningReport &kernelFor(const TuningReport &layer, int64_t rows);

/// What one of the buckets in a report on `problem` computes.
Problem bucketOf(const Problem &problem, const TuningReport &bucket);

/// What tuning a list cost, all together.
class TuningTotal {
public:
  void add(const TuningReport &report);
  void addFailure() { ++failed; }
  size_t problems() const { return tuned + found + pinned + empty + failed; }
  /// "43 problems: 39 tuned, 3 already there, 1 failed; compile 3.5 s, verify
  /// 9.0 s, time 12.1 s, total 25.3 s".
  std::string text() const;

private:
  size_t &counterOf(const TuningReport &report);

  size_t tuned = 0, found = 0, pinned = 0, empty = 0, failed = 0;
  double compileMilliseconds = 0, verifyMilliseconds = 0, timeMilliseconds = 0,
         totalMilliseconds = 0;
};

/// ", from an interrupted tuning (tune --retune tunes again)", without the
/// advice where no cache holds the choice; "" if nothing speaks against it;
/// ", noisy" of a schedule that was given.
std::string doubtText(const TuningReport &report);

/// "0.6123 ms", "not timed" where a race ended before it had begun to time.
std::string medianText(const TuningReport &report);

/// "linear(...) f32 bias threads=2 isa=avx512".
std::string subjectText(const Problem &problem, const TuningReport &report);

/// "works on 1 of 2 threads", of a schedule that leaves some idle, as one does
/// whose grid was left out, or one that won while others had the CPUs.
std::string idleText(const std::string &schedule, const Problem &problem,
                     int threads);

} // namespace lintel::tool
