// What `lintel check` found about one problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Tuner.h"
#include "lintel/Engine.h"
#include "lintel/Problem.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lintel::tool {

struct CheckReport {
  Problem problem;
  TuningReport subject; ///< problem and machine; nothing measured
  std::vector<Candidate> candidates;

  size_t count(CandidateStatus status) const;
  /// The largest of all candidates.
  double maxError() const;
  /// No candidate is wrong, and every one could be compiled. What could not be
  /// checked counts for neither side.
  bool isRight() const;
};

/// A head line, a line for each candidate that is not right, and the counts.
std::string checkText(const CheckReport &report);
/// One line of JSON with the keys in docs/cli.md.
std::string checkJson(const CheckReport &report);

} // namespace lintel::tool
