// lintel: tunes, times, checks, runs and explains linear layers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Command.h"
#include "Console.h"
#include "UsageMessage.h"

#include "lintel-c/lintel.h"

#include <chrono>
#include <csignal>
#include <new>
#include <string>
#include <vector>

using namespace lintel::tool;

namespace {

std::string versionText() {
  return "lintel " + std::to_string(LINTEL_VERSION_MAJOR) + "." +
         std::to_string(LINTEL_VERSION_MINOR) + "." +
         std::to_string(LINTEL_VERSION_PATCH);
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
  // A file that may not grow is an error of its write, as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app("Compiles, tunes and checks linear layers for this CPU",
               "lintel");
  app.set_version_flag("--version", versionText());
  app.require_subcommand(1);
  // Commands inherit it: --json=no is no way to leave a flag out (and =true,
  // which CLI11 takes all the same, says nothing new).
  app.option_defaults()->disable_flag_override();
  const std::vector<Command> commands = {
      makeTuneCommand(app),    makeBenchCommand(app, start),
      makeCheckCommand(app),   makeRunCommand(app),
      makeExplainCommand(app), makeCacheCommand(app),
      makeDoctorCommand(app),
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    // --help and --version end parsing too, and print to stdout.
    if (error.get_exit_code() == int(CLI::ExitCodes::Success))
      return finishOutput(app.exit(error));
    return printError(lintel::Error(lintel::ErrorCode::invalidArgument,
                                    usageMessage(app, error)));
  }
  return finishOutput(runChosen(commands));
}
