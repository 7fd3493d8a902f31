// How a dynamic M is cut into ranges that have a kernel each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/Buckets.h"

#include "Problem/ProblemTitle.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lintel {

std::vector<int64_t> usualMix() { return {1, 4, 16, 64, RowRange::kTypical}; }

bool hasBuckets(const Problem &problem) {
  return problem.rows() == RowRange::any();
}

Expected<std::vector<int64_t>> makeMix(std::vector<int64_t> rows) {
  if (rows.empty())
    return usualMix();
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  for (int64_t unusable : {rows.front(), rows.back()})
    if (unusable < 1 || unusable > RowRange::kLargest)
      return Error(ErrorCode::invalidArgument,
                   "rows: " + std::to_string(unusable) +
                       " is no number of rows to tune for; it must be 1 to " +
                       std::to_string(RowRange::kLargest));
  if (rows.size() > kMostBuckets)
    return Error(ErrorCode::invalidArgument,
                 "rows: " + std::to_string(rows.size()) +
                     " numbers are named, but a layer has at most " +
                     std::to_string(kMostBuckets) + " kernels");
  return rows;
}

std::vector<RowRange> bucketRanges(const std::vector<int64_t> &mix) {
  std::vector<RowRange> ranges;
  int64_t least = 0;
  for (size_t i = 0; i < mix.size(); ++i) {
    const bool isLast = i + 1 == mix.size();
    RowRange range{least, isLast ? RowRange::kLargest : mix[i], mix[i]};
    if (range.most == 1)
      range = RowRange::known(1);
    ranges.push_back(range);
    least = mix[i] + 1;
  }
  return ranges;
}

Expected<std::vector<Problem>> cutIntoBuckets(const Problem &problem,
                                              const std::vector<int64_t> &mix) {
  if (mix.empty())
    return std::vector<Problem>{problem};
  std::vector<Problem> buckets;
  for (const RowRange &range : bucketRanges(mix)) {
    Expected<Problem> bucket = problem.withRowRange(range);
    if (!bucket)
      return bucket.error().in(problemTitle(problem.text()));
    buckets.push_back(std::move(*bucket));
  }
  return buckets;
}

std::string rowsInWords(const Problem &problem) {
  const std::string rows = problem.rowsText();
  return rows + (rows == "1" ? " row" : " rows");
}

} // namespace lintel
