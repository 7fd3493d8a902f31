// Kernels for every ISA level that the machine at hand can run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "JIT/Loader.h"
#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <memory>
#include <optional>

namespace lintel::integration {

inline constexpr IsaLevel kIsaLevels[] = {IsaLevel::x86_64, IsaLevel::avx2,
                                          IsaLevel::avx512};

/// This machine at one level; empty if it cannot run it.
std::optional<Target> hostTarget(IsaLevel isa);

/// A loaded kernel, compiled at the first request of this problem and code.
Expected<std::shared_ptr<const Kernel>> kernelFor(const Target &target,
                                                  const Problem &problem,
                                                  const Schedule &schedule);

} // namespace lintel::integration
