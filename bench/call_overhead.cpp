// What Linear::run adds to the kernel it calls, and a dynamic M to that, on one
// thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same kernel is called through the public API and directly, in turns. The
// problem is tiny, so that the difference is not lost in the kernel's own
// spread. Then the problem with '?' rows is called with the rows that its
// buckets are tuned for, in turns with layers for just these rows that have the
// same schedules.
#include "CommandLine.h"
#include "Measure.h"

#include "Codegen/Compiler.h"
#include "Engine/MadeUpCall.h"
#include "JIT/Loader.h"
#include "Runtime/AlignedBuffer.h"
#include "Runtime/KernelCall.h"
#include "Runtime/PackedWeight.h"
#include "Schedule/Workspace.h"
#include "Tuning/Statistics.h"
#include "lintel/Engine.h"

#include <utility>

namespace lintel::bench {
namespace {

constexpr double kSampleSeconds = 0.002;

constexpr const char *kUsage = R"(call_overhead [rounds=N] [PROBLEM]

Calls the kernel of PROBLEM, 1x16:16x16 bias+relu by default, through the public API
and directly, in N turns, 301 if not named; then the same with '?' rows.)";

const char *const kProblems[] = {"1x16:16x16 bias+relu"};

/// A kernel with everything that its call needs.
struct DirectCall {
  std::shared_ptr<const Kernel> kernel;
  PackedWeight weight;
  AlignedBuffer workspace;
  std::vector<KernelTensor> outputs, operands;
  KernelArgs args;

