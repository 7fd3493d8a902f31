// Numbers that functions are tested with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <vector>

namespace lintel::integration {

/// A grid from 0 to `end` and powers of two to the largest.
inline std::vector<float> manyValues(float end) {
  std::vector<float> values;
  for (int step = 0; step < 4608; ++step)
    values.push_back(end * static_cast<float>(step) / 4608);
  for (int exponent = -140; exponent < 128; exponent += 2)
    values.push_back(std::ldexp(1.5f, exponent));
  return values;
}

} // namespace lintel::integration
