// What the tool says, and its exit codes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Console.h"

#include "Runtime/WriteSignals.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

#include <algorithm>
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

/// Bytes that `text` begins with and that stand for a character to be shown; 0:
/// for a control, such as U+009B, or for nothing.
static size_t printableBytes(std::string_view text) {
  constexpr llvm::UTF32 kDelete = 0x7f, kLastControl = 0x9f;
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  const llvm::UTF8 *at = begin;
  llvm::UTF32 character = 0;
  if (llvm::convertUTF8Sequence(&at, begin + text.size(), &character,
                                llvm::strictConversion) != llvm::conversionOK)
    return 0;
  const bool control =
      character < ' ' || (character >= kDelete && character <= kLastControl);
  return control ? 0 : static_cast<size_t>(at - begin);
}

/// `text` with controls, but for those of `kept`, and what is no UTF-8 spelled
/// out.
static std::string spelledOut(std::string_view text, std::string_view kept) {
  std::string printable;
  while (!text.empty()) {
    const bool keep = kept.find(text.front()) != std::string_view::npos;
    const size_t bytes = keep ? 1 : printableBytes(text);
    if (bytes > 0)
      printable += text.substr(0, bytes);
    else
      printable += "\\x" + llvm::utohexstr(static_cast<uint8_t>(text.front()),
                                           /*LowerCase=*/true, /*Width=*/2);
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return printable;
}

std::string withoutControls(std::string_view text) {
  return spelledOut(text, "\n\t");
}

std::string onOneLine(std::string_view name) { return spelledOut(name, ""); }

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
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return code;
  complain("lintel: error: cannot write to standard output\n");
  return kBadInput;
}

} // namespace lintel::tool
