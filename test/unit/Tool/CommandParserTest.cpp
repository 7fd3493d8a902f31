// What is read from a command line, and what is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CommandParser.h"
#include "Console.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

using testing::ElementsAre;
using testing::HasSubstr;

namespace lintel::tool {
namespace {

class CommandParserTest : public testing::Test {
protected:
  CommandParserTest() {
    command.addFlag("--json", json, "a flag");
    command.addText("--file", file, "a text").takes("FILE");
    command
        .addValue(
            "--digit",
            [this](const std::string &text) -> Status {
              if (text.size() != 1)
                return Error(ErrorCode::invalidArgument, text + " is long");
              digit = text;
              return {};
            },
            "a value")
        .takes("N");
    command.addTexts("word", words, "texts");
  }

  /// What is printed on stderr; "" if nothing is wrong.
  std::string read(std::vector<std::string> line) {
    line.insert(line.begin(), "program");
    std::vector<char *> argv;
    for (std::string &word : line)
      argv.push_back(word.data());
    testing::internal::CaptureStderr();
    const std::optional<int> end = program.parse(int(argv.size()), argv.data());
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(end.has_value(), !said.empty());
    if (end)
      EXPECT_EQ(*end, kBadInput);
    return said;
  }

  CommandLine program = CommandLine("program", "does nothing", "program 1");
  CommandParser command = program.root().addCommand("do", "does it");
  bool json = false;
  std::string file, digit;
  std::vector<std::string> words;
};

TEST_F(CommandParserTest, OptionsAndWordsAreStored) {
  EXPECT_EQ(read({"do", "a", "--digit=3", "--json", "--file", "b", "c"}), "");
  EXPECT_TRUE(command.isChosen());
  EXPECT_TRUE(json);
  EXPECT_EQ(file, "b");
  EXPECT_EQ(digit, "3");
  EXPECT_THAT(words, ElementsAre("a", "c"));
}

TEST_F(CommandParserTest, WhatIsNotNamedStaysAsItWas) {
  EXPECT_EQ(read({"do"}), "");
  EXPECT_FALSE(json);
  EXPECT_EQ(file + digit, "");
  EXPECT_THAT(words, ElementsAre());
}

TEST_F(CommandParserTest, RefusedValuesAreSaidOnOneLine) {
  EXPECT_THAT(read({"do", "--digit", "1\n2"}),
              HasSubstr("error: --digit: 1\\x0a2 is long\n"));
}

TEST_F(CommandParserTest, WordsThatWouldBeMisreadAreRefused) {
  EXPECT_THAT(read({"do", "++"}), HasSubstr("'++' is no argument of program"));
  EXPECT_THAT(read({"do", "--file=", "a"}),
              HasSubstr("--file takes one value (FILE), and none follows its"));
  EXPECT_THAT(read({"do", "--file", "--json"}),
              HasSubstr("--file takes one value (FILE), and '--json' follows"));
  for (const char *flag : {"--json=true", "--json=", "--json={}", "--help=x"})
    EXPECT_THAT(read({"do", flag}), HasSubstr(" takes no value\n")) << flag;
}

TEST_F(CommandParserTest, BehindTwoDashesAllAreWords) {
  EXPECT_EQ(read({"do", "--", "++", "--json=", "--file"}), "");
  EXPECT_THAT(words, ElementsAre("++", "--json=", "--file"));
}

} // namespace
} // namespace lintel::tool
