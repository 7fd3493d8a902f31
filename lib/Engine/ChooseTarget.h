// What kernels are compiled for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "Runtime/Environment.h"
#include "Target/HostTarget.h"
#include "lintel/Error.h"

namespace lintel {

/// The machine at the level of LINTEL_ISA, where that is set; with emulated
/// AMX, where that is.
Expected<Target> chooseTarget(const HostFacts &facts,
                              const Environment &environment);

} // namespace lintel
