// What was typed, in a message.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace lintel::tool {

/// A word or name in quotes, on one line: its beginning where it is long, with
/// controls spelled out.
std::string inQuotes(std::string_view text);

} // namespace lintel::tool
