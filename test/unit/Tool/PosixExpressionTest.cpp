// What --match takes and what LLVM's matcher is given for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PosixExpression.h"

#include <gmock/gmock.h>

using namespace lintel;
using namespace lintel::tool;
using ::testing::HasSubstr;

namespace {

std::string translated(std::string_view text) {
  Expected<std::string> posix = posixExpression(text);
  return posix ? *posix : "refused: " + posix.error().message();
}

TEST(PosixExpressionTest, ClassesStandForTheirMembers) {
  EXPECT_EQ(translated(R"(a\d+\W\.b)"), R"(a[0-9]+[^A-Za-z0-9_]\.b)");
  EXPECT_EQ(translated(R"([\d.]\s)"), "[0-9.][[:space:]]");
  EXPECT_EQ(translated(R"([^]\w-])"), "[^]A-Za-z0-9_-]");
  EXPECT_EQ(translated(R"([[:alpha:]\s])"), "[[:alpha:][:space:]]");
}

TEST(PosixExpressionTest, TheRestStaysAsItIs) {
  for (const char *text : {"", "a|b", "^(a|b)*.c$", R"(\{2\})", "[]a]", "[",
                           "[a", "[[:", "[[:alpha:", "[^]", "a\\"})
    EXPECT_EQ(translated(text), text);
}

TEST(PosixExpressionTest, RefusesWhatHasNoBoundOrNoMeaning) {
  // The matcher reads the second and the third as counted brackets.
  for (const char *text : {"a{2}", "[A-[:]{255}]", "[[.].][]{9}]", "[{]"})
    EXPECT_THAT(translated(text), HasSubstr("refused: it counts with '{'"));
  EXPECT_THAT(translated(R"((a)\1)"), HasSubstr(R"('\1' is not known)"));
  EXPECT_THAT(translated(R"(\b)"), HasSubstr(R"('\b' is not known)"));
  for (const char *text : {R"([\D])", R"([\]])", R"([a\.])", R"([a\)"})
    EXPECT_THAT(translated(text), HasSubstr("in brackets, which take")) << text;
}

} // namespace
