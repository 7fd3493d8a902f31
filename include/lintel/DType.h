// Element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lintel {

enum class DType : uint8_t { f32 };

/// "f32".
std::string_view toString(DType dtype);
/// Bytes of one element.
size_t byteSize(DType dtype);
/// Inverse of toString; an unknown name is ErrorCode::invalidArgument.
Expected<DType> parseDType(std::string_view name);

} // namespace lintel
