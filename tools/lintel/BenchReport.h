// What `lintel bench` measured of one problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Engine.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lintel::tool {

/// What was measured with one number of rows: the report of the kernel that
/// serves it, with the numbers of this run.
struct Timing {
  int64_t rows = 0;
  TuningReport report;
  std::optional<double> spread = {}; ///< of samples, three or more
  double peakGflops = 0;             ///< what the share refers to
  std::string doubt = {};            ///< why it means little, or empty
  std::string idle = {}; ///< idleText() of the schedule with so many rows
  /// Tuning flushes all of the weight after each run, as other layers of a
  /// model would displace it; here it is where the call before left it.
  bool isTunedFlushed = false;
};

struct Measurement {
  TuningReport layer;
  std::vector<Timing> timings; ///< fewest rows first; empty: nothing to compute
  double readyMilliseconds = 0;
  bool interrupted = false; ///< tuning, or timing, was cut short
  std::string failure = {}; ///< of rows that could not be timed, and the rest
};

/// A head line, what was measured with each number of rows, and where the
/// kernel comes from.
std::string benchText(const Problem &problem, const Measurement &measurement);
/// One line of JSON with the keys in docs/cli.md.
std::string benchJson(const Measurement &measurement);

} // namespace lintel::tool
