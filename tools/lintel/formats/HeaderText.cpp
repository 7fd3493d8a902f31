// What parsing a safetensors header forgets of its text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "formats/HeaderText.h"

#include "Quote.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace lintel::tool {

namespace {

Error parseError(std::string message) {
  return Error(ErrorCode::parse, std::move(message));
}

bool belongsToNumber(char c) {
  return (c >= '0' && c <= '9') ||
         std::string_view("+-.eE").find(c) != std::string_view::npos;
}

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// What a string in quotes stands for: names that are spelled differently may
/// be the same.
std::string unescaped(std::string_view literal) {
  if (literal.find('\\') == std::string_view::npos)
    return std::string(literal.substr(1, literal.size() - 2));
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse(llvm::StringRef(literal.data(), literal.size()));
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::string(literal);
  }
  return value->getAsString().value_or("").str();
}

/// Goes through text that is known to be JSON, token by token.
class HeaderScan {
public:
  explicit HeaderScan(std::string_view json) : json(json) {}

  Status run() {
    while (at < json.size())
      if (Status status = takeToken(); !status)
        return status;
    return {};
  }

private:
  static constexpr int kNames = 1, kKeys = 2; ///< depths at which they stand

  Status takeToken() {
    const char c = json[at];
    if (c == '"')
      return takeString();
    if (c == '-' || (c >= '0' && c <= '9'))
      return takeNumber();
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    ++at;
    return {};
  }

  Status takeString() {
    const size_t begin = at++;
    while (at < json.size() && json[at] != '"')
      at += json[at] == '\\' ? 2 : 1;
    ++at;
    const std::string_view literal = json.substr(begin, at - begin);
    while (at < json.size() && isBlank(json[at]))
      ++at;
    const bool isKey = at < json.size() && json[at] == ':';
    if (isKey && depth == kNames)
      return beginTensor(unescaped(literal));
    // Of metadata nothing is read.
    if (isKey && depth == kKeys && name != "__metadata__")
      return beginValue(unescaped(literal));
    return {};
  }

  Status beginTensor(std::string next) {
    name = std::move(next);
    key.clear();
    keys.clear();
    if (names.insert(name).second)
      return {};
    return parseError("header: names " + inQuotes(name) +
                      " twice; every tensor has a name of its own");
  }

  Status beginValue(std::string next) {
    key = std::move(next);
    if (keys.insert(key).second)
      return {};
    return parseError("tensor " + inQuotes(name) + ": gives " + inQuotes(key) +
                      " twice; every key stands there once");
  }

  Status takeNumber() {
    const size_t begin = at;
    while (at < json.size() && belongsToNumber(json[at]))
      ++at;
    const bool isWhole = json.substr(begin, at - begin).find_first_of(".eE") ==
                         std::string_view::npos;
    if (isWhole || (key != "shape" && key != "data_offsets"))
      return {};
    return parseError("tensor " + inQuotes(name) + ": \"" + key +
                      "\" must be " + (key == "shape" ? "of" : "two") +
                      " integers >= 0, without fractions or exponents");
  }

  std::string_view json;
  size_t at = 0;
  int depth = 0;
  std::string name, key; ///< whose value this is
  llvm::StringSet<> names, keys;
};

} // namespace

Status checkHeaderText(std::string_view json) { return HeaderScan(json).run(); }

} // namespace lintel::tool
