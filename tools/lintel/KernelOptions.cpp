// Options that tune, bench, check and explain share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelOptions.h"

#include "Interrupt.h"
#include "ParseCheck.h"

#include "Lintel/Schedule.h"
#include "Runtime/Environment.h"

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
                 "'" + text +
                     "' must be a positive number of milliseconds, as in 500");
  return value;
}

Status checkThreads(const std::string &text) {
  if (parseThreads(text))
    return {};
  return Error(ErrorCode::invalidArgument, "'" + text +
                                               "' is not a number from 1 to " +
                                               std::to_string(kMaxThreads));
}

} // namespace

void addThreadsOption(CLI::App &parser, int &threads) {
  // CLI11 itself would take 010 for 8.
  parser
      .add_option_function<std::string>(
          "--threads",
          [&threads](const std::string &text) {
            threads = parseThreads(text).value();
          },
          "parts of a call [LINTEL_THREADS, else the CPUs this process may "
          "use]")
      ->type_name("N")
      ->check(parsesWith(checkThreads));
}

void addScheduleOption(CLI::App &parser, std::string &schedule) {
  parser
      .add_option("--schedule", schedule,
                  "use this schedule instead of tuning, as in tile=4x16")
      ->type_name("S")
      ->check(parsesWith(Schedule::parse));
}

void addMachineOptions(CLI::App &parser, KernelOptions &options) {
  addTypeOptions(parser, options.types,
                 "element types: f32, bf16, f16, u8s8 or s8s8 (input and "
                 "weight), a result of its own behind a colon: bf16:f32, "
                 "u8s8:u8 [f32]");
  addThreadsOption(parser, options.threads);
  addScheduleOption(parser, options.schedule);
}

void addTuningOptions(CLI::App &parser, KernelOptions &options) {
  parser
      .add_option_function<std::string>(
          "--budget",
          [&options](const std::string &text) {
            options.budgetMilliseconds = parseBudget(text).value();
          },
          "milliseconds for timing candidates of a problem [300]")
      ->type_name("MS")
      ->check(parsesWith(parseBudget));
  parser.add_flag("--no-cache", options.noCache,
                  "neither read nor write the kernel cache");
}

void addJsonOption(CLI::App &parser, KernelOptions &options) {
  parser.add_flag("--json", options.json,
                  "one JSON object a problem, a line each");
}

Expected<std::unique_ptr<Engine>> makeEngine(const KernelOptions &options) {
  EngineOptions engineOptions;
  engineOptions.threads = options.threads;
  engineOptions.useCache = !options.noCache;
  return Engine::create(std::move(engineOptions));
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
