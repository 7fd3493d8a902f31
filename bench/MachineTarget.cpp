// What a benchmark compiles for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MachineTarget.h"

#include "Engine/ChooseTarget.h"

namespace lintel::bench {

Expected<Target> machineTarget(const HostFacts &facts) {
  const Expected<Environment> environment = Environment::read();
  if (!environment)
    return environment.error();
  return chooseTarget(facts, *environment);
}

} // namespace lintel::bench
