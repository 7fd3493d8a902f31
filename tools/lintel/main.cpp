// lintel: tunes, times, checks, runs and explains linear layers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Command.h"
#include "Console.h"

#include "lintel-c/lintel.h"

#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <vector>

using namespace lintel::tool;

namespace {

std::string versionText() {
  return "lintel " + std::to_string(LINTEL_VERSION_MAJOR) + "." +
         std::to_string(LINTEL_VERSION_MINOR) + "." +
         std::to_string(LINTEL_VERSION_PATCH);
}

bool isCommand(std::string_view name, const std::vector<Command> &commands) {
  return std::ranges::any_of(commands, [&](const Command &command) {
    return command.parser->get_name() == name;
  });
}

/// CLI11 would only say that a subcommand is missing.
std::string unknownCommandMessage(std::string_view name,
                                  const std::vector<Command> &commands) {
  std::string message = "'" + std::string(name) + "' is no command; there are";
  for (const Command &command : commands)
    message += " " + command.parser->get_name();
  return message;
}

/// Lintel's rooms throw nothing of their own, but containers can run out of
/// memory.
int runChosen(const std::vector<Command> &commands) {
  try {
    for (const Command &command : commands)
      if (command.parser->parsed())
        return command.run();
  } catch (const std::bad_alloc &) {
    return printError(
        lintel::Error(lintel::ErrorCode::internal, "out of memory"));
  }
  return kBadInput;
}

} // namespace

int main(int argc, char **argv) {
  const auto start = std::chrono::steady_clock::now();
  CLI::App app("Compiles, tunes and checks linear layers for this CPU",
               "lintel");
  app.set_version_flag("--version", versionText());
  app.require_subcommand(1);
  const std::vector<Command> commands = {
      makeTuneCommand(app),    makeBenchCommand(app, start),
      makeCheckCommand(app),   makeRunCommand(app),
      makeExplainCommand(app), makeCacheCommand(app),
      makeDoctorCommand(app),
  };
  if (argc > 1 && argv[1][0] != '-' && !isCommand(argv[1], commands))
    return printError(lintel::Error(lintel::ErrorCode::invalidArgument,
                                    unknownCommandMessage(argv[1], commands)));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    // Prints help to stdout and mistakes to stderr.
    return finishOutput(app.exit(error) == 0 ? kSuccess : kBadInput);
  }
  return finishOutput(runChosen(commands));
}
