// What parsing a safetensors header forgets of its text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <string_view>

namespace lintel::tool {

/// Success if a header, the text of a JSON object, has every name once and
/// every key of a tensor once, and writes shapes and offsets as whole numbers.
/// Parsed, the last of two members is there alone, and 8.0 is 8.
Status checkHeaderText(std::string_view json);

} // namespace lintel::tool
