// The last failure on each thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CAPI/LastError.h"

#include "Runtime/PrintableText.h"

#include <string>
#include <utility>

namespace lintel::capi {
namespace {

/// What lintel_last_error returns: the text of `message`, or one that needed no
/// memory.
thread_local const char *current = "";
thread_local std::string *message = nullptr;

/// Frees the message when its thread ends. The pointers are never destroyed, so
/// that a call made even later, from a static destructor or `atexit`, finds no
/// message and starts anew instead of touching what is gone.
struct MessageOwner {
  ~MessageOwner() {
    current = "";
    delete std::exchange(message, nullptr);
  }
};

std::string &messageOfThread() {
  if (!message) {
    thread_local MessageOwner owner;
    message = new std::string;
  }
  return *message;
}

} // namespace

lintel_status fail(lintel_status code, const char *text) noexcept {
  try {
    std::string &kept = messageOfThread();
    kept = text;
    current = kept.c_str();
  } catch (...) {
    current = "out of memory";
  }
  return code;
}

lintel_status fail(const Error &error) noexcept {
  const auto code = static_cast<lintel_status>(error.code());
  try {
    // It may quote what the caller gave, and callers decode it as UTF-8.
    return fail(code, withoutControls(error.message()).c_str());
  } catch (...) {
    return fail(code, "out of memory");
  }
}

const char *lastMessage() noexcept { return current; }

} // namespace lintel::capi
