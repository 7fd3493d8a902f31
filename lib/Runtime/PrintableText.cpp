// Text of others, made fit to be shown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/PrintableText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

#include <algorithm>

namespace lintel {

/// Bytes that `text` begins with and that stand for a character to be shown; 0:
/// for a control, such as U+009B, or for nothing.
static size_t printableBytes(std::string_view text) {
  constexpr llvm::UTF32 kDelete = 0x7f, kLastControl = 0x9f;
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  const llvm::UTF8 *at = begin;
  llvm::UTF32 character = 0;
  if (llvm::convertUTF8Sequence(&at, begin + text.size(), &character,
                                llvm::strictConversion) != llvm::conversionOK)
    return 0;
  const bool control =
      character < ' ' || (character >= kDelete && character <= kLastControl);
  return control ? 0 : static_cast<size_t>(at - begin);
}

/// `text` with controls, but for those of `kept`, and what is no UTF-8 spelled
/// out.
static std::string spelledOut(std::string_view text, std::string_view kept) {
  std::string printable;
  while (!text.empty()) {
    const bool keep = kept.find(text.front()) != std::string_view::npos;
    const size_t bytes = keep ? 1 : printableBytes(text);
    if (bytes > 0)
      printable += text.substr(0, bytes);
    else
      printable += "\\x" + llvm::utohexstr(static_cast<uint8_t>(text.front()),
                                           /*LowerCase=*/true, /*Width=*/2);
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return printable;
}

std::string withoutControls(std::string_view text) {
  return spelledOut(text, "\n\t");
}

std::string onOneLine(std::string_view name) { return spelledOut(name, ""); }

} // namespace lintel
