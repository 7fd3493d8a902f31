// An embedder's thread pool behind a C callback.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel-c/lintel.h"
#include "lintel/Executor.h"

#include <memory>

namespace lintel::capi {

/// Hands every call to `callback(user, ...)`.
std::shared_ptr<Executor> callbackExecutor(lintel_executor callback,
                                           void *user);

} // namespace lintel::capi
