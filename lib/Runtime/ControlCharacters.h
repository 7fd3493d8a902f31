// Which characters may not reach a line of text as they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lintel {

/// Would end the line, or steer the terminal that shows it. Of ASCII: the
/// others are two bytes of UTF-8, which most terminals leave alone.
constexpr bool isControlCharacter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

} // namespace lintel
