// The grammar of epilogues: text to stages and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Problem/TextCursor.h"
#include "lintel/Problem.h"

#include <string>
#include <string_view>
#include <vector>

namespace lintel {

/// What an epilogue's text names.
struct NamedStages {
  std::vector<EpilogueStage> stages;
  std::optional<Quantization> quantization; ///< of a layer of int8
};

/// Parses stages joined with '+' up to the first character that belongs to
/// none; "none" contributes no stage. "dequant" and "quant" are stages of
/// layers whose types, or result, are integers.
Expected<NamedStages> parseStages(TextCursor &cursor, const DataTypes &types);
/// Whether a decimal number that is outside the range of a float is so because
/// it is next to 0. By its digits, since wider floats end somewhere, too.
bool isTiny(std::string_view number);
/// The shortest text that reads back as the same float.
std::string floatText(float value);
/// Canonical text of one stage; clamp always shows its bounds.
std::string stageText(const EpilogueStage &stage);

} // namespace lintel
