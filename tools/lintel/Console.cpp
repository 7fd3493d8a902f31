// What the tool says, and its exit codes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Console.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdio>

namespace lintel::tool {

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
  // finishOutput() reports what could not be written.
  (void)std::fwrite(text.data(), 1, text.size(), stdout);
  (void)std::fflush(stdout);
}

/// `text` with control characters spelled out, but for those of `kept`.
static std::string spelledOut(std::string_view text, std::string_view kept) {
  constexpr unsigned char kFirstPrintable = 0x20, kDelete = 0x7f;
  std::string printable;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= kFirstPrintable && byte != kDelete) ||
        kept.find(c) != std::string_view::npos)
      printable += c;
    else
      printable +=
          "\\x" + llvm::utohexstr(byte, /*LowerCase=*/true, /*Width=*/2);
  }
  return printable;
}

std::string withoutControls(std::string_view text) {
  return spelledOut(text, "\n\t");
}

std::string onOneLine(std::string_view name) { return spelledOut(name, ""); }

ExitCode printError(const Error &error) {
  std::fprintf(stderr, "lintel: error: %s\n",
               withoutControls(error.message()).c_str());
  return exitCodeOf(error);
}

int finishOutput(int code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return code;
  std::fputs("lintel: error: cannot write to standard output\n", stderr);
  return kBadInput;
}

} // namespace lintel::tool
