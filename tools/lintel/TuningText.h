// A tuning report for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Engine.h"
#include "lintel/Problem.h"

#include <string>

namespace lintel::tool {

/// A head line, one line a candidate, best first, and what the work cost:
///
///   AUTOTUNE linear(128x768, 768x3072) f32 bias+gelu_erf threads=2 isa=avx512
///     tile=8x48,...  0.6123 ms  100.0%  986.4 GFLOP/s  88.1% of peak
///     ...
///   48 candidates, 7 objects; compile 80 ms, verify 60 ms, time 1000 ms, ...
std::string tuningText(const Problem &problem, const TuningReport &report);

/// "linear(...) f32 bias threads=2 isa=avx512".
std::string subjectText(const Problem &problem, const TuningReport &report);

} // namespace lintel::tool
