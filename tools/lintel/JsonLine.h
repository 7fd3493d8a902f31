// One JSON object on one line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Engine/JsonAttributes.h"
#include "lintel/Engine.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <string_view>
#include <vector>

namespace lintel::tool {

/// The object whose attributes `write` writes, and a newline.
std::string jsonLine(llvm::function_ref<void(llvm::json::OStream &)> write);

/// A number with `decimals` digits after the point; null if it is not finite.
void writeNumber(llvm::json::OStream &out, llvm::StringRef name, double value,
                 int decimals);
void writeTexts(llvm::json::OStream &out, llvm::StringRef name,
                const std::vector<std::string> &values);
/// The keys that name what was compiled and where: problem, dtype, threads,
/// isa, cpu.
void writeSubject(llvm::json::OStream &out, const TuningReport &report);

} // namespace lintel::tool
