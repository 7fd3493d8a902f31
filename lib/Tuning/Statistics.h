// Robust statistics of a few noisy samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

namespace lintel {

/// Standard deviations in a median absolute deviation of the normal
/// distribution.
inline constexpr double kDeviationsPerMad = 1.4826;

/// The middle, or the mean of the two middle ones; 0 for no values.
double medianOf(std::vector<double> values);

/// The value below which a third of the samples lie; infinity for none. Noise
/// mostly adds, so the median of a few is often an outlier, while the minimum
/// of many is a lucky shot.
double lowerThirdOf(std::vector<double> values);

/// The middle, or the lower of the two middle ones; infinity for none.
double lowerMedianOf(std::vector<double> values);

/// The standard deviation that normally distributed samples with the same
/// median absolute deviation would have, over the median; 0 for fewer than 3
/// samples or where the median is no positive number.
double relativeDeviationOf(const std::vector<double> &values);

} // namespace lintel
