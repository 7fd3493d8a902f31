// What the oracle says about some of the elements of an output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/Oracle.h"
#include "Reference/TestData.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lintel {

/// One element of an output, the same in every result.
struct ElementPosition {
  int64_t row = 0, column = 0;
};

/// A run of columns of one row, with the reference of each.
struct SampledSegment {
  ElementPosition first;
  int64_t columns = 0;
  std::vector<ReferenceElement> expected; ///< [result][column]
};

/// Evaluated once, compared with every candidate.
class OracleSample {
public:
  /// All rows of a small problem. Of a larger one, by half of the work each:
  /// whole rows (the first, as many as a register tile may have, the last, and
  /// random ones) and short segments (at both ends of those rows, and
  /// anywhere). Tiles may lie between them.
  /// `workers` threads evaluate.
  static OracleSample evaluate(const Oracle &oracle, const TestData &data,
                               const Problem &problem, int64_t rows,
                               size_t workers);

  const std::vector<SampledSegment> &segments() const { return list; }
  /// Every element of the output is in the sample.
  bool complete() const { return all; }
  /// Largest bound and largest magnitude in the sample, over all results.
  double largestBound() const { return bound; }
  double largestValue() const { return value; }
  /// The largest bound in the sample of what is about as large as `magnitude`,
  /// or smaller; 0 if nothing is.
  double largestBoundUpTo(double magnitude) const;

private:
  /// One for each power of two from the least of floats to the largest.
  static constexpr int kLeastExponent = -149, kLargestExponent = 127;
  static size_t placeOf(double magnitude);

  std::vector<SampledSegment> list;
  bool all = false;
  double bound = 0, value = 0;
  /// Of values below twice the power of two.
  std::array<double, kLargestExponent - kLeastExponent + 1> boundsUpTo{};
};

} // namespace lintel
