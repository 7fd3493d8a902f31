// Options that tune, bench, check and explain share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelOptions.h"

#include "Interrupt.h"
#include "Quote.h"
#include "Table.h"

#include "Engine/EngineImpl.h"
#include "Lintel/Schedule.h"
#include "Runtime/Environment.h"
#include "Runtime/Log.h"

#include <charconv>
#include <cmath>

namespace lintel::tool {

namespace {

Expected<double> parseBudget(const std::string &text) {
  double value = 0;
  const char *end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || rest != end || !std::isfinite(value) ||
      value <= 0)
    return Error(ErrorCode::invalidArgument,
                 inQuotes(text) +
                     " must be a positive number of milliseconds, as in 500");
  return value;
}

Expected<int> readThreads(const std::string &text) {
  if (std::optional<int> threads = parseThreads(text))
    return *threads;
  return Error(ErrorCode::invalidArgument, inQuotes(text) +
                                               " is not a number from 1 to " +
                                               std::to_string(kMaxThreads));
}

} // namespace

void addThreadsOption(CommandParser parser, int &threads) {
  // CLI11 itself would take 010 for 8.
  parser
      .addValue(
          "--threads",
          [&threads](const std::string &text) {
            return store(readThreads(text), threads);
          },
          "parts of a call [LINTEL_THREADS, else the CPUs this process may "
          "use]")
      .takes("N");
}

void addScheduleOption(CommandParser parser, std::string &schedule) {
  parser
      .addValue(
          "--schedule",
          [&schedule](const std::string &text) -> Status {
            if (Expected<Schedule> legal = Schedule::parse(text); !legal)
              return legal.error();
            schedule = text;
            return {};
          },
          "use this schedule instead of tuning, as in tile=4x16")
      .takes("S");
}

void addMachineOptions(CommandParser parser, KernelOptions &options) {
  addTypeOptions(parser, options.types,
                 "element types: f32, bf16, f16, u8s8 or s8s8 (input and "
                 "weight), a result of its own behind a colon: bf16:f32, "
                 "u8s8:u8 [f32]");
  addThreadsOption(parser, options.threads);
  addScheduleOption(parser, options.schedule);
}

void addTuningOptions(CommandParser parser, KernelOptions &options) {
  parser
      .addValue(
          "--budget",
          [&options](const std::string &text) {
            return store(parseBudget(text), options.budgetMilliseconds);
          },
          "milliseconds for timing candidates of a problem [300]")
      .takes("MS");
  parser.addFlag("--no-cache", options.noCache,
                 "neither read nor write the kernel cache");
}

void addJsonOption(CommandParser parser, KernelOptions &options) {
  parser.addFlag("--json", options.json,
                 "one JSON object a problem, a line each");
}

Expected<std::unique_ptr<Engine>> makeEngine(const KernelOptions &options) {
  EngineOptions engineOptions;
  engineOptions.threads = options.threads;
  engineOptions.useCache = !options.noCache;
  return Engine::create(std::move(engineOptions));
}

void warnOfThreadsInTurns(Engine &engine) {
  const Engine::Impl &impl = engine.internals();
  const int64_t cpus = impl.facts.cores;
  if (impl.threads > cpus)
    logMessage(LogLevel::warn,
               "{} threads take turns on {}, and calls wait for them; name at "
               "most {} with --threads or LINTEL_THREADS",
               impl.threads, counted(size_t(cpus), "CPU", "CPUs"), cpus);
}

CompileOptions makeCompileOptions(const KernelOptions &options,
                                  const std::vector<int64_t> &rows,
                                  Progress &progress) {
  CompileOptions compile;
  compile.budgetMilliseconds = options.budgetMilliseconds;
  compile.schedule = options.schedule;
  compile.rows = rows;
  compile.progress = [&progress](size_t done, size_t total,
                                 std::string_view what) {
    progress.show(done, total, what);
  };
  compile.stop = InterruptGuard::requested;
  return compile;
}

} // namespace lintel::tool
