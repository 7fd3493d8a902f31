// Decides whether a kernel is right.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/Oracle.h"
#include "Reference/TestData.h"
#include "Runtime/AlignedBuffer.h"
#include "Tuning/OracleSample.h"
#include "Tuning/PoisonedOutputs.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace lintel {

/// What one run of a kernel was found to be.
struct Verdict {
  /// Normalised, over the oracle's sample; where the run is equal to the first
  /// accepted one, that one's.
  double maxError = 0;
  std::string fault; ///< empty: right
  /// The fault is that it could not be run.
  std::optional<ErrorCode> failure = std::nullopt;
  /// The run is right where it differs from the first accepted run, so that
  /// one, and all that agreed with it, must be judged again.
  bool refutesReference = false;
  bool partial = false; ///< not all of its micro-kernels ran
  bool right() const { return fault.empty(); }
  bool ran() const { return !failure; }
};

struct VerifierOptions {
  int64_t rows = 1;
  Fill fill = Fill::exact;
  size_t workers = 1; ///< threads that make data and evaluate the oracle
  /// Of the problem that is verified on a slice, 0 if on all columns: rows of
  /// outputs().denseTensors() and of full operands lie apart as there, modulo
  /// what shares a place in a cache.
  int64_t wholeColumns = 0;
};

/// Inputs of one call, what it must give, and the outputs to look at.
///
/// A run is compared with the oracle's sample, unless it is equal bit by bit to
/// the first run that was accepted, and, where the sample is not the whole
/// output, in every element with that run; where they differ the oracle
/// decides. So is a second run of the first kernel where its results are
/// integers. Outputs are poisoned before each run, and everything around them
/// must stay as it was.
class Verifier {
public:
  /// Computes the first `rows` rows of the outputs.
  using Run = std::function<Status(int64_t rows, const KernelTensor *outputs)>;

  static Expected<std::unique_ptr<Verifier>>
  create(const Problem &problem, const VerifierOptions &options);

  /// Judges a run of all rows that computes the columns from `firstColumn` on,
  /// and must leave those before alone.
  Verdict verify(const Run &run, int64_t firstColumn = 0);
  /// Judges a run of the first `rows` rows alone, 1 <= rows <= those of
  /// create().
  Verdict verifyFirstRows(int64_t rows, const Run &run,
                          int64_t firstColumn = 0);
  /// Forgets the first accepted run; the next that is right takes its place.
  void forgetReference() { hasReference = false; }

  const TestData &data() const { return inputs; }
  PoisonedOutputs &outputs() { return poisoned; }

private:
  Verifier(const Problem &problem, int64_t rows, TestData data,
           PoisonedOutputs outputs, std::unique_ptr<Oracle> oracle,
           OracleSample sample, AlignedBuffer reference);
  /// The part of an output that a run computes.
  struct Part {
    int64_t rows, firstColumn;
  };
  Verdict verifyAgain(const Run &run, int64_t firstColumn);
  Verdict compareWithSample(Part part) const;
  bool equalsReference(const SampledSegment &segment, int64_t skipped) const;
  void compareWithOracle(const SampledSegment &segment, int64_t skipped,
                         Verdict &verdict) const;
  void compareWithReference(Part part, Verdict &verdict) const;
  void settleDifference(int result, ElementPosition at, Verdict &verdict) const;
  const std::byte *referenceRow(int result, int64_t row) const;
  bool agree(double a, double b) const;
  ReferenceElement oracleAt(int result, ElementPosition at) const;
  std::string describe(int result, ElementPosition at,
                       const ReferenceElement &expected) const;
  void keepAsReference(int64_t firstColumn);

  int64_t rowCount, columns;
  DType dtype; ///< of the outputs
  int results;
  TestData inputs;
  PoisonedOutputs poisoned;
  std::unique_ptr<Oracle> oracle;
  OracleSample sample;
  AlignedBuffer reference; ///< [result][row][column] of the run kept in it
  bool hasReference = false;
  int64_t firstReferenceColumn = 0;
  double referenceError = 0; ///< of that run, over the sample
};

} // namespace lintel
