// A position in one line of text, for hand-written parsers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/TextCursor.h"

namespace lintel {

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
