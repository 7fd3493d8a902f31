// The numbers of rows M that calls of a layer may have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>

namespace lintel {

/// From `least` to `most` rows, ends included. A known M is a range of one.
struct RowRange {
  /// The largest M accepted. Two such sizes multiply to a number of elements
  /// within int64_t; bytes are checked where they are counted.
  static constexpr int64_t kLargest = int64_t(1) << 31;
  /// The M that a layer for any M is tuned for when nobody says better.
  static constexpr int64_t kTypical = 512;

  int64_t least = 0;
  int64_t most = 0;
  int64_t typical = 0; ///< in the range; what tuning has in mind

  static constexpr RowRange known(int64_t m) { return {m, m, m}; }
  /// Typical is the most, or, where there is no limit, kTypical or more.
  static constexpr RowRange between(int64_t least, int64_t most) {
    return {least, most, most < kLargest ? most : std::max(least, kTypical)};
  }
  static constexpr RowRange any() { return between(0, kLargest); }

  bool isKnown() const { return least == most; }
  bool isBounded() const { return most < kLargest; }
  bool contains(int64_t rows) const { return least <= rows && rows <= most; }
  friend bool operator==(const RowRange &, const RowRange &) = default;
};

} // namespace lintel
