// The end of a tuning: the winner meets some that races could not judge.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Contest.h"

#include <cstddef>

namespace lintel {

/// Makes all last choices, in their order; returns who wins. That one is not
/// alive if it is wrong and nobody else is right.
size_t makeLastChoices(Contest &contest, size_t winner);

} // namespace lintel
