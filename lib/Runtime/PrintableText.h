// Text of others, made fit to be shown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace lintel {

/// Text that quotes a file or an argument as UTF-8 that a terminal can show:
/// bytes that would steer it, end the text or are no UTF-8 become \xNN. Line
/// ends and tabs stay.
std::string withoutControls(std::string_view text);
/// The same of a name, which stays on its line.
std::string onOneLine(std::string_view name);

} // namespace lintel
