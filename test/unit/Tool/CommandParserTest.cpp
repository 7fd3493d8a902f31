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
  for (const std::string word : {"++", "[a,b]", "[]"})
    EXPECT_THAT(read({"do", word}),
                HasSubstr("'" + word + "' is no argument of program\n"));
  EXPECT_THAT(read({"do", "--file=", "a"}),
              HasSubstr("--file takes one value (FILE), and none follows its"));
  EXPECT_THAT(read({"do", "--file", "--json"}),
              HasSubstr("--file takes one value (FILE), and '--json' follows"));
  for (const char *flag : {"--json=true", "--json=", "--json={}", "--help=x"})
    EXPECT_THAT(read({"do", flag}), HasSubstr(" takes no value\n")) << flag;
}

TEST_F(CommandParserTest, BehindTwoDashesAllAreWords) {
  EXPECT_EQ(read({"do", "a", "--", "b", "c"}), "");
  EXPECT_THAT(words, ElementsAre("a", "b", "c"));
  for (const char *word : {"--json=", "--file", "-", "--"})
    EXPECT_THAT(read({"do", "--", word}),
                HasSubstr("' behind '--' is no option, and no argument of "
                          "program begins with '-'\n"))
        << word;
  EXPECT_THAT(read({"do", "--", "++"}), HasSubstr("'++' is no argument of"));
}

TEST_F(CommandParserTest, NearlyRightNamesAreNamed) {
  for (const char *option : {"--jsn", "--jason", "--json1"})
    EXPECT_THAT(read({"do", option}),
                HasSubstr("is no option of program do; did you mean --json?\n"))
        << option;
  EXPECT_THAT(read({"do", "--fil=3"}),
              HasSubstr("'--fil=3' is no option of program do; did you mean "
                        "--file?\n"));
  EXPECT_THAT(read({"do", "--xyz"}), HasSubstr("; see program do --help\n"));
  EXPECT_THAT(read({"dp"}),
              HasSubstr("is no command of program; there are do"));
  program.root().addCommand("measure", "measures");
  EXPECT_THAT(read({"mesure"}), HasSubstr("; did you mean measure?\n"));
}

TEST_F(CommandParserTest, OptionsOfOtherCommandsAreNamedWithThem) {
  std::string files;
  bool deep = false;
  CommandParser other = program.root().addCommand("ask", "asks");
  other.addText("--fils", files, "nearly one of do");
  EXPECT_THAT(read({"do", "--fils=3"}),
              HasSubstr("error: '--fils' is an option of program ask, not of "
                        "program do\n"));
  other.addFlag("--deep", deep, "a flag");
  other.addCommand("now", "asks at once").addFlag("--deep", deep, "a flag");
  EXPECT_THAT(read({"do", "--deep"}),
              HasSubstr("error: '--deep' is an option of program ask and "
                        "program ask now, not of program do\n"));
  EXPECT_THAT(read({"--deep"}), HasSubstr(", not of program\n"));
}

TEST_F(CommandParserTest, OptionsOfOneValueEachAreRepeated) {
  std::vector<std::string> files;
  CommandParser other = program.root().addCommand("ask", "asks");
  other.addTexts("--operand", files, "texts").takes("FILE").oneValueEach();
  EXPECT_THAT(read({"ask", "a"}),
              HasSubstr("'a' is no argument of program ask\n"));
  EXPECT_THAT(read({"ask", "--operand", "a", "b"}),
              HasSubstr("'b' is no argument of program ask; write --operand "
                        "before each FILE, if it is one of these\n"));
  EXPECT_EQ(read({"ask", "--operand", "a", "--operand", "b"}), "");
  EXPECT_THAT(files, ElementsAre("a", "b"));
}

TEST_F(CommandParserTest, WordsAreExplainedThatOptionsWouldTake) {
  std::vector<std::string> files;
  CommandParser other = program.root().addCommand("ask", "asks");
  other.explainWords("files stand behind --operand");
  EXPECT_THAT(read({"ask", "a"}),
              HasSubstr("error: 'a' is no argument of program ask; files stand "
                        "behind --operand\n"));
  // The option that was given is nearer.
  other.addTexts("--operand", files, "texts").takes("FILE").oneValueEach();
  EXPECT_THAT(read({"ask", "--operand", "a", "b"}),
              HasSubstr("ask; write --operand before each FILE, if it is one "
                        "of these\n"));
  EXPECT_THAT(read({"ask", "b"}), HasSubstr("files stand behind --operand\n"));
}

TEST_F(CommandParserTest, AllThatIsMissingIsNamed) {
  CommandParser other = program.root().addCommand("ask", "asks");
  std::string who, what, where;
  other.addText("--who", who, "a text").required();
  EXPECT_THAT(read({"ask"}), HasSubstr("error: --who is required; see "
                                       "program ask --help\n"));
  other.addText("--what", what, "a text").required();
  other.addText("--where", where, "a text").required();
  EXPECT_THAT(read({"ask"}),
              HasSubstr("error: --who, --what and --where are required; see"));
  EXPECT_THAT(read({"ask", "--what", "a"}),
              HasSubstr("error: --who and --where are required; see"));
}

} // namespace
} // namespace lintel::tool
