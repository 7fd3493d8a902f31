// What the tool says, and its exit codes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <string>
#include <string_view>

namespace lintel::tool {

/// Has descriptors 0 to 2 that are closed taken by /dev/null, so that no file
/// is opened as one of them and gets what is meant for stderr: the word of an
/// interrupt in a cache entry. Reading and writing them fails as before.
void occupyStandardStreams();

/// Exit codes, a contract with scripts (docs/cli.md).
enum ExitCode : int {
  kSuccess = 0,
  kFailed = 1,       ///< a check failed, or Lintel itself did
  kBadInput = 2,     ///< bad usage or input
  kInterrupted = 130 ///< Ctrl-C, or SIGTERM
};

/// The exit code that an error ends in.
ExitCode exitCodeOf(const Error &error);

/// Writes results to stdout, which holds nothing else, at once: the next
/// problem may take long.
void print(std::string_view text);

/// Whether some of them could not be written, and the rest need not be made;
/// finishOutput() says so.
bool outputFailed();

/// Writes "lintel: error: <message>" to stderr, without controls, or nothing if
/// its reader is gone; returns exitCodeOf(error).
ExitCode printError(const Error &error);

/// `code`, or kBadInput if results could not be written.
int finishOutput(int code);

} // namespace lintel::tool
