// Splitting "name=value,name=value" text, and the counts in it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/FieldText.h"

#include "Basics/MessageText.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace lintel {

/// What a message quotes of fields: all of any schedule or target that is
/// right, which may be some 250 bytes long.
static constexpr size_t kMostOfFields = 400;

static std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Status parseFields(std::string_view text, std::string_view what,
                   std::string_view required, const SetField &set) {
  auto parseError = [&](const std::string &message) {
    return Error(ErrorCode::parse, std::string(what) + " '" +
                                       shortened(text, kMostOfFields) +
                                       "': " + message);
  };
  std::vector<std::string_view> seen;
  for (std::string_view rest = text; !rest.empty();) {
    size_t comma = rest.find(',');
    bool isLast = comma == std::string_view::npos;
    std::string_view field = trimmed(rest.substr(0, comma));
    if (!isLast && comma + 1 == rest.size())
      return parseError("nothing follows the last ','");
    rest = isLast ? std::string_view() : rest.substr(comma + 1);

    size_t equals = field.find('=');
    if (equals == std::string_view::npos)
      return parseError("field '" + shortened(field) +
                        "' is not of the form name=value");
    std::string_view name = trimmed(field.substr(0, equals));
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      return parseError("'" + shortened(name) + "' is given twice");
    seen.push_back(name);
    if (Status status = set(name, trimmed(field.substr(equals + 1))); !status)
      return parseError(status.error().message());
  }
  if (std::find(seen.begin(), seen.end(), required) == seen.end())
    return parseError("'" + std::string(required) + "' is missing");
  return {};
}

Error numberError(std::string_view field, std::string_view text,
                  NumberRange range) {
  return Error(ErrorCode::parse, std::string(field) + " takes a number from " +
                                     std::to_string(range.least) + " to " +
                                     std::to_string(range.most) + ", not '" +
                                     shortened(text) + "'");
}

Expected<int64_t> parseCount(std::string_view field, std::string_view text,
                             int64_t largest) {
  return parseNumber(field, text, {1, largest});
}

Expected<int64_t> parseNumber(std::string_view field, std::string_view text,
                              NumberRange range) {
  int64_t value = 0;
  const char *end = text.data() + text.size();
  auto [stop, failure] = std::from_chars(text.data(), end, value);
  // from_chars would take -0.
  if (text.starts_with('-') || failure != std::errc() || stop != end ||
      !range.holds(value))
    return numberError(field, text, range);
  return value;
}

} // namespace lintel