  void run() const { kernel->function()(&args, 0, 1); }
};

Expected<std::shared_ptr<const Kernel>> loadKernel(const Problem &problem,
                                                   const Schedule &schedule,
                                                   const Target &target) {
  auto compiler = Compiler::create(target);
  if (!compiler)
    return compiler.error();
  auto object = (*compiler)->compile(problem, schedule);
  if (!object)
    return object.error();
  auto loader = Loader::create();
  if (!loader)
    return loader.error();
  return (*loader)->load(object->bytes, kKernelSymbol);
}

/// `call.args` points into `call`, which must stay where it is from here on.
void fillArguments(DirectCall &call, const KernelPlan &plan,
                   const MadeUpCall &data) {
  for (const TensorRef &output : data.outputs())
    call.outputs.push_back({output.data, output.stride});
  for (const ConstTensorRef &operand : data.operands())
    call.operands.push_back({const_cast<void *>(operand.data), operand.stride});
  call.args = plan.blocking;
  call.args.x = data.inputs().x.data;
  call.args.ldx = data.inputs().x.stride;
  call.args.w = call.weight.data();
  call.args.m = data.inputs().m;
  call.args.workspace = call.workspace.data();
  call.args.workspaceStride = plan.workspaceBytes;
  call.args.outputs = call.outputs.data();
  call.args.operands = call.operands.data();
}

Expected<std::unique_ptr<DirectCall>> makeDirectCall(const Problem &problem,
                                                     const Linear &layer,
                                                     const Target &target,
                                                     const MadeUpCall &data) {
  auto schedule = Schedule::parse(layer.report().schedule);
  if (!schedule)
    return schedule.error();
  auto call = std::make_unique<DirectCall>();
  auto kernel = loadKernel(problem, *schedule, target);
  if (!kernel)
    return kernel.error();
  call->kernel = std::move(*kernel);
  const KernelPlan plan = makePlan(
      call->kernel->function(), *schedule, problem, /*threads=*/1,
      workspaceBytesPerThread(*schedule, problem, target, data.inputs().m));
  const PackedLayout layout = PackedLayout::of(problem, schedule->panel());
  auto weight =
      PackedWeight::pack(layout, data.inputs().w.data, data.inputs().w.stride);
  if (!weight)
    return weight.error();
  call->weight = std::move(*weight);
  auto workspace = AlignedBuffer::allocate(plan.workspaceBytes);
  if (!workspace)
    return workspace.error();
  call->workspace = std::move(*workspace);
  fillArguments(*call, plan, data);
  return call;
}

/// Calls both in turns and prints a row: the medians of each, and of what the
/// second takes longer.
template <class First, class Second>
void compare(const std::string &name, const First &first, const Second &second,
             int rounds) {
  const int64_t calls = batchFor(kSampleSeconds, first);
  const double nanoseconds = 1e9 / static_cast<double>(calls);
  std::vector<double> ofFirst, ofSecond, added;
  for (int round = 0; round < rounds; ++round) {
    ofSecond.push_back(timeBatch(calls, second) * nanoseconds);
    ofFirst.push_back(timeBatch(calls, first) * nanoseconds);
    added.push_back(ofSecond.back() - ofFirst.back());
  }
  std::printf("| %s | %.1f ns | %.1f ns | %.1f ns |\n", name.c_str(),
              medianOf(ofFirst), medianOf(ofSecond), medianOf(added));
}

/// `layer` with its weight, once called.
Status makeReady(Linear &layer, const MadeUpCall &data) {
  if (Status status = data.setWeight(layer); !status)
    return status;
  return data.run(layer);
}

/// A row for the rows that a bucket of `dynamic` is tuned for.
Status compareBucket(Engine &engine, Linear &dynamic,
                     const TuningReport &bucket, int rounds) {
  const Problem problem = *dynamic.problem().withRows(bucket.rows.typical);
  CompileOptions options;
  options.schedule = bucket.schedule;
  auto known = engine.compile(problem, options);
  if (!known)
    return known.error();
  const Expected<MadeUpCall> data = MadeUpCall::create(problem, *problem.m());
  if (!data)
    return data.error();
  for (Linear *layer : {&*known, &dynamic})
    if (Status ready = makeReady(*layer, *data); !ready)
      return ready;
  Status ran; // a call that fails is fast
  const auto runWith = [&](const Linear &layer) {
    return [&] {
      if (Status status = data->run(layer); !status)
        ran = std::move(status);
    };
  };
  compare(problem.text(), runWith(*known), runWith(dynamic), rounds);
  return ran;
}

Status compareDynamic(Engine &engine, const Problem &problem, int rounds) {
  auto anyRows = problem.withRowRange(RowRange::any());
  if (!anyRows)
    return anyRows.error();
  auto dynamic = engine.compile(*anyRows);
  if (!dynamic)
    return dynamic.error();
  std::printf(
      "\n| problem | M known | M dynamic | added |\n|---|---|---|---|\n");
  for (const TuningReport &bucket : dynamic->report().buckets)
    if (Status compared = compareBucket(engine, *dynamic, bucket, rounds);
        !compared)
      return compared;
  return {};
}

int run(const std::vector<std::string> &arguments) {
  CommandLine line(kUsage, arguments);
  const int rounds = line.rounds(301);
  if (line.left() > 1)
    line.refuse("there can be one problem, not also '" + arguments.back() +
                "'");
  const std::vector<Problem> problems = line.problems(kProblems);
  if (line.exitStatus())
    return *line.exitStatus();
  const Problem &problem = problems.front();
  if (!problem.m())
    return fail(Error(ErrorCode::invalidArgument,
                      problem.text() + ": M must be one number of rows"));
  EngineOptions options;
  options.threads = 1;
  auto engine = Engine::create(options);
  if (!engine)
    return fail(engine.error());
  const HostReport host = (*engine)->host();
  auto target = Target::parse(host.target);
  if (!target)
    return fail(target.error());
  auto layer = (*engine)->compile(problem);
  if (!layer)
    return fail(layer.error());
  const Expected<MadeUpCall> data = MadeUpCall::create(problem, *problem.m());
  if (!data)
    return fail(data.error());
  if (Status status = makeReady(*layer, *data); !status)
    return fail(status.error());
  auto direct = makeDirectCall(problem, *layer, *target, *data);
  if (!direct)
    return fail(direct.error());
  std::printf("%s, %s\n\n", host.cpu.c_str(), host.isa.c_str());
  std::printf(
      "| problem | kernel | Linear::run | added |\n|---|---|---|---|\n");
  Status ran;
  compare(
      problem.text(), [&] { (*direct)->run(); },
      [&] {
        if (Status status = data->run(*layer); !status)
          ran = std::move(status);
      },
      rounds);
  if (!ran)
    return fail(ran.error());
  if (Status status = compareDynamic(**engine, problem, rounds); !status)
    return fail(status.error());
  return 0;
}

} // namespace
} // namespace lintel::bench

int main(int argc, char **argv) {
  using namespace lintel::bench;
  return finishOutput(run({argv + 1, argv + argc}));
}
