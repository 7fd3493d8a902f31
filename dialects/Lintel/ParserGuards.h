// What MLIR's parser is not to be given: how deep brackets nest, and the like.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string_view>

namespace lintel {

/// The depth of {, (, [ and < together; text without any has depth 0. Brackets
/// in strings and comments, and those of ->, <= and >=, are none. Closing
/// brackets that close nothing do not count.
size_t nestingDepth(std::string_view text);

/// How many digits the longest number has that picks a result, as in %name#12;
/// 0 if none does. Not in strings and comments.
size_t resultNumberDigits(std::string_view text);

/// Whether the text holds an array<index: ...>, on which MLIR's parser crashes,
/// or an array of a type by an alias, which may be index. Not in strings and
/// comments.
bool holdsArrayOfIndex(std::string_view text);

/// Whether the text holds resources of dialects of which one may state an
/// alignment of 0, for which MLIR's parser ends the process.
bool holdsUnalignedResource(std::string_view text);

} // namespace lintel
