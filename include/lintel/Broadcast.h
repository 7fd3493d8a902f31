// How an epilogue operand extends over the output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <cstdint>
#include <string_view>

namespace lintel {

/// How an epilogue operand extends over the output [M, N].
enum class Broadcast : uint8_t {
  scalar, ///< one element
  column, ///< [N], one element a column
  row,    ///< [M, 1], one element a row
  full,   ///< [M, N]
};

/// "scalar", "column", "row" or "full".
std::string_view toString(Broadcast broadcast);
/// Inverse of toString; an unknown name is ErrorCode::invalidArgument.
Expected<Broadcast> parseBroadcast(std::string_view name);

} // namespace lintel
