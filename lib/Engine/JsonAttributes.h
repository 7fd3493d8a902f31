// Attributes of JSON objects, the same in every locale.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/Support/JSON.h"

#include <string_view>

namespace lintel {

/// Text; bytes that are not UTF-8 are replaced.
void writeText(llvm::json::OStream &out, llvm::StringRef name,
               std::string_view value);
/// A number by its digits, since LLVM's own writer goes through printf, which
/// obeys LC_NUMERIC; null if `value` is not finite.
void writeDigits(llvm::json::OStream &out, llvm::StringRef name, double value,
                 llvm::StringRef digits);

} // namespace lintel
