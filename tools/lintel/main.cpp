// lintel: tunes, times, checks, runs and explains linear layers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Command.h"
#include "Console.h"

#include "lintel-c/lintel.h"

#include <chrono>
#include <csignal>
#include <new>
#include <optional>
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
      if (command.parser.isChosen())
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
  occupyStandardStreams();
  // A file that may not grow is an error of its write, as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  CommandLine line("lintel",
                   "Compiles, tunes and checks linear layers for this CPU",
                   versionText());
  CommandParser program = line.root();
  program.requireCommand();
  const std::vector<Command> commands = {
      makeTuneCommand(program),    makeBenchCommand(program, start),
      makeCheckCommand(program),   makeRunCommand(program),
      makeExplainCommand(program), makeCacheCommand(program),
      makeDoctorCommand(program),
  };
  if (std::optional<int> end = line.parse(argc, argv))
    return *end;
  return finishOutput(runChosen(commands));
}
