// What the log goes through, for whoever reads it elsewhere than on stderr.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <spdlog/logger.h>

#include <memory>

namespace lintel {

/// The process's one logger, named "lintel"; never null. Messages are for
/// Log.h.
std::shared_ptr<spdlog::logger> logger();

} // namespace lintel
