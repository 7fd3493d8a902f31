// What makes measured peaks those of one machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Target/HostTarget.h"

#include <string>

namespace lintel {

/// One line of printable ASCII: ISA level, cores, cache sizes, and the CPU's
/// family, model and brand. Not the clock, which drifts:
///
///   isa=avx512,cores=2,l1=32768,l2=1048576,l3=33554432,family=25,model=17,
///   cpu=AMD EPYC
std::string machineFingerprint(const HostFacts &facts, const Target &target);

} // namespace lintel
