// Names and sizes of element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/DType.h"

namespace lintel {

std::string_view toString(DType dtype) {
  switch (dtype) {
  case DType::f32:
    return "f32";
  }
  return "unknown";
}

size_t byteSize(DType dtype) {
  switch (dtype) {
  case DType::f32:
    return 4;
  }
  return 0;
}

Expected<DType> parseDType(std::string_view name) {
  if (name == toString(DType::f32))
    return DType::f32;
  return Error(ErrorCode::invalidArgument, "unknown element type \"" +
                                               std::string(name) +
                                               "\"; known: f32");
}

} // namespace lintel
