// How the rows of a call are cut into strips.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Strips.h"

#include "Schedule/Partition.h"

#include <algorithm>

namespace lintel {

Strips cutIntoStrips(int64_t mr, int64_t m) {
  Strips strips;
  strips.count = std::max<int64_t>(1, ceilDiv(m, mr));
  strips.tall = std::max<int64_t>(1, ceilDiv(m, strips.count));
  strips.someShort = m % strips.count != 0;
  return strips;
}

int64_t rowsWithEveryHeight(int64_t mr, const RowRange &rows) {
  // From mr strips on every M has strips of mr rows, short ones or not.
  return std::min(rows.most, std::max(rows.least, mr * mr) + mr);
}

StripHeights stripHeights(int64_t mr, const RowRange &rows) {
  const int64_t last = rowsWithEveryHeight(mr, rows);
  StripHeights heights;
  for (int64_t m = rows.least; m <= last; ++m) {
    const Strips strips = cutIntoStrips(mr, m);
    heights.someShort |= strips.someShort;
    if (std::find(heights.tall.begin(), heights.tall.end(), strips.tall) ==
        heights.tall.end())
      heights.tall.push_back(strips.tall);
  }
  std::sort(heights.tall.rbegin(), heights.tall.rend());
  return heights;
}

int64_t heightOfShortStrips(const Schedule &schedule, const RowRange &rows,
                            DType weight) {
  // On tiles of 4x24 33 rows are 36, and 49 are 52: on AVX2 they took 7 and 4 %
  // longer. An object has a micro-kernel more to compile.
  constexpr int64_t kMostWastedPercent = 5;
  if (!rows.isKnown() || schedule.onTiles() || schedule.vectorsAlongK(weight) ||
      schedule.depth() == Depth::sliced)
    return 0;
  const int64_t m = rows.least;
  const Strips strips = cutIntoStrips(schedule.mr, m);
  const int64_t wasted = strips.count * strips.tall - m;
  const bool wastesMuch = 100 * wasted > kMostWastedPercent * m;
  // Packing would go element by element, which costs more than the row computed
  // for nothing unless there are many panels. Not so where rows are widened,
  // which only the target tells.
  const bool packsSlower =
      schedule.packsA() && strips.tall == kRowsTransposedTogether;
  return strips.someShort && wastesMuch && !packsSlower ? strips.tall - 1 : 0;
}

} // namespace lintel
