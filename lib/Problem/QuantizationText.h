// The stages "dequant" and "quant": text to scales and zero points and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Problem/TextCursor.h"
#include "lintel/Error.h"
#include "lintel/Quantization.h"

#include <string>

namespace lintel {

/// Reads "(x=row,...)" behind "dequant" if it comes next; what is not named
/// keeps its value.
Status parseDequantization(TextCursor &cursor, Quantization &quantization);
/// Reads "(zero=...)" behind "quant" if it comes next.
Status parseRequantization(TextCursor &cursor, Quantization &quantization);

/// "dequant(x=row)", what is the types' default left out; "" if all is.
std::string dequantizationText(const Quantization &quantization,
                               const DataTypes &types);
std::string requantizationText(const Quantization &quantization,
                               const DataTypes &types);

} // namespace lintel
