// Robust statistics of a few noisy samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lintel {

double medianOf(std::vector<double> values) {
  if (values.empty())
    return 0;
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The value below which one of so many parts of the others lies.
static double lowerPartOf(std::vector<double> values, size_t parts) {
  if (values.empty())
    return std::numeric_limits<double>::infinity();
  const auto place = values.begin() + (values.size() - 1) / parts;
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

double lowerThirdOf(std::vector<double> values) {
  return lowerPartOf(std::move(values), 3);
}

double lowerMedianOf(std::vector<double> values) {
  return lowerPartOf(std::move(values), 2);
}

double relativeDeviationOf(const std::vector<double> &values) {
  const double center = medianOf(values);
  if (values.size() < 3 || !(center > 0) || std::isinf(center))
    return 0;
  std::vector<double> deviations;
  for (double value : values)
    deviations.push_back(std::abs(value - center));
  return kDeviationsPerMad * medianOf(std::move(deviations)) / center;
}

} // namespace lintel
