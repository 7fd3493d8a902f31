// What the oracle says about some of the elements of an output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/OracleSample.h"

#include "Tuning/WorkerThreads.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace lintel {

/// Multiply-adds that the oracle may spend: about 30 ms of one core.
static constexpr int64_t kWork = 75'000'000;
/// What an element costs beside its K multiply-adds, mostly the epilogue.
static constexpr int64_t kElementWork = 64;
/// Of the tallest tiles, those of 48x16 on tile registers: each row of the
/// first one is sampled.
static constexpr int64_t kFirstRows = 48;
/// Columns of a segment; narrower than any register tile.
static constexpr int64_t kSegmentColumns = 16;
static constexpr uint64_t kSeed = 0x5eed;

namespace {
/// Chooses what the oracle is asked about.
class Chooser {
public:
  Chooser(int64_t rows, int64_t columns) : rows(rows), columns(columns) {}

  void allRows() {
    for (int64_t row = 0; row < rows; ++row)
      addRow(row);
  }

  /// `count` rows: the first, the last, and random ones between.
  void wholeRows(int64_t count) {
    std::set<int64_t> chosen;
    for (int64_t row = 0; row < std::min({rows, count - 1, kFirstRows}); ++row)
      chosen.insert(row);
    if (count > 0)
      chosen.insert(rows - 1);
    // A row that is drawn twice counts twice.
    for (int64_t drawn = kFirstRows + 1; drawn < count; ++drawn)
      chosen.insert(anyOf(rows));
    for (int64_t row : chosen)
      addRow(row);
  }

  /// `count` segments, but at least one in each corner.
  void scatteredSegments(int64_t count) {
    for (int64_t i = 0; i < std::min(rows, kFirstRows + 1); ++i)
      // The corners first: the last row, then the first ones.
      for (int64_t last : {int64_t(0), columns - kSegmentColumns})
        if (i < 2 || --count > 0)
          addSegment(i == 0 ? rows - 1 : i - 1, last);
    // Evenly, as random positions are not: the additive recurrence of the
    // plastic number leaves no large rectangle empty.
    double row = 0.5, column = 0.5;
    while (--count > 0) {
      row = std::fmod(row + 0.7548776662466927, 1);
      column = std::fmod(column + 0.5698402909980532, 1);
      addSegment(static_cast<int64_t>(row * static_cast<double>(rows)),
                 static_cast<int64_t>(column * static_cast<double>(columns)));
    }
  }

  std::vector<SampledSegment> segments;

private:
  int64_t anyOf(int64_t size) {
    return std::uniform_int_distribution<int64_t>(0, size - 1)(random);
  }
  void addRow(int64_t row) { segments.push_back({{row, 0}, columns, {}}); }
  void addSegment(int64_t row, int64_t column) {
    const int64_t first = std::clamp<int64_t>(
        column, 0, std::max<int64_t>(0, columns - kSegmentColumns));
    segments.push_back(
        {{row, first}, std::min(kSegmentColumns, columns - first), {}});
  }

  int64_t rows, columns;
  std::mt19937_64 random{kSeed};
};
} // namespace

OracleSample OracleSample::evaluate(const Oracle &oracle, const TestData &data,
                                    const Problem &problem, int64_t rows,
                                    size_t workers) {
  OracleSample sample;
  const double element = static_cast<double>(problem.k()) + kElementWork;
  const double row = element * static_cast<double>(problem.n());
  sample.all = row * static_cast<double>(rows) <= kWork;
  Chooser chooser(rows, problem.n());
  if (sample.all) {
    chooser.allRows();
  } else {
    chooser.wholeRows(static_cast<int64_t>(0.5 * kWork / row));
    chooser.scatteredSegments(
        static_cast<int64_t>(0.5 * kWork / (element * kSegmentColumns)));
  }
  sample.list = std::move(chooser.segments);

  const LinearInputs inputs = data.inputs();
  runOnWorkers(workers, sample.list.size(), [&](size_t, size_t item) {
    SampledSegment &segment = sample.list[item];
    oracle.evaluateColumns(inputs, segment.first.row, segment.first.column,
                           segment.columns, data.exactSums(), segment.expected);
  });
  for (const SampledSegment &segment : sample.list)
    for (const ReferenceElement &element : segment.expected) {
      if (std::isfinite(element.bound))
        sample.bound = std::max(sample.bound, element.bound);
      if (!std::isfinite(element.value))
        continue;
      const double magnitude = std::abs(element.value);
      sample.value = std::max(sample.value, magnitude);
      double &largest = sample.boundsUpTo[placeOf(magnitude)];
      if (std::isfinite(element.bound))
        largest = std::max(largest, element.bound);
    }
  for (size_t i = 1; i < sample.boundsUpTo.size(); ++i)
    sample.boundsUpTo[i] =
        std::max(sample.boundsUpTo[i], sample.boundsUpTo[i - 1]);
  return sample;
}

size_t OracleSample::placeOf(double magnitude) {
  // Of 0 the least there is.
  const int exponent =
      std::clamp(std::ilogb(magnitude), kLeastExponent, kLargestExponent);
  return static_cast<size_t>(exponent - kLeastExponent);
}

double OracleSample::largestBoundUpTo(double magnitude) const {
  return boundsUpTo[placeOf(magnitude)];
}

} // namespace lintel
