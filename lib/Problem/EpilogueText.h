// The grammar of epilogues: text to stages and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Problem/TextCursor.h"
#include "lintel/Problem.h"

#include <vector>

namespace lintel {

/// Parses stages joined with '+' up to the first character that belongs to
/// none; "none" contributes no stage.
Expected<std::vector<EpilogueStage>> parseStages(TextCursor &cursor);
/// Canonical text of one stage; clamp always shows its bounds.
std::string stageText(const EpilogueStage &stage);

} // namespace lintel
