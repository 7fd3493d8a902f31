// Who takes the place of a winner that was wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace lintel {

/// What came of trying a candidate.
enum class Trial {
  right,
  wrong,
  impossible, ///< there is no memory for it: nothing is known of the candidate
};

/// The first of `candidates` that `tryOne` finds right; none if no other is
/// right. `stop` is asked before each trial, and ends them. One that cannot be
/// tried is passed over: after one that was wrong, what is not verified may not
/// win.
std::optional<size_t> firstRight(const std::vector<size_t> &candidates,
                                 const std::function<Trial(size_t)> &tryOne,
                                 const std::function<bool()> &stop);

} // namespace lintel
