// Text from files and callers on a terminal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/PrintableText.h"

#include <gtest/gtest.h>

namespace lintel {
namespace {

TEST(PrintableTextTest, ControlsAreSpelledOut) {
  using namespace std::string_view_literals;
  EXPECT_EQ(withoutControls(""), "");
  EXPECT_EQ(withoutControls("two\nlines\tand \xc2\xb5s"),
            "two\nlines\tand \xc2\xb5s");
  EXPECT_EQ(withoutControls("a\0b\x1b[31m\r\x7f"sv),
            "a\\x00b\\x1b[31m\\x0d\\x7f");
  // U+009B, which begins a command as ESC [ does, and bytes that are no UTF-8.
  EXPECT_EQ(withoutControls("\xc2\x9b"
                            "31m"),
            "\\xc2\\x9b31m");
  EXPECT_EQ(withoutControls("\x9b\xe2\x82"), "\\x9b\\xe2\\x82");
}

TEST(PrintableTextTest, NamesStayOnTheirLine) {
  EXPECT_EQ(onOneLine("a\nlintel: ok\t\x7f"), "a\\x0alintel: ok\\x09\\x7f");
  EXPECT_EQ(onOneLine("\xc2\xb5"), "\xc2\xb5");
}

} // namespace
} // namespace lintel
