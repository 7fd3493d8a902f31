// What the oracle says about some of the elements of an output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/OracleSample.h"

#include "Tuning/WorkerThreads.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace lintel {

/// Multiply-adds that the oracle may spend: about 0.2 s of one core.
static constexpr int64_t kWork = 400'000'000;
/// What an element costs beside its K multiply-adds, mostly the epilogue.
static constexpr int64_t kElementWork = 64;
/// Register tiles have fewer rows than this; every one of them is sampled.
static constexpr int64_t kFirstRows = 32;
static constexpr int64_t kEdgeColumns = 64;
static constexpr uint64_t kSeed = 0x5eed;

namespace {
/// How much of the output the sample may hold.
struct Allowance {
  int64_t rows;     ///< complete rows; 0: not even one
  int64_t elements; ///< elements, if no row is affordable
};
} // namespace

static Allowance allowanceOf(const Problem &problem, int64_t rows) {
  const double element = static_cast<double>(problem.k()) + kElementWork;
  const double row = element * static_cast<double>(problem.n());
  const double affordable = static_cast<double>(kWork) / std::max(1.0, row);
  const double elements = std::max(256.0, static_cast<double>(kWork) / element);
  return {static_cast<int64_t>(std::min(affordable, static_cast<double>(rows))),
          static_cast<int64_t>(elements)};
}

/// `count` of the rows: the first, the last, and random ones between; a row
/// that is drawn twice counts twice.
static std::set<int64_t> chooseRows(int64_t rows, int64_t count) {
  std::set<int64_t> chosen;
  for (int64_t row = 0; row < std::min({rows, count, kFirstRows}); ++row)
    chosen.insert(row);
  if (count > 1)
    chosen.insert(rows - 1);
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<int64_t> anyRow(0, rows - 1);
  for (int64_t drawn = kFirstRows + 1; drawn < count; ++drawn)
    chosen.insert(anyRow(random));
  return chosen;
}

static std::vector<SampledSegment> wholeRows(const Problem &problem,
                                             int64_t rows, int64_t count) {
  std::vector<SampledSegment> segments;
  if (count == rows)
    for (int64_t row = 0; row < rows; ++row)
      segments.push_back({{row, 0}, problem.n(), {}});
  else
    for (int64_t row : chooseRows(rows, count))
      segments.push_back({{row, 0}, problem.n(), {}});
  return segments;
}

/// The ends of the first and the last row, and single elements anywhere.
static std::vector<SampledSegment>
scatteredElements(const Problem &problem, int64_t rows, int64_t count) {
  const int64_t edge = std::min(problem.n(), kEdgeColumns);
  std::vector<SampledSegment> segments;
  for (int64_t row : {int64_t(0), rows - 1})
    for (int64_t column : {int64_t(0), problem.n() - edge})
      for (int64_t i = 0; i < edge; ++i)
        segments.push_back({{row, column + i}, 1, {}});
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<int64_t> anyRow(0, rows - 1);
  std::uniform_int_distribution<int64_t> anyColumn(0, problem.n() - 1);
  for (int64_t drawn = 4 * edge; drawn < count; ++drawn)
    segments.push_back({{anyRow(random), anyColumn(random)}, 1, {}});
  return segments;
}

OracleSample OracleSample::evaluate(const Oracle &oracle, const TestData &data,
                                    const Problem &problem, int64_t rows,
                                    size_t workers) {
  OracleSample sample;
  const Allowance allowance = allowanceOf(problem, rows);
  sample.all = allowance.rows == rows;
  const bool byRow = allowance.rows > 0;
  sample.list = byRow ? wholeRows(problem, rows, allowance.rows)
                      : scatteredElements(problem, rows, allowance.elements);

  const LinearInputs inputs = data.inputs();
  runOnWorkers(workers, sample.list.size(), [&](size_t, size_t item) {
    SampledSegment &segment = sample.list[item];
    if (byRow)
      oracle.evaluateRow(inputs, segment.first.row, data.exactSums(),
                         segment.expected);
    else
      oracle.evaluateElement(inputs, segment.first.row, segment.first.column,
                             data.exactSums(), segment.expected);
  });
  for (const SampledSegment &segment : sample.list)
    for (const ReferenceElement &element : segment.expected) {
      if (std::isfinite(element.bound))
        sample.bound = std::max(sample.bound, element.bound);
      if (std::isfinite(element.value))
        sample.value = std::max(sample.value, std::abs(element.value));
    }
  return sample;
}

} // namespace lintel
