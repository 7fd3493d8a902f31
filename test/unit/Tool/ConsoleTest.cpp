// Text from files on a terminal: controls, names of layers; exit codes of
// errors. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Console.h"
#include "LayerNames.h"

#include <gmock/gmock.h>

using namespace lintel;
using namespace lintel::tool;

namespace {

TEST(ConsoleTest, ControlsAreSpelledOut) {
  using namespace std::string_view_literals;
  EXPECT_EQ(withoutControls(""), "");
  EXPECT_EQ(withoutControls("two\nlines\tand \xc2\xb5s"),
            "two\nlines\tand \xc2\xb5s");
  EXPECT_EQ(withoutControls("a\0b\x1b[31m\r\x7f"sv),
            "a\\x00b\\x1b[31m\\x0d\\x7f");
}

TEST(ConsoleTest, NamesStayOnTheirLine) {
  EXPECT_EQ(onOneLine("a\nlintel: ok\t\x7f"), "a\\x0alintel: ok\\x09\\x7f");
  EXPECT_EQ(onOneLine("\xc2\xb5"), "\xc2\xb5");
}

TEST(ConsoleTest, ErrorsEndInTheRightExitCode) {
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::parse, "")), kBadInput);
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::unsupported, "")), kBadInput);
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::wrongResult, "")), kFailed);
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::internal, "")), kFailed);
  EXPECT_EQ(exitCodeOf(Error(ErrorCode::cancelled, "")), kInterrupted);
}

TEST(LayerNamesTest, AFewAreShown) {
  EXPECT_EQ(layersText({}), "");
  EXPECT_EQ(layersText({"a"}), "layers a\n");
  EXPECT_EQ(layersText({"a", "b", "c"}), "layers a, b, c\n");
  EXPECT_EQ(layersText({"a", "b", "c", "d", "e"}),
            "layers a, b, c and 2 more\n");
}

TEST(LayerNamesTest, DoNotSteerATerminal) {
  EXPECT_EQ(layersText({"\x1b]0;title\a"}), "layers \\x1b]0;title\\x07\n");
  EXPECT_EQ(layersText({"a\nb\n"}), "layers a\\x0ab\\x0a\n");
}

TEST(LayerNamesTest, AllAreInTheJson) {
  EXPECT_EQ(withLayers("{\"k\":{}}\n", {}), "{\"k\":{}}\n");
  EXPECT_EQ(withLayers("{\"k\":{}}", {"a", "b\"", "c", "d"}),
            "{\"k\":{},\"layers\":[\"a\",\"b\\\"\",\"c\",\"d\"]}");
  EXPECT_EQ(withLayers("{\"k\":1}\n", {"\xff"}),
            "{\"k\":1,\"layers\":[\"\xef\xbf\xbd\"]}\n");
}

} // namespace
