// Sizes on a command line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ByteSize.h"

#include "Quote.h"

#include <charconv>
#include <string>

namespace lintel::tool {

Expected<uint64_t> parseByteSize(std::string_view text) {
  const Error error(ErrorCode::invalidArgument,
                    inQuotes(text) +
                        " must be a whole number of bytes below 2^64, as in "
                        "1048576, 512K, 10M or 1G, in capitals");
  uint64_t value = 0;
  const char *end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc())
    return error;
  const std::string_view suffix(rest, size_t(end - rest));
  if (suffix.empty())
    return value;
  constexpr std::string_view kUnits = "KMG";
  const size_t unit = kUnits.find(suffix[0]);
  uint64_t factor = 1;
  for (size_t i = 0; unit != std::string_view::npos && i <= unit; ++i)
    factor *= 1024;
  if (factor == 1 || suffix.size() > 1 ||
      __builtin_mul_overflow(value, factor, &value))
    return error;
  return value;
}

} // namespace lintel::tool
