// The function of a kernel that widens a panel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/KernelWriter.h"

namespace lintel::ir {

/// Builds @name_widen(args, from, depth, to): widens what stands at element
/// `from` of w, `depth` of K of one panel, to [depth][nr] floats at element
/// `to` of the workspace. A last group that is not whole is widened whole, with
/// the zeros that pad it.
void buildWidenPanel(KernelWriter &writer);

} // namespace lintel::ir
