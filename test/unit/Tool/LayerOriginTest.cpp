// Where problems come from, as text and in JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerOrigin.h"

#include <gmock/gmock.h>

using namespace lintel::tool;

namespace {

LayerOrigin layers(std::vector<std::string> names) {
  return {.layers = std::move(names)};
}

TEST(LayerOriginTest, AFewLayersAreShown) {
  EXPECT_EQ(originText({}), "");
  EXPECT_EQ(originText(layers({"a"})), "layers a\n");
  EXPECT_EQ(originText(layers({"a", "b", "c"})), "layers a, b, c\n");
  EXPECT_EQ(originText(layers({"a", "b", "c", "d", "e"})),
            "layers a, b, c and 2 more\n");
}

TEST(LayerOriginTest, NamesDoNotSteerATerminal) {
  EXPECT_EQ(originText(layers({"\x1b]0;title\a"})),
            "layers \\x1b]0;title\\x07\n");
  EXPECT_EQ(originText(layers({"a\nb\n"})), "layers a\\x0ab\\x0a\n");
  EXPECT_EQ(originText({.module = "a\n.mlir"}), "module a\\x0a.mlir\n");
}

TEST(LayerOriginTest, AllLayersAreInTheJson) {
  EXPECT_EQ(withOrigin("{\"k\":{}}\n", {}), "{\"k\":{}}\n");
  EXPECT_EQ(withOrigin("{\"k\":{}}", layers({"a", "b\"", "c", "d"})),
            "{\"k\":{},\"layers\":[\"a\",\"b\\\"\",\"c\",\"d\"]}");
  EXPECT_EQ(withOrigin("{\"k\":1}\n", layers({"\xff"})),
            "{\"k\":1,\"layers\":[\"\xef\xbf\xbd\"]}\n");
}

TEST(LayerOriginTest, AModuleIsNamed) {
  const LayerOrigin origin = {.module = "a/\"b\".mlir"};
  EXPECT_EQ(originText(origin), "module a/\"b\".mlir\n");
  EXPECT_EQ(withOrigin("{\"k\":1}", origin),
            "{\"k\":1,\"module\":\"a/\\\"b\\\".mlir\"}");
}

} // namespace
