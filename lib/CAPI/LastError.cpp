// The last failure on each thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CAPI/LastError.h"

#include <string>

namespace lintel::capi {
namespace {

thread_local std::string message;
/// What lintel_last_error returns: `message`, or text that needed no memory.
thread_local const char *current = "";

} // namespace

lintel_status fail(lintel_status code, const char *text) noexcept {
  try {
    message = text;
    current = message.c_str();
  } catch (...) {
    current = "out of memory";
  }
  return code;
}

lintel_status fail(const Error &error) noexcept {
  return fail(static_cast<lintel_status>(error.code()),
              error.message().c_str());
}

const char *lastMessage() noexcept { return current; }

} // namespace lintel::capi
