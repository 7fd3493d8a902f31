// The last failure on each thread, and calls that cannot let an exception out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Engine/WithoutThrowing.h"
#include "lintel-c/lintel.h"
#include "lintel/Error.h"

namespace lintel::capi {

/// Remembers the failure for lintel_last_error and returns its code.
lintel_status fail(const Error &error) noexcept;
/// The same for a message that needs no memory.
lintel_status fail(lintel_status code, const char *message) noexcept;
/// Message of the last failure on this thread, "" if none.
const char *lastMessage() noexcept;

/// Runs `body`, which returns a Status; nothing it throws reaches the C caller.
template <class Body> lintel_status guarded(Body &&body) noexcept {
  try {
    const Status status = withoutThrowing("the call failed", body);
    return status ? LINTEL_OK : fail(status.error());
  } catch (...) { // of a message that there is no memory for
    return fail(LINTEL_INTERNAL, "out of memory");
  }
}

} // namespace lintel::capi
