// What the benchmark programs say of themselves, and what they take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lintel::bench {

/// How a program is called: "NAME ARGUMENT...", and what it then does.
class Usage {
public:
  constexpr explicit Usage(const char *text) : text(text) {}

  /// The exit status of a program that ends here: 0 after --help, which prints
  /// the text, 2 after an option, of which there are no others.
  std::optional<int> answer(const std::vector<std::string> &arguments) const;
  /// Prints `why` and the text to stderr; the exit status, 2.
  int refuse(const std::string &why) const;

private:
  const char *text;
};

/// `text` as a number of at least 1 that is nothing else, or none.
std::optional<int> wholeNumber(const std::string &text);
/// `text` as a number above 0 that is nothing else, or none.
std::optional<double> positiveNumber(const std::string &text);

} // namespace lintel::bench
