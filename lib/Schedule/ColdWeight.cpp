// When a call finds its weight in no cache of the core's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/ColdWeight.h"

namespace lintel {

bool streamsColdWeight(const Problem &problem, int64_t rows,
                       const Target &target) {
  const int64_t columnBytes = problem.k() * bytesOf(problem.types().weight);
  return rows <= kStreamingRows && problem.n() * columnBytes > target.l1;
}

} // namespace lintel
