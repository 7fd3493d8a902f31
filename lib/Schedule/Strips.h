// How the rows of a call are cut into strips.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "lintel/DType.h"
#include "lintel/RowRange.h"

#include <cstdint>
#include <vector>

namespace lintel {

/// How m rows are cut into as few strips of at most `mr` rows as possible. They
/// are balanced: `tall` rows, and, where m does not divide, one row less.
struct Strips {
  int64_t count = 1; ///< at least 1, so that callers may divide by it
  int64_t tall = 1;
  bool someShort = false;
  friend bool operator==(const Strips &, const Strips &) = default;
};
Strips cutIntoStrips(int64_t mr, int64_t m);

/// What a kernel must be ready for: the heights of tall strips that some M of a
/// range has, tallest first, never empty; and whether some M has short strips.
struct StripHeights {
  std::vector<int64_t> tall;
  bool someShort = false;
};
StripHeights stripHeights(int64_t mr, const RowRange &rows);
/// The least M of a range up to which every height occurs that any M of it has,
/// with short strips if some M has them, or a little more.
int64_t rowsWithEveryHeight(int64_t mr, const RowRange &rows);

/// Rows of the micro-kernel that strips have which are a row shorter than the
/// others; 0 where the one for tall strips serves them too, computing a row for
/// nothing: on tile registers, in dot products, with slices of K, for a dynamic
/// M, where that is at most 5 % of M, and where four rows are packed, which
/// three would be element by element.
int64_t heightOfShortStrips(const Schedule &schedule, const RowRange &rows,
                            DType weight);

} // namespace lintel
