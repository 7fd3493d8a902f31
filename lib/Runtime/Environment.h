// Every environment variable Lintel reads. docs/environment.md is this table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/KernelABI.h"
#include "Lintel/Target.h"
#include "Runtime/Log.h"
#include "lintel/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lintel {

/// What LINTEL_THREADS and --threads take: 1 to kMaxThreads, nothing else.
std::optional<int> parseThreads(std::string_view text);
/// What LINTEL_CACHE_DIR and options take: an absolute path of less than
/// PATH_MAX bytes. `name`: of the variable or option, for the message.
Status checkCacheDirectory(std::string_view name, std::string_view path);

struct Environment {
  std::optional<std::string>
      cacheDirectory;                 ///< LINTEL_CACHE_DIR: absolute path
  LogLevel logLevel = LogLevel::warn; ///< LINTEL_LOG
  std::optional<IsaLevel> isaCap;     ///< LINTEL_ISA: highest level to use
  bool emulateAmx = false;            ///< LINTEL_EMULATE_AMX: 1, 0 or not set
  std::optional<int> threads;         ///< LINTEL_THREADS: 1..kMaxThreads
  std::string xdgCacheHome;           ///< XDG_CACHE_HOME if absolute, else ""
  std::string home;                   ///< HOME if absolute, else ""

  /// Reads the process environment (secure_getenv). A variable that is empty
  /// counts as not set. A value that cannot be right is an error that names the
  /// variable, its value and what it takes.
  static Expected<Environment> read();
};

/// A sentence about each variable called LINTEL_* that Lintel does not read,
/// with the one that may have been meant. Without variables in a process with
/// raised privileges.
std::vector<std::string> strayVariables();
/// Logs strayVariables(), once in a process.
void warnOfStrayVariables();

/// The directory of the cache: LINTEL_CACHE_DIR, else $XDG_CACHE_HOME/lintel,
/// else $HOME/.cache/lintel; empty when none is known (no cache on disk).
std::string cacheDirectory(const Environment &environment);

} // namespace lintel
