// The process's one logger: spdlog, named "lintel", on stderr.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <spdlog/spdlog.h>

#include <memory>
#include <string_view>

namespace lintel {

/// Never null; created at first use with level "warn".
std::shared_ptr<spdlog::logger> logger();
/// trace, debug, info, warn, error or off.
Status setLogLevel(std::string_view level);

} // namespace lintel
