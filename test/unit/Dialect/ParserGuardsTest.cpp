// What MLIR's parser is not to be given: how deep brackets nest, and the like.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/ParserGuards.h"

#include <gtest/gtest.h>

#include <string>

using namespace lintel;

namespace {

TEST(ParserGuardsTest, CountsOnlyBrackets) {
  EXPECT_EQ(nestingDepth(""), 0u);
  EXPECT_EQ(nestingDepth("{([<>])}{}"), 4u);
  EXPECT_EQ(nestingDepth("() -> (() -> (() -> ("), 3u);
  EXPECT_EQ(nestingDepth("affine_set<(d) : (d >= 0, d <= 9)> {"), 2u);
  EXPECT_EQ(nestingDepth("\"{\\\"{{\" // {{{\n{"), 1u);
  EXPECT_EQ(nestingDepth("\"{{ ends here\n{{"), 2u);
  EXPECT_EQ(nestingDepth(")>]}" + std::string("{)){")), 2u);
  EXPECT_EQ(nestingDepth("\"{\\"), 0u);
}

TEST(ResultNumberDigitsTest, CountsOnlyNumbersThatPickResults) {
  EXPECT_EQ(resultNumberDigits("%123456 #map1 \"%0#123456\" // %0#12345"), 0u);
  EXPECT_EQ(resultNumberDigits("%0#1, %0#2147483648 : f32"), 10u);
  EXPECT_EQ(resultNumberDigits("%0#12345"), 5u);
}

TEST(ArrayOfIndexTest, IsSeenWhereverTheParserWouldReadOne) {
  for (const char *text :
       {"array<index: 1>", "{x = array<index>}", "array < index : 1 >",
        "array\n<\tindex: 1>", "array // <i64\n < // of\n index: 1>",
        "\"array\" array<index", "!i = index\n#a = array<!i: 1>"})
    EXPECT_TRUE(holdsArrayOfIndex(text)) << text;
  EXPECT_TRUE(holdsArrayOfIndex(std::string("array\0<index", 12)));
  for (const char *text :
       {"", "array", "array<", "array<i64: 1>", "array<f32>",
        "\"array<index: 1>\"", "// array<index: 1>", "array<i64> index",
        "!llvm.array<4 x i32>", "[index, array]"})
    EXPECT_FALSE(holdsArrayOfIndex(text)) << text;
}

TEST(UnalignedResourceTest, IsOneOfADialectThatBeginsWithZeros) {
  EXPECT_TRUE(holdsUnalignedResource(
      "{-# dialect_resources: {builtin: {a: \"0x00000000AABB\"}} #-}"));
  for (const char *text :
       {"", "dense<\"0x0000000000000000\"> : tensor<2xf32>",
        "{-# dialect_resources: {builtin: {a: \"0x04000000AABB\"}} #-}"})
    EXPECT_FALSE(holdsUnalignedResource(text)) << text;
}

} // namespace
