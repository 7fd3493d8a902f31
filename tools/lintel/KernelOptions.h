// Options that tune, bench, check and explain share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "CommandParser.h"
#include "Progress.h"
#include "TypeOptions.h"

#include "lintel/Engine.h"
#include "lintel/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lintel::tool {

struct KernelOptions {
  NamedTypes types; ///< of problems given as text and of models
  int threads = 0;  ///< 0: the CPUs this process may use
  double budgetMilliseconds = CompileOptions().budgetMilliseconds;
  std::string schedule; ///< pins a schedule when not empty
  bool noCache = false;
  bool json = false;
};

/// --dtype, --accumulate, --threads and --schedule; values that cannot be right
/// are refused while parsing.
void addMachineOptions(CommandParser parser, KernelOptions &options);
/// --budget and --no-cache, of commands that tune.
void addTuningOptions(CommandParser parser, KernelOptions &options);
/// --json.
void addJsonOption(CommandParser parser, KernelOptions &options);
/// --threads alone.
void addThreadsOption(CommandParser parser, int &threads);
/// --schedule alone.
void addScheduleOption(CommandParser parser, std::string &schedule);

/// An engine as the options ask for.
Expected<std::unique_ptr<Engine>> makeEngine(const KernelOptions &options);

/// Says on stderr when the engine has more threads than CPUs, for a command
/// whose times tell little then.
void warnOfThreadsInTurns(Engine &engine);

/// Options for one compilation, with a mix of `rows`, which shows `progress`
/// and heeds Ctrl-C and SIGTERM where an InterruptGuard is alive. `progress`
/// must outlive the compilation.
CompileOptions makeCompileOptions(const KernelOptions &options,
                                  const std::vector<int64_t> &rows,
                                  Progress &progress);

} // namespace lintel::tool
