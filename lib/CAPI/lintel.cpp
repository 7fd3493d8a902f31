// The C ABI over the C++ API.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel-c/lintel.h"

#include "CAPI/CallbackExecutor.h"
#include "CAPI/LastError.h"
#include "CAPI/Options.h"
#include "Engine/Buckets.h"
#include "Engine/CallArguments.h"
#include "Runtime/Environment.h"
#include "lintel/Engine.h"
#include "lintel/Log.h"
#include "lintel/Module.h"

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

struct lintel_engine {
  std::unique_ptr<lintel::Engine> engine;
  std::once_flag reported = {};
  std::string report = {}; ///< once it was asked for
};
struct lintel_problem {
  lintel::Problem problem;
};
struct lintel_linear {
  lintel::Linear linear;
  std::string report;
};

namespace {

using lintel::Error;
using lintel::ErrorCode;
using lintel::Expected;
using lintel::Status;
using namespace lintel::capi;

#define LINTEL_TEXT_OF(x) #x
#define LINTEL_TEXT(x) LINTEL_TEXT_OF(x)
constexpr const char *kVersion =
    LINTEL_TEXT(LINTEL_VERSION_MAJOR) "." LINTEL_TEXT(
        LINTEL_VERSION_MINOR) "." LINTEL_TEXT(LINTEL_VERSION_PATCH);

Error missing(const char *argument) {
  return Error(ErrorCode::invalidArgument, std::string(argument) + " is null");
}

/// The numbers are the same, as the header says.
constexpr lintel_broadcast broadcastOf(lintel::Broadcast broadcast) {
  return static_cast<lintel_broadcast>(broadcast);
}
static_assert(broadcastOf(lintel::Broadcast::scalar) == LINTEL_SCALAR);
static_assert(broadcastOf(lintel::Broadcast::column) == LINTEL_COLUMN);
static_assert(broadcastOf(lintel::Broadcast::row) == LINTEL_ROW);
static_assert(broadcastOf(lintel::Broadcast::full) == LINTEL_FULL);

/// So are these, but for `off`, which is no message's.
constexpr lintel_log_level levelOf(lintel::LogLevel level) {
  return static_cast<lintel_log_level>(level);
}
static_assert(levelOf(lintel::LogLevel::trace) == LINTEL_LOG_TRACE);
static_assert(levelOf(lintel::LogLevel::debug) == LINTEL_LOG_DEBUG);
static_assert(levelOf(lintel::LogLevel::info) == LINTEL_LOG_INFO);
static_assert(levelOf(lintel::LogLevel::warn) == LINTEL_LOG_WARN);
static_assert(levelOf(lintel::LogLevel::error) == LINTEL_LOG_ERROR);

lintel::LogReceiver receiverOf(lintel_log log, void *user) {
  if (!log)
    return {};
  return [log, user](lintel::LogLevel level, std::string_view message) {
    log(user, levelOf(level), std::string(message).c_str());
  };
}

lintel::EngineOptions engineOptions(const lintel_engine_options &given) {
  lintel::EngineOptions options;
  if (given.cache_directory)
    options.cacheDirectory = given.cache_directory;
  options.useCache = given.disable_cache == 0;
  options.threads = given.threads;
  if (given.executor)
    options.executor = callbackExecutor(given.executor, given.executor_user);
  return options;
}

Expected<lintel::CompileOptions>
compileOptions(const lintel_compile_options &given) {
  if (!given.rows && given.num_rows > 0)
    return missing("rows");
  // Before anything is read: a wrong count may be a wild number.
  if (given.num_rows > lintel::kMostBuckets)
    return Error(ErrorCode::invalidArgument,
                 "num_rows is " + std::to_string(given.num_rows) +
                     ", must be at most " +
                     std::to_string(lintel::kMostBuckets));
  lintel::CompileOptions options;
  if (given.rows)
    options.rows.assign(given.rows, given.rows + given.num_rows);
  if (given.budget_milliseconds != 0)
    options.budgetMilliseconds = given.budget_milliseconds;
  if (given.schedule)
    options.schedule = given.schedule;
  options.retune = given.retune != 0;
  if (given.stop)
    options.stop = [stop = given.stop, user = given.stop_user] {
      return stop(user) != 0;
    };
  return options;
}

Status runLinear(const lintel::Linear &linear, lintel::ConstTensorRef x,
                 int64_t rows, std::span<const lintel_tensor> operands,
                 std::span<const lintel_tensor> outputs) {
  // Before anything is copied: a wrong count may be a wild number.
  if (Status valid = lintel::checkTensorCounts(linear.problem(),
                                               operands.size(), outputs.size());
      !valid)
    return valid;
  lintel::CallTensors<lintel::ConstTensorRef> operandRefs(operands.size());
  for (const lintel_tensor &operand : operands)
    operandRefs.append({operand.data, operand.stride});
  lintel::CallTensors<lintel::TensorRef> outputRefs(outputs.size());
  for (const lintel_tensor &output : outputs)
    outputRefs.append({output.data, output.stride});
  return linear.run(x, rows, operandRefs.view(), outputRefs.view());
}

/// Of a dynamic layer a call may, though not the problem.
bool computesNothing(const lintel::Problem &problem, int64_t rows) {
  return rows == 0 || problem.isEmpty();
}

/// Arrays are not looked at; they may be null.
Status runNothing(const lintel::Linear &linear, int64_t rows,
                  size_t numOperands, size_t numOutputs) {
  if (Status valid =
          lintel::checkTensorCounts(linear.problem(), numOperands, numOutputs);
      !valid)
    return valid;
  const std::vector<lintel::ConstTensorRef> operands(numOperands);
  const std::vector<lintel::TensorRef> outputs(numOutputs);
  return linear.run({}, rows, operands, outputs);
}

} // namespace

