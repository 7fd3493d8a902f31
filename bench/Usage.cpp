// What the benchmark programs say of themselves, and what they take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Usage.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace lintel::bench {

std::optional<int>
Usage::answer(const std::vector<std::string> &arguments) const {
  for (const std::string &argument : arguments) {
    if (argument == "--help" || argument == "-h") {
      std::printf("usage: %s\n", text);
      return 0;
    }
    if (argument.starts_with('-'))
      return refuse("'" + argument + "' is unknown");
  }
  return std::nullopt;
}

int Usage::refuse(const std::string &why) const {
  std::fprintf(stderr, "error: %s\nusage: %s\n", why.c_str(), text);
  return 2;
}

template <class Number>
static std::optional<Number> wholly(const std::string &text) {
  Number value = 0;
  const char *end = text.data() + text.size();
  auto [stop, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc() || stop != end)
    return std::nullopt;
  return value;
}

std::optional<int> wholeNumber(const std::string &text) {
  const std::optional<int> value = wholly<int>(text);
  return value && *value >= 1 ? value : std::nullopt;
}

std::optional<double> positiveNumber(const std::string &text) {
  const std::optional<double> value = wholly<double>(text);
  return value && *value > 0 && std::isfinite(*value) ? value : std::nullopt;
}

} // namespace lintel::bench
