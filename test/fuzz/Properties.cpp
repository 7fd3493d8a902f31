// What harnesses check.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/Properties.h"

#include "Runtime/PrintableText.h"

#include <algorithm>
#include <utility>

namespace lintel::fuzz {

static int taken = 0;

void noteTaken() { ++taken; }

int countTaken() { return std::exchange(taken, 0); }

void check(bool holds, std::string_view property, std::string_view detail) {
  if (!holds)
    throw BrokenProperty(std::string(property) + ": " + std::string(detail));
}

void checkSame(std::string_view what, std::string_view first,
               std::string_view second) {
  check(first == second, what,
        std::string(first) + "\nis not\n" + std::string(second));
}

/// Of ASCII alone: what is beyond is for withoutControls to tell.
static bool isControl(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

void checkMessage(const Error &error) {
  const std::string &message = error.message();
  check(!message.empty(), "an error has a message");
  check(std::ranges::none_of(message, isControl),
        "a message has no control characters", message);
}

void checkShownMessage(const Error &error) {
  check(!error.message().empty(), "an error has a message");
  const std::string shown = withoutControls(error.message());
  check(
      std::ranges::none_of(
          shown, [](char c) { return isControl(c) && c != '\n' && c != '\t'; }),
      "what is shown of a message has no control characters", shown);
  checkSame("what is fit to be shown stays as it is", withoutControls(shown),
            shown);
}

} // namespace lintel::fuzz
