// The canonical text of a key, and its hash.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   key   ::= { field }
//   field ::= length ":" name "=" length ":" value "\n"
//
// A length counts the bytes that follow its colon, so two different lists of
// fields never have the same text, whatever bytes names and values hold.
#include "Cache/Cache.h"

#include "llvm/Support/BLAKE3.h"

#include <charconv>

namespace lintel {

/// Takes `length ":" bytes end` off the front of `text`; the bytes, or none.
static std::optional<std::string_view> takeCounted(std::string_view &text,
                                                   char end) {
  size_t length = 0;
  const char *last = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), last, length);
  if (error != std::errc() || stop == last || *stop != ':')
    return std::nullopt;
  const std::string_view rest(stop + 1, last);
  if (length >= rest.size() || rest[length] != end)
    return std::nullopt;
  text = rest.substr(length + 1);
  return rest.substr(0, length);
}

CacheKey::CacheKey(std::vector<std::pair<std::string, std::string>> fields) {
  for (const auto &[name, value] : fields) {
    keyText += std::to_string(name.size()) + ':' + name + '=';
    keyText += std::to_string(value.size()) + ':' + value + '\n';
  }
  digest = hashOfText(keyText);
}

std::string CacheKey::hashOfText(std::string_view text) {
  llvm::BLAKE3 hasher;
  hasher.update(llvm::StringRef(text.data(), text.size()));
  std::string digits;
  for (uint8_t byte : hasher.final<16>()) {
    digits += "0123456789abcdef"[byte >> 4];
    digits += "0123456789abcdef"[byte & 15];
  }
  return digits;
}

std::optional<std::string_view> CacheKey::fieldOfText(std::string_view text,
                                                      std::string_view name) {
  while (!text.empty()) {
    const std::optional<std::string_view> found = takeCounted(text, '=');
    if (!found)
      return std::nullopt;
    const std::optional<std::string_view> value = takeCounted(text, '\n');
    if (!value || *found == name)
      return value;
  }
  return std::nullopt;
}

} // namespace lintel
