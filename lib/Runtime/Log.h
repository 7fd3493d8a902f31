// The process's one logger: spdlog, named "lintel", on stderr.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <spdlog/spdlog.h>

#include <memory>
#include <string_view>

namespace lintel {

/// Never null; created at first use with level "warn". Lines have the form
/// "[lintel] [level] message", with '?' for control characters, and are written
/// whole, without locks.
std::shared_ptr<spdlog::logger> logger();

/// trace, debug, info, warn, error or off.
Expected<spdlog::level::level_enum> parseLogLevel(std::string_view level);
/// parseLogLevel, then set.
Status setLogLevel(std::string_view level);

} // namespace lintel
