// Which schedules share an object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"

namespace lintel {

/// Whether two schedules have the same tile on the same unit.
inline bool sameTile(const Schedule &a, const Schedule &b) {
  return a.unit == b.unit && a.mr == b.mr && a.nr == b.nr;
}

/// Whether two schedules have the same object: they differ in nothing but
/// kernel arguments.
inline bool sameCode(const Schedule &a, const Schedule &b) {
  // Tiles first: code() copies, and selection compares all with all.
  return sameTile(a, b) && a.code() == b.code();
}

} // namespace lintel
