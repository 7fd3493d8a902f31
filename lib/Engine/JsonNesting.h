// How deep JSON text nests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace lintel {

/// Whether arrays and objects nest more than `most` levels deep. llvm::json
/// calls itself once a level, so that hostile text could exhaust the stack; ask
/// this first.
bool nestsDeeperThan(int most, std::string_view json);

} // namespace lintel
