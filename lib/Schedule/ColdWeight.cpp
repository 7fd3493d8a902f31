// When a call finds its weight in no cache of the core's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/ColdWeight.h"

namespace lintel {

int64_t weightBytes(const Problem &problem) {
  return problem.n() * weightColumnBytes(problem);
}

int64_t weightColumnBytes(const Problem &problem) {
  return problem.k() * bytesOf(problem.types().weight);
}

bool streamsColdWeight(const Problem &problem, int64_t rows,
                       const Target &target) {
  return rows <= kStreamingRows && weightBytes(problem) > target.l1;
}

} // namespace lintel
