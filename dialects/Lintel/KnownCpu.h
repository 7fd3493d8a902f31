// Which CPUs LLVM can compile for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"

namespace lintel::ir {

/// Success if LLVM knows the target's CPU, or it is "generic". Apart from
/// Target::check(), which is free of LLVM.
Status checkCpuIsKnown(const Target &target);

} // namespace lintel::ir
