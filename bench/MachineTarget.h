// What a benchmark compiles for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "Target/HostTarget.h"
#include "lintel/Error.h"

namespace lintel::bench {

/// The machine at hand, as an engine takes it: at the level of LINTEL_ISA where
/// that is set, with the AMX of LINTEL_EMULATE_AMX. Errors: those of an engine.
Expected<Target> machineTarget(const HostFacts &facts);

} // namespace lintel::bench
