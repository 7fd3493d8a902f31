// What contenders promise on the whole, after a race on slices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Contest.h"

#include <cstddef>
#include <vector>

namespace lintel {

/// Contenders' times on the slice, but longer or shorter if the estimate sees
/// them grow otherwise than the fastest there. If the slice did not try the
/// blocks of one, the estimate has more of a say.
class Promises {
public:
  /// Of all contenders, once they raced on `raced`, where `fastest` won.
  Promises(const Contest &contest, const Extent &raced, size_t fastest);

  /// Whether it was timed on the slice.
  bool has(size_t who) const { return all[who].onSlice > 0; }
  /// Microseconds of a call on the whole; 0 without any.
  double operator[](size_t who) const { return all[who].onWhole; }
  /// How many times as long as on the slice; of one that has a promise.
  double doubt(size_t who) const { return all[who].onWhole / all[who].onSlice; }

  /// Reports those that were not `tried` at full size with the doubt that kept
  /// them from it.
  void report(Contenders &contenders, const std::vector<size_t> &tried) const;

private:
  struct Promise {
    double onSlice = 0; ///< microseconds of the whole, going by that; 0: none
    double onWhole = 0; ///< the same, with what the slice could not show
  };
  std::vector<Promise> all;
};

} // namespace lintel
