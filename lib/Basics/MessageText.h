// What error messages of all rooms are made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace lintel {

/// What a message quotes of a text that may be of any length: whole characters
/// of UTF-8, at most `mostBytes` (4 at least) of them, and "..." for the rest.
std::string shortened(std::string_view text, size_t mostBytes = 100);

/// "a, b or c" of words between `quote`s, where `conjunction` is "or".
std::string listOf(std::span<const std::string_view> words,
                   std::string_view conjunction, std::string_view quote = "");

} // namespace lintel
