// Whether a process was forked in the middle of a compilation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/CallsUnderWay.h"

#include <unistd.h>

namespace lintel {

Error forkedMeanwhile() {
  return Error(ErrorCode::unsupported,
               "this process was forked while the engine was compiling or "
               "measuring, and what that held stays locked here; create "
               "another engine, or fork at another time");
}

bool CallsUnderWay::enter() {
  constexpr int kBitsOfCount = 32;
  const auto process = static_cast<uint64_t>(::getpid());
  uint64_t known = state.load();
  for (;;) {
    const auto calls = static_cast<uint32_t>(known);
    const bool ofParent = known >> kBitsOfCount != process;
    if (ofParent && calls > 0)
      return false;
    if (state.compare_exchange_weak(known,
                                    (process << kBitsOfCount | calls) + 1))
      return true;
  }
}

} // namespace lintel
