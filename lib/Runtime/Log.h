// The process's log: lines on stderr, unless somebody receives them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Log.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <string_view>

namespace lintel {

/// What logMessage does, of any arguments. Without spdlog's headers here, which
/// take 9 s of each file that includes them.
void writeLogMessage(LogLevel level, fmt::string_view text,
                     fmt::format_args arguments) noexcept;

/// Writes `text`, with the arguments in it as fmt places them, unless the level
/// that is set, at first `warn`, hides it. Lines have the form
/// "[lintel] [level] message", controls spelled out (PrintableText.h), and are
/// written whole, without locks. Never throws.
template <typename... Args>
void logMessage(LogLevel level, fmt::format_string<Args...> text,
                Args &&...arguments) {
  writeLogMessage(level, text, fmt::make_format_args(arguments...));
}

/// Whether a line of the log takes the place of what stands on the terminal's
/// line, at whose beginning the cursor is: for a program that draws there. At
/// first it does not.
void overwriteLineWithLog(bool overwrite);

/// None for what is not among logLevelNames().
std::optional<LogLevel> parseLogLevel(std::string_view level);
/// "trace, debug, info, warn, error or off", for messages.
std::string logLevelNames();
void setLogLevel(LogLevel level);

} // namespace lintel
