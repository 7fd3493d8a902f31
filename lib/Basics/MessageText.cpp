// Quoting and listing words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Basics/MessageText.h"

namespace lintel {

std::string shortened(std::string_view text, size_t mostBytes) {
  if (text.size() <= mostBytes)
    return std::string(text);
  constexpr size_t kMostOfCharacter = 4;
  const auto continues = [](char c) { return (c & 0xc0) == 0x80; };
  size_t end = mostBytes;
  while (continues(text[end]) && end > mostBytes - kMostOfCharacter)
    --end;
  // Where there is no beginning, it is no UTF-8.
  return std::string(text.substr(0, continues(text[end]) ? mostBytes : end)) +
         "...";
}

std::string listOf(std::span<const std::string_view> words,
                   std::string_view conjunction, std::string_view quote) {
  std::string list;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0)
      list +=
          i + 1 < words.size() ? ", " : " " + std::string(conjunction) + " ";
    list += std::string(quote) + std::string(words[i]) + std::string(quote);
  }
  return list;
}

} // namespace lintel
