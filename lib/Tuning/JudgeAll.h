// The order in which candidates are judged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Verifier.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace lintel {

/// Asks judge(i) for the verdict on each of `count` candidates, in order. When
/// one refutes the first accepted candidate, that one is wrong; then
/// forgetReference() is called, and all are judged afresh, who refuted it
/// first. `stop` is asked once something is right; the rest is then not run.
std::vector<Verdict> judgeAll(size_t count,
                              const std::function<Verdict(size_t)> &judge,
                              const std::function<void()> &forgetReference,
                              const std::function<bool()> &stop);

} // namespace lintel
