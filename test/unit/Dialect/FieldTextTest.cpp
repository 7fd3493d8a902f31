// Splitting "name=value" lists.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/FieldText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace lintel {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

Status collect(std::string_view text, Fields &fields) {
  return parseFields(text, "list", "a",
                     [&](std::string_view name, std::string_view value) {
                       fields.emplace_back(name, value);
                       return Status();
                     });
}

TEST(FieldText, HandsOverNamesAndValuesInOrder) {
  Fields fields;
  Status status = collect(" b = 2 ,a=,c=x=y", fields);
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(fields, (Fields{{"b", "2"}, {"a", ""}, {"c", "x=y"}}));
}

TEST(FieldText, StopsAtTheFirstFieldThatIsRefused) {
  int calls = 0;
  Status status = parseFields("a=1,b=2", "list", "a",
                              [&](std::string_view, std::string_view) {
                                ++calls;
                                return Error(ErrorCode::internal, "no");
                              });
  ASSERT_FALSE(status);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(status.error().code(), ErrorCode::parse);
  EXPECT_EQ(status.error().message(), "list 'a=1,b=2': no");
}

TEST(FieldText, WantsTheRequiredField) {
  Fields fields;
  Status status = collect("b=1", fields);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(), "list 'b=1': 'a' is missing");
}

TEST(FieldText, CountsAreDecimalAndBounded) {
  EXPECT_EQ(*parseCount("n", "1", 100), 1);
  EXPECT_EQ(*parseCount("n", "100", 100), 100);
  EXPECT_EQ(*parseCount("n", "007", 100), 7);
  for (const char *text :
       {"", "0", "-1", "101", "1.5", " 1", "1 ", "0x1", "9223372036854775808"})
    EXPECT_FALSE(parseCount("n", text, 100)) << text;
  EXPECT_EQ(parseCount("n", "x", 100).error().message(),
            "n takes a number from 1 to 100, not 'x'");
}

TEST(FieldText, NumbersMayBeginWithZero) {
  const NumberRange range = {0, 100};
  EXPECT_EQ(*parseNumber("n", "0", range), 0);
  EXPECT_EQ(*parseNumber("n", "100", range), 100);
  for (const char *text : {"", "-0", "-1", "101", "x"})
    EXPECT_FALSE(parseNumber("n", text, range)) << text;
  EXPECT_EQ(parseNumber("n", "-1", range).error().message(),
            "n takes a number from 0 to 100, not '-1'");
  EXPECT_EQ(numberError("n", "-1", range).message(),
            parseNumber("n", "-1", range).error().message());
}

TEST(FieldText, QuotesTheBeginningOfLongFields) {
  const std::string text = "a=" + std::string(1000, '1');
  const Status status =
      parseFields(text, "number", "b", [](auto, auto) { return Status(); });
  EXPECT_EQ(status.error().message(),
            "number '" + text.substr(0, 400) + "...': 'b' is missing");
}

} // namespace
} // namespace lintel
