// What the tool says, and its exit codes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Console.h"

#include "Runtime/PrintableText.h"
#include "Runtime/WriteSignals.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace lintel::tool {

void occupyStandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1)
      // The least free number is taken, and those before it no longer are.
      (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

ExitCode exitCodeOf(const Error &error) {
  switch (error.code()) {
  case ErrorCode::invalidArgument:
  case ErrorCode::parse:
  case ErrorCode::unsupported:
  case ErrorCode::io:
  case ErrorCode::corrupt:
    return kBadInput;
  case ErrorCode::cancelled:
    return kInterrupted;
  case ErrorCode::compile:
  case ErrorCode::wrongResult:
  case ErrorCode::internal:
    break;
  }
  return kFailed;
}

void print(std::string_view text) {
  // outputFailed() knows what could not be written.
  (void)std::fwrite(text.data(), 1, text.size(), stdout);
  (void)std::fflush(stdout);
}

bool outputFailed() { return std::ferror(stdout) != 0; }

/// Writes to stderr. What that cannot take is dropped, and no signal ends the
/// process, which has an exit code to give.
static void complain(const std::string &text) {
  const WriteSignals none;
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

ExitCode printError(const Error &error) {
  complain("lintel: error: " + withoutControls(error.message()) + "\n");
  return exitCodeOf(error);
}

int finishOutput(int code) {
  if (std::fflush(stdout) == 0 && !outputFailed())
    return code;
  complain("lintel: error: cannot write to standard output\n");
  return kBadInput;
}

} // namespace lintel::tool
