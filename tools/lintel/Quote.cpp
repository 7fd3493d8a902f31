// What was typed, in a message.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Quote.h"

#include "Basics/MessageText.h"
#include "Runtime/PrintableText.h"

namespace lintel::tool {

std::string inQuotes(std::string_view text) {
  return "'" + onOneLine(shortened(text)) + "'";
}

} // namespace lintel::tool
