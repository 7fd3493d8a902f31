// Names of error codes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/Error.h"

namespace lintel {

std::string_view toString(ErrorCode code) {
  switch (code) {
  case ErrorCode::invalidArgument:
    return "invalid argument";
  case ErrorCode::parse:
    return "parse";
  case ErrorCode::unsupported:
    return "unsupported";
  case ErrorCode::io:
    return "io";
  case ErrorCode::corrupt:
    return "corrupt";
  case ErrorCode::compile:
    return "compile";
  case ErrorCode::wrongResult:
    return "wrong result";
  case ErrorCode::cancelled:
    return "cancelled";
  case ErrorCode::internal:
    return "internal";
  }
  return "unknown";
}

} // namespace lintel
