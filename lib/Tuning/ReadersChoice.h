// Whether several threads read the same weight from memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "lintel/Problem.h"

#include <cstdint>

namespace lintel {

/// How often a call reads each column of the weight, from wherever it is: once
/// for each range of rows that threads share out.
int64_t readsOfWeight(const Schedule &schedule, const Problem &problem);

} // namespace lintel
