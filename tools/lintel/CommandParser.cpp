// Commands and options, in the few kinds that this program has of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CommandParser.h"

#include "Console.h"
#include "UsageMessage.h"

#include "Runtime/PrintableText.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace lintel::tool {

CommandOption &CommandOption::takes(const std::string &value) {
  option->type_name(value);
  return *this;
}

CommandOption &CommandOption::required() {
  option->required();
  return *this;
}

CommandOption &CommandOption::excludes(const std::string &name) {
  option->excludes(name);
  return *this;
}

CommandOption &CommandOption::oneValueEach() {
  option->allow_extra_args(false);
  return *this;
}

CommandParser CommandParser::addCommand(const std::string &name,
                                        const std::string &help) {
  return CommandParser(parser->add_subcommand(name, help));
}

void CommandParser::requireCommand() { parser->require_subcommand(1); }

void CommandParser::explainWords(const std::string &hint) {
  parser->footer(hint);
}

bool CommandParser::isChosen() const { return parser->parsed(); }

CommandOption CommandParser::addFlag(const std::string &name, bool &given,
                                     const std::string &help) {
  return CommandOption(parser->add_flag(name, given, help));
}

CommandOption CommandParser::addText(const std::string &name, std::string &text,
                                     const std::string &help) {
  return CommandOption(parser->add_option(name, text, help));
}

CommandOption CommandParser::addText(const std::string &name,
                                     std::optional<std::string> &text,
                                     const std::string &help) {
  return CommandOption(parser->add_option(name, text, help));
}

CommandOption CommandParser::addTexts(const std::string &name,
                                      std::vector<std::string> &texts,
                                      const std::string &help) {
  return CommandOption(parser->add_option(name, texts, help));
}

CommandOption
CommandParser::addValue(const std::string &name,
                        std::function<Status(const std::string &)> read,
                        const std::string &help) {
  return CommandOption(parser->add_option_function<std::string>(
      name,
      [name, read = std::move(read)](const std::string &text) {
        if (Status taken = read(text); !taken)
          throw CLI::ValidationError(name, onOneLine(taken.error().message()));
      },
      help));
}

CommandLine::CommandLine(const std::string &program, const std::string &help,
                         const std::string &version)
    : app(std::make_unique<CLI::App>(help, program)) {
  app->set_version_flag("--version", version);
}

CommandLine::~CommandLine() = default;

std::optional<int> CommandLine::parse(int argc, char **argv) {
  const std::span<char *const> words(argv, size_t(argc));
  Expected<std::vector<std::string>> taken =
      wordsToParse(*app, words.subspan(words.empty() ? 0 : 1));
  if (!taken)
    return printError(taken.error());
  // CLI11 takes them from the end.
  std::ranges::reverse(*taken);
  try {
    app->parse(std::move(*taken));
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    // --help and --version end parsing too, and print to stdout.
    if (error.get_exit_code() == int(CLI::ExitCodes::Success))
      return finishOutput(app->exit(error));
    return printError(
        Error(ErrorCode::invalidArgument, usageMessage(*app, error)));
  }
}

} // namespace lintel::tool
