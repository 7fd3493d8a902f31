// What is wrong with a command line, in one sentence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "UsageMessage.h"

#include "Console.h"

#include <CLI/CLI.hpp>

#include <string_view>
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

/// Of an option that `level` does not have, though one above or below may.
std::string misplacedOption(const std::string &word, const Level &level,
                            const std::vector<Level> &levels) {
  const std::string name = word.substr(0, word.find('='));
  bool isBelow = false;
  for (const Level &other : levels) {
    if (other.parser != level.parser &&
        other.parser->get_option_no_throw(name) != nullptr)
      return "'" + onOneLine(name) + "' is an option of " + other.name +
             (isBelow ? "; write it behind that"
                      : "; write it directly behind that");
    isBelow |= other.parser == level.parser;
  }
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

/// "--budget takes one value (MS)".
std::string whatItTakes(const std::string &name, const CLI::Option &option) {
  return name +
         (option.get_expected_max() > 1 ? " takes values"
                                        : " takes one value") +
         " (" + option.get_type_name() + ")";
}

/// The option of that name that `parser` or a command below it has; or null.
const CLI::Option *findOption(const CLI::App &parser, const std::string &name) {
  if (const CLI::Option *option = parser.get_option_no_throw(name))
    return option;
  for (const CLI::App *command :
       parser.get_subcommands([](const CLI::App *) { return true; }))
    if (const CLI::Option *option = findOption(*command, name))
      return option;
  return nullptr;
}

/// The name of the option that a word is (--help, --file=a, -h); or "".
std::string optionNamed(const CLI::App &app, std::string_view word) {
  const std::string name(word.substr(0, word.find('=')));
  const bool looksLikeOne = name.starts_with("--") || name == "-h";
  return looksLikeOne && findOption(app, name) ? name : "";
}

/// Of an option with too many values or none; its name begins what the library
/// says.
std::string mismatchMessage(const CLI::App &parser,
                            const CLI::ArgumentMismatch &error) {
  const std::string said = error.what();
  std::string name = said.substr(0, said.find_first_of(": "));
  if (!name.starts_with('-'))
    name.insert(0, "--");
  const CLI::Option *option = parser.get_option_no_throw(name);
  if (option == nullptr)
    return said;
  const std::string takes = whatItTakes(name, *option);
  const size_t given = option->results().size();
  return given > 1 ? takes + ", not " + std::to_string(given)
                   : takes + ", and none follows it";
}

} // namespace

std::string misreadWord(const CLI::App &app, std::span<char *const> words) {
  for (size_t i = 0; i < words.size() && words[i] != std::string_view("--");
       ++i) {
    const std::string_view word = words[i];
    // It ends a command there, and is dropped.
    if (word == "++")
      return "'++' is no argument of " + app.get_name();
    const std::string name = optionNamed(app, word);
    if (name.empty())
      continue;
    const CLI::Option &option = *findOption(app, name);
    const std::string_view behind = word.substr(name.size());
    if (isFlag(option)) {
      // Some values would be taken, none among them.
      if (!behind.empty())
        return name + " takes no value";
      continue;
    }
    // The next word would be taken instead.
    if (behind == "=")
      return whatItTakes(name, option) + ", and none follows its '='";
    if (!behind.empty())
      continue;
    // Any word would be taken.
    if (++i < words.size())
      if (const std::string next = optionNamed(app, words[i]); !next.empty())
        return whatItTakes(name, option) + ", and '" + next + "' follows it";
  }
  return "";
}

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
