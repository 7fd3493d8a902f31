// One problem after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RequestLoop.h"

#include "Console.h"
#include "Interrupt.h"
#include "Table.h"

#include "Runtime/Log.h"

#include <algorithm>

namespace lintel::tool {

int workOnEach(const std::vector<LayerRequest> &requests,
               const std::function<int(const LayerRequest &)> &work) {
  InterruptGuard interrupt;
  int code = kSuccess;
  size_t begun = 0;
  for (const LayerRequest &request : requests) {
    if (InterruptGuard::requested())
      break;
    ++begun;
    code = std::max(code, work(request));
    if (outputFailed())
      return kBadInput;
  }
  if (const size_t left = requests.size() - begun; left > 0)
    logMessage(LogLevel::warn, "interrupted: {} not begun",
               counted(left, "problem", "problems"));
  return InterruptGuard::requested() ? kInterrupted : code;
}

} // namespace lintel::tool
