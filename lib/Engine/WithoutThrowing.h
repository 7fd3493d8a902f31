// Exceptions of libraries and of callbacks, as errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace lintel {

/// What `call` returns, an Expected or a Status, or what it throws, as an error
/// that begins with `doing`. Throws only where there is no memory for that.
template <class Call>
auto withoutThrowing(std::string_view doing, Call &&call) -> decltype(call()) {
  const auto failed = [&](std::string_view why) {
    return Error(ErrorCode::internal, std::string(why)).in(doing);
  };
  try {
    return call();
  } catch (const std::bad_alloc &) {
    return failed("out of memory");
  } catch (const std::exception &exception) {
    return failed(exception.what());
  } catch (...) {
    return failed("an exception of unknown type");
  }
}

} // namespace lintel
