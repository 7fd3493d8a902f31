// Attributes of JSON objects, the same in every locale.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/JsonAttributes.h"

#include <cmath>

namespace lintel {

void writeText(llvm::json::OStream &out, llvm::StringRef name,
               std::string_view value) {
  out.attribute(
      name, llvm::json::fixUTF8(llvm::StringRef(value.data(), value.size())));
}

void writeDigits(llvm::json::OStream &out, llvm::StringRef name, double value,
                 llvm::StringRef digits) {
  out.attributeBegin(name);
  out.rawValue(std::isfinite(value) ? digits : "null");
  out.attributeEnd();
}

} // namespace lintel
