// What is wrong with a command line, in one sentence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "UsageMessage.h"

#include "Basics/ClosestName.h"
#include "Basics/MessageText.h"
#include "Quote.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>

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
  const std::vector<std::string> words = parser.remaining();
  return words.empty() ? "" : words.front();
}

/// The long names of the options that `parser` has itself.
std::vector<std::string> optionNames(const CLI::App &parser) {
  std::vector<std::string> names;
  for (const CLI::Option *option : parser.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

std::vector<const CLI::App *> commandsOf(const CLI::App &parser) {
  return parser.get_subcommands([](const CLI::App *) { return true; });
}

std::vector<std::string> commandNames(const CLI::App &parser) {
  std::vector<std::string> names;
  for (const CLI::App *command : commandsOf(parser))
    names.push_back(command->get_name());
  return names;
}

/// Adds the commands below `level` that have an option of that name, each as
/// its command line begins.
void addCommandsWith(const std::string &option, const Level &level,
                     std::vector<std::string> &names) {
  for (const CLI::App *command : commandsOf(*level.parser)) {
    const Level below = {command, level.name + " " + command->get_name()};
    if (command->get_option_no_throw(option) != nullptr)
      names.push_back(below.name);
    addCommandsWith(option, below, names);
  }
}

/// Of an option that no parser of the line has: which commands do, or else what
/// may be meant.
std::string unknownOption(const std::string &word, const std::string &name,
                          const Level &level, const Level &program) {
  std::vector<std::string> owners;
  addCommandsWith(name, program, owners);
  if (!owners.empty()) {
    const std::vector<std::string_view> names(owners.begin(), owners.end());
    return inQuotes(name) + " is an option of " + listOf(names, "and") +
           ", not of " + level.name;
  }
  const size_t dashes = std::min(name.find_first_not_of('-'), name.size());
  return inQuotes(word) + " is no option of " + level.name +
         whatIsMeant(name, optionNames(*level.parser), dashes,
                     "; see " + level.name + " --help");
}

/// Of an option that `level` does not have, though another may.
std::string misplacedOption(const std::string &word, const Level &level,
                            const std::vector<Level> &levels) {
  const std::string name = word.substr(0, word.find('='));
  bool isBelow = false;
  for (const Level &other : levels) {
    if (other.parser != level.parser &&
        other.parser->get_option_no_throw(name) != nullptr)
      return inQuotes(name) + " is an option of " + other.name +
             (isBelow ? "; write it behind that"
                      : "; write it directly behind that");
    isBelow |= other.parser == level.parser;
  }
  return unknownOption(word, name, level, levels.front());
}

/// "; there are ls show", or "" for a parser without commands.
std::string commandsThereAre(const CLI::App &parser) {
  std::string names;
  for (const std::string &name : commandNames(parser))
    names += " " + name;
  return names.empty() ? "" : "; there are" + names;
}

/// How to say that a word belongs to an option that was given and takes a value
/// each time; "" if there is none.
std::string repetitionThatIsMeant(const CLI::App &parser) {
  for (const CLI::Option *option : parser.get_options())
    if (option->nonpositional() && !option->empty() &&
        option->get_expected_max() > 1 && !option->get_allow_extra_args())
      return "; write " + option->get_name() + " before each " +
             option->get_type_name() + ", if it is one of these";
  return "";
}

/// What a word may be meant for that a parser without commands does not take;
/// "" if nothing is known.
std::string whatWordsAreFor(const CLI::App &parser) {
  const std::string repetition = repetitionThatIsMeant(parser);
  const std::string hint = parser.get_footer();
  return repetition.empty() && !hint.empty() ? "; " + hint : repetition;
}

/// Of a word that `level` has no use for.
std::string misplacedWord(const std::string &word, const Level &level) {
  const std::string commands = commandsThereAre(*level.parser);
  if (commands.empty())
    return inQuotes(word) + " is no argument of " + level.name +
           whatWordsAreFor(*level.parser);
  return inQuotes(word) + " is no command of " + level.name +
         whatIsMeant(word, commandNames(*level.parser), /*prefix=*/0, commands);
}

/// "--weight, --input and --output are required", or "".
std::string missingOptions(const CLI::App &parser) {
  std::vector<std::string> missing;
  for (const CLI::Option *option : parser.get_options())
    if (option->get_required() && option->empty())
      missing.push_back(option->get_name());
  if (missing.empty())
    return "";
  std::string names;
  for (size_t i = 0; i < missing.size(); ++i)
    names += (i == 0                    ? ""
              : i + 1 == missing.size() ? " and "
                                        : ", ") +
             missing[i];
  return names + (missing.size() == 1 ? " is required" : " are required");
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
  for (const CLI::App *command : commandsOf(parser))
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

/// What CLI11 would take for the value of option `name`, or pass over, that is
/// none: `behind` follows the name in its word, `next` in the next one. Or "".
std::string misreadValue(const CLI::App &app, const std::string &name,
                         std::string_view behind, std::string_view next) {
  const CLI::Option &option = *findOption(app, name);
  if (isFlag(option))
    return behind.empty() ? "" : name + " takes no value";
  if (behind == "=")
    return whatItTakes(name, option) + ", and none follows its '='";
  const std::string nextOption = optionNamed(app, next);
  if (behind.empty() && !nextOption.empty())
    return whatItTakes(name, option) + ", and '" + nextOption + "' follows it";
  return "";
}

/// A word that is taken for what it is wherever it stands.
bool isPlain(std::string_view word) {
  // A command would end at the former, and the latter is a list to CLI11.
  return word != "++" && !(word.starts_with('[') && word.ends_with(']'));
}

} // namespace

Error usageError(std::string message) {
  return Error(ErrorCode::invalidArgument, std::move(message));
}

std::string whatIsMeant(std::string_view word,
                        const std::vector<std::string> &names, size_t prefix,
                        const std::string &otherwise) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view meant = closestName(word, known, prefix);
  return meant.empty() ? otherwise
                       : "; did you mean " + std::string(meant) + "?";
}

Expected<std::vector<std::string>> wordsToParse(const CLI::App &app,
                                                std::span<char *const> words) {
  std::vector<std::string> taken;
  bool behindDashes = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (!isPlain(word))
      return usageError(inQuotes(word) + " is no argument of " +
                        app.get_name());
    // A command that has an argument would end there, too.
    if (word == "--" && !behindDashes) {
      behindDashes = true;
      continue;
    }
    if (behindDashes && word.starts_with('-'))
      return usageError(inQuotes(word) +
                        " behind '--' is no option, and no argument of " +
                        app.get_name() + " begins with '-'");
    taken.emplace_back(word);
    const std::string name = optionNamed(app, word);
    if (name.empty())
      continue;
    const bool isLast = i + 1 == words.size();
    const std::string misread = misreadValue(
        app, name, word.substr(name.size()), isLast ? "" : words[i + 1]);
    if (!misread.empty())
      return usageError(misread);
    const bool hasNext = name.size() == word.size() && !isLast &&
                         !isFlag(*findOption(app, name));
    if (hasNext)
      taken.emplace_back(words[++i]);
  }
  return taken;
}

std::string usageMessage(const CLI::App &app, const CLI::ParseError &error) {
  const std::vector<Level> levels = chosenLevels(app);
  for (const Level &level : levels) {
    const std::string word = unexpectedWord(*level.parser);
    if (!word.empty())
      return word.starts_with('-') ? misplacedOption(word, level, levels)
                                   : misplacedWord(word, level);
  }
  const Level &last = levels.back();
  const std::string commands = commandsThereAre(*last.parser);
  if (!commands.empty())
    return last.name + " needs a command" + commands + "; see " + last.name +
           " --help";
  if (const auto *mismatch =
          dynamic_cast<const CLI::ArgumentMismatch *>(&error))
    return mismatchMessage(*last.parser, *mismatch);
  const std::string missing = missingOptions(*last.parser);
  if (!missing.empty() && dynamic_cast<const CLI::RequiredError *>(&error))
    return missing + "; see " + last.name + " --help";
  if (dynamic_cast<const CLI::ExcludesError *>(&error))
    return std::string(error.what()) + "; leave one of them out";
  return error.what();
}

} // namespace lintel::tool
