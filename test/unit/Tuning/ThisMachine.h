// The machine that the tests run on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Target/HostTarget.h"

namespace lintel {

inline Target hostTarget() {
  return targetFromFacts(readHostFacts(), std::nullopt).value();
}

} // namespace lintel
