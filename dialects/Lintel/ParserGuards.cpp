// What MLIR's parser is not to be given: how deep brackets nest, and the like.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/ParserGuards.h"

#include <algorithm>
#include <array>

namespace lintel {

namespace {

constexpr std::string_view kOpening = "{([<";
constexpr std::string_view kClosing = "})]>";

/// The length of what begins `text` and holds no bracket to count: a string, a
/// comment, an arrow or a comparison; 0 if none does. As in MLIR's lexer, a
/// string ends with its line at the latest.
size_t lengthWithoutBrackets(std::string_view text) {
  if (text.starts_with("//"))
    return std::min(text.find('\n'), text.size());
  for (std::string_view symbol : {"->", "<=", ">="})
    if (text.starts_with(symbol))
      return symbol.size();
  if (!text.starts_with('"'))
    return 0;
  size_t end = 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

/// Without the blanks and comments that begin it. MLIR's lexer takes NUL for a
/// blank.
std::string_view withoutBlanks(std::string_view text) {
  constexpr std::string_view kBlanks(" \t\r\n\0", 5);
  while (!text.empty()) {
    if (kBlanks.find(text.front()) != std::string_view::npos)
      text.remove_prefix(1);
    else if (text.starts_with("//"))
      text.remove_prefix(lengthWithoutBrackets(text));
    else
      break;
  }
  return text;
}

} // namespace

size_t nestingDepth(std::string_view text) {
  // Each kind by itself, so that a stray ')' does not hide an open '{'.
  std::array<size_t, kOpening.size()> open = {};
  size_t depth = 0, deepest = 0;
  while (!text.empty()) {
    if (size_t length = lengthWithoutBrackets(text)) {
      text.remove_prefix(length);
      continue;
    }
    const size_t opened = kOpening.find(text.front());
    const size_t closed = kClosing.find(text.front());
    if (opened != std::string_view::npos) {
      ++open[opened];
      deepest = std::max(deepest, ++depth);
    } else if (closed != std::string_view::npos && open[closed] > 0) {
      --open[closed];
      --depth;
    }
    text.remove_prefix(1);
  }
  return deepest;
}

size_t resultNumberDigits(std::string_view text) {
  size_t most = 0;
  while (!text.empty()) {
    if (size_t length = lengthWithoutBrackets(text)) {
      text.remove_prefix(length);
      continue;
    }
    const bool picks = text.front() == '#';
    text.remove_prefix(1);
    const size_t end = text.find_first_not_of("0123456789");
    if (picks)
      most = std::max(most, std::min(end, text.size()));
  }
  return most;
}

bool holdsArrayOfIndex(std::string_view text) {
  constexpr std::string_view kArray = "array";
  while (!text.empty()) {
    if (size_t length = lengthWithoutBrackets(text)) {
      text.remove_prefix(length);
      continue;
    }
    if (!text.starts_with(kArray)) {
      text.remove_prefix(1);
      continue;
    }
    text = withoutBlanks(text.substr(kArray.size()));
    if (!text.starts_with('<'))
      continue;
    text = withoutBlanks(text.substr(1));
    if (text.starts_with("index") || text.starts_with('!'))
      return true;
  }
  return false;
}

bool holdsUnalignedResource(std::string_view text) {
  // A blob begins with the four bytes of its alignment.
  const size_t resources = text.find("dialect_resources");
  return resources != text.npos &&
         text.find("\"0x00000000", resources) != text.npos;
}

} // namespace lintel
