// Quotes in messages about one line of text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Problem/TextCursor.h"

#include "lintel/Problem.h"

#include <gmock/gmock.h>

using namespace lintel;
using testing::HasSubstr;
using testing::SizeIs;

namespace {

std::string refusalOf(const std::string &text, const DataTypes &types = {}) {
  Expected<Problem> problem = Problem::parse(text, types);
  return problem ? "no error" : problem.error().message();
}

/// A word of a list may be as long as the list.
TEST(TextCursorTest, MessagesQuoteTheBeginningOfLongWords) {
  const std::string letters(1'000'000, 'a'), digits(1'000'000, '9');
  const std::string shape = "1x2:2x3 ", start(100, 'a');
  EXPECT_THAT(refusalOf(shape + letters),
              HasSubstr("unknown epilogue stage \"" + start + "...\"; known"));
  EXPECT_THAT(refusalOf(digits + "x2:2x3"),
              HasSubstr("M = " + std::string(100, '9') + "... is larger than"));
  EXPECT_THAT(refusalOf(shape + "clamp(0," + digits + ")"),
              HasSubstr("9... is outside the range of f32"));
  const DataTypes bytes = DataTypes::parse("u8s8:u8").value();
  EXPECT_THAT(refusalOf(shape + "quant+" + letters, bytes),
              HasSubstr("but \"" + start + "...\" follows"));
  EXPECT_THAT(refusalOf(shape + "dequant(" + letters + "=row)", bytes),
              HasSubstr("found \"" + start + "...\""));
  EXPECT_THAT(refusalOf(shape + "dequant(x=" + letters + ")", bytes),
              HasSubstr("found \"" + start + "...\""));
}

/// Of a number many digits may stand before its point, and behind it.
TEST(TextCursorTest, MessagesHaveABound) {
  const std::string digits(1'000'000, '9');
  EXPECT_LT(
      refusalOf("1x2:2x3 clamp(" + digits + "." + digits + "e" + digits + ",0)")
          .size(),
      1000u);
}

} // namespace
