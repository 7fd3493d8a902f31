// What kernels are compiled for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/ChooseTarget.h"

#include <optional>
#include <string>

namespace lintel {

Expected<Target> chooseTarget(const HostFacts &facts,
                              const Environment &environment) {
  const std::string ofCap =
      environment.isaCap
          ? "LINTEL_ISA=" + std::string(toString(*environment.isaCap))
          : "";
  Expected<Target> target = targetFromFacts(facts, std::nullopt);
  if (target && environment.isaCap)
    if (target = targetFromFacts(facts, environment.isaCap); !target)
      return target.error().in(ofCap);
  if (!target || !environment.emulateAmx)
    return target;
  Expected<Target> emulating = withEmulatedAmx(*target);
  if (emulating)
    return emulating;
  return emulating.error().in("LINTEL_EMULATE_AMX=1" +
                              (ofCap.empty() ? "" : " beside " + ofCap));
}

} // namespace lintel
