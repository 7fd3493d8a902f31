// The names of the layers that share a problem, as text and in JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerNames.h"

#include <gmock/gmock.h>

using namespace lintel::tool;

namespace {

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
