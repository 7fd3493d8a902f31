// What tunings cost, added up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lintel {

/// Of results and of reports, which have the same fields.
template <class Costs> void addCosts(Costs &sum, const Costs &part) {
  sum.objectsCompiled += part.objectsCompiled;
  sum.compileMilliseconds += part.compileMilliseconds;
  sum.verifyMilliseconds += part.verifyMilliseconds;
  sum.timeMilliseconds += part.timeMilliseconds;
  sum.totalMilliseconds += part.totalMilliseconds;
}

} // namespace lintel
