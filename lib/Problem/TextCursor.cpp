// A position in one line of text, for hand-written parsers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/TextCursor.h"

#include "Basics/MessageText.h"

#include <algorithm>

namespace lintel {

static bool belongsToWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/// A name or number of the line may be as long as the line.
static std::string withShortWords(std::string_view message) {
  std::string text;
  while (!message.empty()) {
    const auto *end = std::ranges::find_if_not(message, belongsToWord);
    const auto length = static_cast<size_t>(end - message.begin());
    text += shortened(message.substr(0, length));
    text += message.substr(length, 1);
    message.remove_prefix(std::min(length + 1, message.size()));
  }
  return text;
}

Error TextCursor::errorAt(size_t column, const std::string &message) {
  return Error(ErrorCode::parse, "column " + std::to_string(column) + ": " +
                                     withShortWords(message));
}

bool TextCursor::consume(char literal) {
  if (atEnd() || line[position] != literal)
    return false;
  ++position;
  return true;
}

void TextCursor::skipBlanks() {
  takeWhile([](char c) { return c == ' ' || c == '\t' || c == '\r'; });
}

std::string TextCursor::found() const {
  if (atEnd())
    return "the end";
  unsigned char c = line[position];
  if (c >= ' ' && c < 0x7f)
    return std::string("'") + char(c) + "'";
  constexpr char digits[] = "0123456789ABCDEF";
  return std::string("byte 0x") + digits[c >> 4] + digits[c & 15];
}

} // namespace lintel
