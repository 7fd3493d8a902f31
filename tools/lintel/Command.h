// The subcommands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "CommandParser.h"

#include <chrono>
#include <functional>

namespace lintel::tool {

/// A subcommand: its parser, and what runs when the command line chose it.
/// `run` returns an ExitCode.
struct Command {
  CommandParser parser;
  std::function<int()> run;
};

Command makeTuneCommand(CommandParser program);
/// `start` is when main began: the command reports the time until a kernel is
/// ready.
Command makeBenchCommand(CommandParser program,
                         std::chrono::steady_clock::time_point start);
Command makeCheckCommand(CommandParser program);
Command makeRunCommand(CommandParser program);
Command makeExplainCommand(CommandParser program);
Command makeCacheCommand(CommandParser program);
Command makeDoctorCommand(CommandParser program);

} // namespace lintel::tool
