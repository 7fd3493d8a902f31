// What an epilogue costs, roughly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Problem.h"

namespace lintel {

/// Of one function computed by a polynomial, such as exp.
inline constexpr double kFunctionCycles = 14;

/// Cycles to apply the epilogue to one vector of sums, apart from loading the
/// sums and storing the results.
double epilogueCyclesPerVector(const Epilogue &epilogue);

} // namespace lintel
