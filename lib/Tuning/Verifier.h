// Decides whether a kernel is right.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/Oracle.h"
#include "Reference/TestData.h"
#include "Tuning/OracleSample.h"
#include "Tuning/PoisonedOutputs.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lintel {

/// What one run of a kernel was found to be.
struct Verdict {
  double maxError = 0; ///< normalised, over the oracle's sample
  std::string fault;   ///< empty: right
  bool ran = true;     ///< false: the fault is that it could not be run
  /// The run is right where it differs from the first accepted run, so that
  /// one, and all that agreed with it, must be judged again.
  bool refutesReference = false;
  bool right() const { return fault.empty(); }
};

/// Inputs of one call, what it must give, and the outputs to look at.
///
/// A run is compared with the oracle's sample, and, where the sample is not the
/// whole output, in every element with the first run that was accepted; where
/// they differ the oracle decides. Outputs are poisoned before each run, and
/// everything around them must stay as it was.
class Verifier {
public:
  /// Computes the first `rows` rows of the outputs.
  using Run = std::function<Status(int64_t rows, const KernelTensor *outputs)>;

  static Expected<std::unique_ptr<Verifier>>
  create(const Problem &problem, int64_t rows, Fill fill, size_t workers);

  /// Judges a run of all rows.
  Verdict verify(const Run &run);
  /// Judges a run of the first `rows` rows alone, 1 <= rows <= those of
  /// create().
  Verdict verifyFirstRows(int64_t rows, const Run &run);
  /// Forgets the first accepted run; the next that is right takes its place.
  void forgetReference() { reference.clear(); }

  const TestData &data() const { return inputs; }
  PoisonedOutputs &outputs() { return poisoned; }
  int64_t rows() const { return rowCount; }

private:
  Verifier(const Problem &problem, int64_t rows, TestData data,
           PoisonedOutputs outputs, std::unique_ptr<Oracle> oracle,
           OracleSample sample);
  Verdict compareWithSample(int64_t rows) const;
  void compareWithReference(int64_t rows, Verdict &verdict) const;
  size_t referenceIndex(int result, ElementPosition at) const;
  bool agree(double a, double b) const;
  ReferenceElement oracleAt(int result, ElementPosition at) const;
  std::string describe(int result, ElementPosition at,
                       const ReferenceElement &expected) const;
  void keepAsReference();

  int64_t rowCount, columns;
  int results;
  TestData inputs;
  PoisonedOutputs poisoned;
  std::unique_ptr<Oracle> oracle;
  OracleSample sample;
  std::vector<float> reference; ///< [result][row][column]; empty: none yet
};

} // namespace lintel
