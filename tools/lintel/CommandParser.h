// Commands and options, in the few kinds that this program has of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CLI11 has all its code in its header, which takes a file 5 to 8 s of
// compilation: only CommandParser.cpp and UsageMessage.cpp include it.
#pragma once

#include "lintel/Error.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace lintel::tool {

/// What there is to say of an option besides its name and what it means.
class CommandOption {
public:
  explicit CommandOption(CLI::Option *option) : option(option) {}
  /// How --help calls its value, as in "MS".
  CommandOption &takes(const std::string &value);
  CommandOption &required();
  /// It cannot be together with the option of this name, which is there.
  CommandOption &excludes(const std::string &name);
  /// One value each time that it is written, not all words up to the next
  /// option.
  CommandOption &oneValueEach();

private:
  CLI::Option *option;
};

/// A handle on one command, or on the whole program, to pass by value. What
/// options store into must live until the command line was parsed.
class CommandParser {
public:
  explicit CommandParser(CLI::App *parser) : parser(parser) {}

  CommandParser addCommand(const std::string &name, const std::string &help);
  /// One of its commands must follow.
  void requireCommand();
  /// Of a command without arguments: what stands behind options that words may
  /// be meant for. It ends the help, and the message about a word.
  void explainWords(const std::string &hint);
  /// Whether the command line, once parsed, named it.
  bool isChosen() const;

  CommandOption addFlag(const std::string &name, bool &given,
                        const std::string &help);
  /// A name without dashes is that of a positional argument, here and below.
  CommandOption addText(const std::string &name, std::string &text,
                        const std::string &help);
  CommandOption addText(const std::string &name,
                        std::optional<std::string> &text,
                        const std::string &help);
  CommandOption addTexts(const std::string &name,
                         std::vector<std::string> &texts,
                         const std::string &help);
  /// An option whose value `read` takes, or refuses by an error, which ends
  /// parsing. Options are read in the order in which they were added.
  CommandOption addValue(const std::string &name,
                         std::function<Status(const std::string &)> read,
                         const std::string &help);

private:
  CLI::App *parser;
};

/// For addValue(): stores what was read, or says why there is nothing.
template <class Value, class Place>
Status store(Expected<Value> value, Place &place) {
  if (!value)
    return value.error();
  place = std::move(*value);
  return {};
}

/// The program's command line.
class CommandLine {
public:
  CommandLine(const std::string &program, const std::string &help,
              const std::string &version);
  ~CommandLine();

  CommandParser root() const { return CommandParser(app.get()); }
  /// Reads the words of main. The exit code of a program that has nothing more
  /// to do, as it printed help, its version, or what is wrong.
  std::optional<int> parse(int argc, char **argv);

private:
  std::unique_ptr<CLI::App> app;
};

} // namespace lintel::tool
