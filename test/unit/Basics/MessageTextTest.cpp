// Quoting and listing words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Basics/MessageText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lintel {
namespace {

TEST(ListOfTest, PutsTheConjunctionBeforeTheLast) {
  const std::string_view words[] = {"a", "b", "c"};
  EXPECT_EQ(listOf({}, "or"), "");
  EXPECT_EQ(listOf(std::span(words, 1), "or"), "a");
  EXPECT_EQ(listOf(std::span(words, 2), "and"), "a and b");
  EXPECT_EQ(listOf(words, "or", "'"), "'a', 'b' or 'c'");
}

TEST(ShortenedTest, SaysThatThereIsMore) {
  const std::string longest(100, 'a');
  EXPECT_EQ(shortened(""), "");
  EXPECT_EQ(shortened(longest), longest);
  EXPECT_EQ(shortened(longest + "b"), longest + "...");
}

TEST(ShortenedTest, CutsNoCharacterOfUtf8) {
  const std::string before(98, 'a');
  EXPECT_EQ(shortened(before + "\u20ac" + "b"), before + "...");
  EXPECT_EQ(shortened(before + "\u00e9" + "b"), before + "\u00e9...");
  EXPECT_EQ(shortened(std::string(99, 'a') + "\U0001f600"),
            std::string(99, 'a') + "...");
  // What is no character is cut like any byte.
  EXPECT_EQ(shortened(std::string(200, '\x80')),
            std::string(100, '\x80') + "...");
}

} // namespace
} // namespace lintel
