// From the regular expressions that users know to those of LLVM's matcher.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <string>
#include <string_view>

namespace lintel::tool {

/// The extended POSIX expression for one with `\d`, `\w` and `\s`, and outside
/// brackets their opposites. Refuses what would take memory or time without a
/// bound: counted repetition, and references to what was matched before. What
/// else is wrong with the expression shows when it is compiled.
Expected<std::string> posixExpression(std::string_view text);

} // namespace lintel::tool
