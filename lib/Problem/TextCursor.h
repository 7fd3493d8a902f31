// A position in one line of text, for hand-written parsers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <string>
#include <string_view>

namespace lintel {

/// Reads one line from left to right and words errors with the column, counted
/// in bytes from 1.
class TextCursor {
public:
  explicit TextCursor(std::string_view line) : line(line) {}

  bool atEnd() const { return position == line.size(); }
  size_t column() const { return position + 1; }
  std::string_view rest() const { return line.substr(position); }
  void advance(size_t count) { position += count; }
  /// Moves past `literal` if it comes next.
  bool consume(char literal);
  void skipBlanks();
  /// The longest run of characters that satisfy `belongs`, which is consumed.
  template <class Predicate> std::string_view takeWhile(Predicate belongs) {
    size_t start = position;
    while (!atEnd() && belongs(line[position]))
      ++position;
    return line.substr(start, position - start);
  }
  /// 'x', byte 0xFF or the end, as an error names what stands here.
  std::string found() const;
  /// "column C: <message>" for the place where the cursor stands; of a word
  /// that the message quotes its beginning.
  Error error(const std::string &message) const {
    return errorAt(column(), message);
  }
  static Error errorAt(size_t column, const std::string &message);

private:
  std::string_view line;
  size_t position = 0;
};

} // namespace lintel
