// The last failure on each thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CAPI/LastError.h"

#include "Runtime/PrintableText.h"

#include <string>
#include <utility>

namespace lintel::capi {
namespace {

/// The numbers are the same, as the header says.
constexpr lintel_status statusOf(ErrorCode code) {
  return static_cast<lintel_status>(code);
}
static_assert(statusOf(ErrorCode::invalidArgument) == LINTEL_INVALID_ARGUMENT);
static_assert(statusOf(ErrorCode::parse) == LINTEL_PARSE);
static_assert(statusOf(ErrorCode::unsupported) == LINTEL_UNSUPPORTED);
static_assert(statusOf(ErrorCode::io) == LINTEL_IO);
static_assert(statusOf(ErrorCode::corrupt) == LINTEL_CORRUPT);
static_assert(statusOf(ErrorCode::compile) == LINTEL_COMPILE);
static_assert(statusOf(ErrorCode::wrongResult) == LINTEL_WRONG_RESULT);
static_assert(statusOf(ErrorCode::cancelled) == LINTEL_CANCELLED);
static_assert(statusOf(ErrorCode::internal) == LINTEL_INTERNAL);

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
  const lintel_status code = statusOf(error.code());
  try {
    // It may quote what the caller gave, and callers decode it as UTF-8.
    return fail(code, withoutControls(error.message()).c_str());
  } catch (...) {
    return fail(code, "out of memory");
  }
}

const char *lastMessage() noexcept { return current; }

} // namespace lintel::capi
