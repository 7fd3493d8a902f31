// What is wrong with a command line, in one sentence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "UsageMessage.h"

#include "Console.h"

#include <CLI/CLI.hpp>

#include <vector>

namespace lintel::tool {

namespace {

/// A parser, and how its command line begins: "lintel cache".
struct Level {
  const CLI::App *parser;
  std::string name;
};

/// The parsers that the command line chose, outermost first.
std::vector<Level> chosenLevels(const CLI::App &app) {
  std::vector<Level> levels = {{&app, app.get_name()}};
  for (;;) {
    const Level &last = levels.back();
    const auto chosen = last.parser->get_subcommands();
    if (chosen.empty())
      return levels;
    const CLI::App *parser = chosen.front();
    levels.push_back({parser, last.name + " " + parser->get_name()});
  }
}

/// The first word that `parser` did not understand, or "".
std::string unexpectedWord(const CLI::App &parser) {
  for (const std::string &word : parser.remaining())
    if (word != "--")
      return word;
  return "";
}

/// Of an option that `level` does not have, though one below may.
std::string misplacedOption(const std::string &word, const Level &level,
                            const std::vector<Level> &levels) {
  const std::string name = word.substr(0, word.find('='));
  for (const Level &other : levels)
    if (other.parser != level.parser &&
        other.parser->get_option_no_throw(name) != nullptr)
      return "'" + onOneLine(name) + "' is an option of " + other.name +
             "; write it behind that";
  return "'" + onOneLine(word) + "' is no option of " + level.name + "; see " +
         level.name + " --help";
}

/// "; there are ls show", or "" for a parser without commands.
std::string commandsThereAre(const CLI::App &parser) {
  std::string names;
  for (const CLI::App *command :
       parser.get_subcommands([](const CLI::App *) { return true; }))
    names += " " + command->get_name();
  return names.empty() ? "" : "; there are" + names;
}

/// A flag, which is there or not: some --help or --json.
bool isFlag(const CLI::Option &option) {
  return option.get_items_expected_max() == 0;
}

/// Of an option with too many values or none, or a flag with one; its name
/// begins what the library says.
std::string mismatchMessage(const CLI::App &parser,
                            const CLI::ArgumentMismatch &error) {
  const std::string said = error.what();
  std::string name = said.substr(0, said.find_first_of(": "));
  if (!name.starts_with('-'))
    name.insert(0, "--");
  const CLI::Option *option = parser.get_option_no_throw(name);
  if (option == nullptr)
    return said;
  if (isFlag(*option))
    return name + " takes no value";
  const std::string takes =
      name +
      (option->get_expected_max() > 1 ? " takes values" : " takes one value") +
      " (" + option->get_type_name() + ")";
  const size_t given = option->results().size();
  return given > 1 ? takes + ", not " + std::to_string(given)
                   : takes + ", and none follows it";
}

} // namespace

std::string usageMessage(const CLI::App &app, const CLI::ParseError &error) {
  const std::vector<Level> levels = chosenLevels(app);
  for (const Level &level : levels) {
    const std::string word = unexpectedWord(*level.parser);
    if (word.empty())
      continue;
    if (word.starts_with('-'))
      return misplacedOption(word, level, levels);
    const std::string commands = commandsThereAre(*level.parser);
    return "'" + onOneLine(word) + "' is no " +
           (commands.empty() ? "argument" : "command") + " of " + level.name +
           commands;
  }
  const Level &last = levels.back();
  const std::string commands = commandsThereAre(*last.parser);
  if (!commands.empty())
    return last.name + " needs a command" + commands + "; see " + last.name +
           " --help";
  if (const auto *mismatch =
          dynamic_cast<const CLI::ArgumentMismatch *>(&error))
    return mismatchMessage(*last.parser, *mismatch);
  if (dynamic_cast<const CLI::RequiredError *>(&error))
    return std::string(error.what()) + "; see " + last.name + " --help";
  if (dynamic_cast<const CLI::ExcludesError *>(&error))
    return std::string(error.what()) + "; leave one of them out";
  return error.what();
}

} // namespace lintel::tool
