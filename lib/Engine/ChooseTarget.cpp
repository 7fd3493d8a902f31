// What kernels are compiled for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/ChooseTarget.h"

#include <string>

namespace lintel {

Expected<Target> chooseTarget(const HostFacts &facts,
                              const Environment &environment) {
  Expected<Target> target = targetFromFacts(facts, environment.isaCap);
  if (!target || !environment.emulateAmx)
    return target;
  Expected<Target> emulating = withEmulatedAmx(*target);
  if (emulating)
    return emulating;
  return emulating.error().in(
      environment.isaCap ? "LINTEL_EMULATE_AMX=1 beside LINTEL_ISA=" +
                               std::string(toString(*environment.isaCap))
                         : std::string("LINTEL_EMULATE_AMX=1"));
}

} // namespace lintel
