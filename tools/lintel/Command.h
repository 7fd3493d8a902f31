// The subcommands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CLI/CLI.hpp>

#include <chrono>
#include <functional>

namespace lintel::tool {

/// A subcommand: its parser, and what runs when the command line chose it.
/// `run` returns an ExitCode.
struct Command {
  CLI::App *parser;
  std::function<int()> run;
};

Command makeTuneCommand(CLI::App &app);
/// `start` is when main began: the command reports the time until a kernel is
/// ready.
Command makeBenchCommand(CLI::App &app,
                         std::chrono::steady_clock::time_point start);
Command makeCheckCommand(CLI::App &app);
Command makeRunCommand(CLI::App &app);
Command makeExplainCommand(CLI::App &app);
Command makeCacheCommand(CLI::App &app);
Command makeDoctorCommand(CLI::App &app);

} // namespace lintel::tool
