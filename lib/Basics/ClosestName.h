// Which name was meant by one that is unknown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace lintel {

/// The one of `known` that `name` becomes by the fewest insertions, deletions
/// and changes of letters and swaps of neighbours; empty if that takes more
/// than a third of the letters of `name` behind the first `prefix`, which all
/// names share.
std::string_view closestName(std::string_view name,
                             std::span<const std::string_view> known,
                             size_t prefix);

} // namespace lintel
