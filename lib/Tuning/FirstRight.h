// Who takes the place of a winner that was wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace lintel {

/// The first of `candidates` that `isRight` finds to be; none if none is.
/// `stop` is asked before each, and ends the search.
std::optional<size_t> firstRight(const std::vector<size_t> &candidates,
                                 const std::function<bool(size_t)> &isRight,
                                 const std::function<bool()> &stop);

} // namespace lintel
