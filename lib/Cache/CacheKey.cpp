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

namespace lintel {

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

} // namespace lintel
