// Sizes on a command line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <cstdint>
#include <string_view>

namespace lintel::tool {

/// "1048576", "512K", "10M", "1G": bytes, or powers of 1024 of them.
Expected<uint64_t> parseByteSize(std::string_view text);

} // namespace lintel::tool