const char *lintel_version(void) { return kVersion; }
const char *lintel_last_error(void) { return lastMessage(); }

lintel_status lintel_set_log(lintel_log log, void *user) {
  return guarded([&]() -> Status {
    lintel::setLogReceiver(receiverOf(log, user));
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Engine and problem
//===----------------------------------------------------------------------===//

lintel_status lintel_engine_create(const lintel_engine_options *options,
                                   lintel_engine **engine) {
  return guarded([&]() -> Status {
    if (!engine)
      return missing("engine");
    *engine = nullptr;
    Expected<lintel_engine_options> read = readOptions(options);
    if (!read)
      return read.error();
    // Named as it is here; the engine names it as C++ does.
    if (read->cache_directory)
      if (Status usable = lintel::checkCacheDirectory("cache_directory",
                                                      read->cache_directory);
          !usable)
        return usable;
    Expected<std::unique_ptr<lintel::Engine>> made =
        lintel::Engine::create(engineOptions(*read));
    if (!made)
      return made.error();
    *engine = new lintel_engine{std::move(*made)};
    return {};
  });
}

void lintel_engine_free(lintel_engine *engine) { delete engine; }

const char *lintel_engine_report(lintel_engine *engine) {
  if (!engine)
    return "";
  const lintel_status status = guarded([&]() -> Status {
    std::call_once(engine->reported,
                   [&] { engine->report = engine->engine->host().json(); });
    return {};
  });
  return status == LINTEL_OK ? engine->report.c_str() : "";
}

lintel_status lintel_engine_measure_peak(lintel_engine *engine,
                                         const char *dtype, double *gflops) {
  return guarded([&]() -> Status {
    if (!gflops)
      return missing("gflops");
    *gflops = 0;
    if (!engine)
      return missing("engine");
    if (!dtype)
      return missing("dtype");
    Expected<lintel::DataTypes> types = lintel::DataTypes::parse(dtype);
    if (!types)
      return types.error();
    const Expected<double> peak = engine->engine->measurePeak(*types);
    if (!peak)
      return peak.error();
    *gflops = *peak;
    return {};
  });
}

lintel_status lintel_problem_parse(const char *text, const char *dtype,
                                   lintel_problem **problem) {
  return guarded([&]() -> Status {
    if (!problem)
      return missing("problem");
    *problem = nullptr;
    if (!text)
      return missing("text");
    if (!dtype)
      return missing("dtype");
    Expected<lintel::DataTypes> types = lintel::DataTypes::parse(dtype);
    if (!types)
      return types.error();
    Expected<lintel::Problem> parsed = lintel::Problem::parse(text, *types);
    if (!parsed)
      return parsed.error();
    *problem = new lintel_problem{std::move(*parsed)};
    return {};
  });
}

lintel_status lintel_problem_parse_module(const char *module,
                                          lintel_problem **problem) {
  return guarded([&]() -> Status {
    if (!problem)
      return missing("problem");
    *problem = nullptr;
    if (!module)
      return missing("module");
    Expected<lintel::Problem> parsed = lintel::parseModule(module);
    if (!parsed)
      return parsed.error();
    *problem = new lintel_problem{std::move(*parsed)};
    return {};
  });
}

void lintel_problem_free(lintel_problem *problem) { delete problem; }

size_t lintel_problem_num_outputs(const lintel_problem *problem) {
  return problem ? size_t(problem->problem.epilogue().numResults()) : 0;
}

size_t lintel_problem_num_operands(const lintel_problem *problem) {
  return problem ? problem->problem.epilogue().operands().size() : 0;
}

lintel_status lintel_problem_operand(const lintel_problem *problem,
                                     size_t index, lintel_operand *operand) {
  return guarded([&]() -> Status {
    if (!operand)
      return missing("operand");
    *operand = {};
    if (!problem)
      return missing("problem");
    const std::vector<lintel::EpilogueOperand> &operands =
        problem->problem.epilogue().operands();
    if (index >= operands.size())
      return Error(ErrorCode::invalidArgument,
                   "index is " + std::to_string(index) +
                       ", but the layer takes " +
                       std::to_string(operands.size()) + " operands");
    const lintel::EpilogueOperand &described = operands[index];
    *operand = {described.name.c_str(),
                lintel::toString(described.dtype).data(),
                broadcastOf(described.broadcast)};
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Layer
//===----------------------------------------------------------------------===//

lintel_status lintel_compile(lintel_engine *engine,
                             const lintel_problem *problem,
                             const lintel_compile_options *options,
                             lintel_linear **linear) {
  return guarded([&]() -> Status {
    if (!linear)
      return missing("linear");
    *linear = nullptr;
    if (!engine)
      return missing("engine");
    if (!problem)
      return missing("problem");
    Expected<lintel_compile_options> read = readOptions(options);
    if (!read)
      return read.error();
    Expected<lintel::CompileOptions> wanted = compileOptions(*read);
    if (!wanted)
      return wanted.error();
    Expected<lintel::Linear> made =
        engine->engine->compile(problem->problem, *wanted);
    if (!made)
      return made.error();
    std::string report = made->report().json();
    *linear = new lintel_linear{std::move(*made), std::move(report)};
    return {};
  });
}

void lintel_linear_free(lintel_linear *linear) { delete linear; }

lintel_status lintel_linear_set_weight(lintel_linear *linear, const void *w,
                                       int64_t ldw) {
  return guarded([&]() -> Status {
    if (!linear)
      return missing("linear");
    return linear->linear.setWeight(w, ldw);
  });
}

lintel_status lintel_linear_run(const lintel_linear *linear, const void *x,
                                int64_t ldx, int64_t rows,
                                const lintel_tensor *operands,
                                size_t num_operands,
                                const lintel_tensor *outputs,
                                size_t num_outputs) {
  return guarded([&]() -> Status {
    if (!linear)
      return missing("linear");
    if (computesNothing(linear->linear.problem(), rows))
      return runNothing(linear->linear, rows, num_operands, num_outputs);
    if (!operands && num_operands > 0)
      return missing("operands");
    if (!outputs && num_outputs > 0)
      return missing("outputs");
    return runLinear(linear->linear, {x, ldx}, rows, {operands, num_operands},
                     {outputs, num_outputs});
  });
}

const char *lintel_linear_report(const lintel_linear *linear) {
  return linear ? linear->report.c_str() : "";
}
