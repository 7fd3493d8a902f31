// What a machine can do at most, for people and as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Target/MachinePeaks.h"

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace lintel::tool {

/// Those that the machine has and that were measured.
std::vector<ProductInstruction> instructionsBesideFma(const ThreadPeaks &peaks);

/// "FMA 118.3, vdpbf16ps 235.9 GFLOP/s; reads L1 219.9, L2 117.3, L3 86.2,
/// memory 34.5 GB/s". "?" stands for what was not measured.
std::string peaksText(const ThreadPeaks &peaks);

/// The attribute `name`; null without peaks.
void writePeaks(llvm::json::OStream &out, llvm::StringRef name,
                const std::optional<MachinePeaks> &peaks);

} // namespace lintel::tool
