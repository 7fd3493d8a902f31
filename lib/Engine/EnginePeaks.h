// A quick look at the peaks of the machine. For Lintel's own tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Target/MachinePeaks.h"
#include "lintel/Engine.h"
#include "lintel/Error.h"

namespace lintel {

/// What the engine's threads reach now, in a fraction of a second. Like
/// measurePeaks() an error, at once, where they do not all run, each on a CPU.
Expected<ThreadPeaks> glanceAtPeaks(Engine::Impl &impl);

} // namespace lintel
