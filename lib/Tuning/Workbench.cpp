// Runs kernels on one set of inputs, to verify and to time them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Workbench.h"

#include "Schedule/SearchSpace.h"
#include "Tuning/CacheFlush.h"
#include "Tuning/WorkerThreads.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <utility>

namespace lintel {

/// A sample shorter than this measures the clock and the fork more than the
/// kernel.
static constexpr double kSampleMicroseconds = 60;
static constexpr int kMaxRepetitions = 200;
/// Calls longer than this fill the caches themselves.
static constexpr double kWarmUpBelowMicroseconds = 1000;
/// Up to this many rows a call is bound by reading the weight. One that fits L2
/// may well stay there between calls; one much larger than L3 evicts itself.
static constexpr int64_t kStreamingRows = 32;

static int64_t weightBytes(const Problem &problem) {
  return problem.n() * problem.k() * static_cast<int64_t>(sizeof(float));
}

Workbench::Workbench(const Problem &problem, const Target &target,
                     std::shared_ptr<Executor> executor,
                     const WorkbenchOptions &options,
                     std::unique_ptr<Verifier> verifier)
    : problem(problem.m() ? problem.withRows(options.rows) : problem),
      mostRows(problem.rows().most), options(options),
      executor(std::move(executor)), verifier(std::move(verifier)),
      flushWeights(options.rows <= kStreamingRows &&
                   weightBytes(problem) > target.l2 &&
                   weightBytes(problem) <= 2 * target.l3) {
  const LinearInputs inputs = this->verifier->data().inputs();
  for (const ConstTensorView &operand : inputs.operands)
    operands.push_back({const_cast<void *>(operand.data), operand.stride});
}

Expected<std::unique_ptr<Workbench>>
Workbench::create(const Problem &problem, const Target &target,
                  std::shared_ptr<Executor> executor,
                  const WorkbenchOptions &options) {
  Expected<std::unique_ptr<Verifier>> verifier =
      Verifier::create(problem, options.rows, options.fill, options.workers);
  if (!verifier)
    return verifier.error();
  return std::unique_ptr<Workbench>(new Workbench(
      problem, target, std::move(executor), options, std::move(*verifier)));
}

Expected<PackedWeight> Workbench::pack(const PanelShape &shape) const {
  return PackedWeight::pack(PackedLayout::of(problem, shape),
                            verifier->data().w().data(), problem.k());
}

void Workbench::packWeights(const std::vector<PanelShape> &shapes) {
  std::vector<std::optional<PackedWeight>> made(shapes.size());
  runOnWorkers(options.workers, shapes.size(), [&](size_t, size_t item) {
    if (Expected<PackedWeight> weight = pack(shapes[item]))
      made[item] = std::move(*weight);
  });
  for (size_t i = 0; i < shapes.size(); ++i)
    if (made[i])
      weights.emplace(shapes[i], std::move(*made[i]));
}

Expected<const PackedWeight *> Workbench::packed(const PanelShape &shape) {
  auto known = weights.find(shape);
  if (known == weights.end()) {
    Expected<PackedWeight> weight = pack(shape);
    if (!weight)
      return weight.error();
    known = weights.emplace(shape, std::move(*weight)).first;
  }
  return &known->second;
}

Expected<size_t> Workbench::add(const Schedule &schedule,
                                KernelFunction function) {
  Expected<const PackedWeight *> weight = packed(schedule.panel());
  if (!weight)
    return weight.error();
  // Kernels size their blocks by the M they were made for.
  const int64_t workspace =
      workspaceBytesPerThread(schedule, problem, mostRows);
  entries.push_back(
      {makePlan(function, schedule, problem, options.threads, workspace),
       *weight, schedule.mr});
  return entries.size() - 1;
}

Status Workbench::run(const Entry &entry, int64_t rows,
                      const KernelTensor *outputs) {
  const TestData &data = verifier->data();
  return runPlan(entry.plan, *executor, data.x().data(), problem.k(), rows,
                 entry.weight->data(), outputs, operands.data());
}

Verdict Workbench::verify(size_t kernel) {
  return verifier->verify([&](int64_t rows, const KernelTensor *outputs) {
    return run(entries[kernel], rows, outputs);
  });
}

std::vector<int64_t> Workbench::rowsOfEveryHeight(int64_t mr) const {
  std::set<std::pair<int64_t, bool>> seen;
  std::vector<int64_t> rows;
  const RowRange &range = problem.rows();
  // From mr strips on nothing new comes.
  const int64_t last = std::min(options.rows, range.least + mr * mr);
  for (int64_t m = std::max<int64_t>(1, range.least); m <= last; ++m) {
    const Strips strips = cutIntoStrips(mr, m);
    if (seen.emplace(strips.tall, strips.someShort).second)
      rows.push_back(m);
  }
  return rows;
}

Verdict Workbench::verifyStrips(size_t kernel) {
  Verdict verdict;
  for (int64_t m : rowsOfEveryHeight(entries[kernel].mr)) {
    Verdict one = verifier->verifyFirstRows(
        m, [&](int64_t rows, const KernelTensor *outputs) {
          return run(entries[kernel], rows, outputs);
        });
    one.maxError = std::max(one.maxError, verdict.maxError);
    if (!one.right())
      one.fault = "with " + std::to_string(m) + " rows: " + one.fault;
    verdict = std::move(one);
    if (!verdict.right())
      break;
  }
  return verdict;
}

double Workbench::timeCalls(const Entry &entry, int calls) {
  const KernelTensor *outputs = verifier->outputs().denseTensors();
  // Wakes the executor's threads, which may have gone to sleep.
  executor->run(options.threads, [](void *, int32_t, int32_t) {}, nullptr);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  for (int call = 0; call < calls; ++call)
    if (!run(entry, options.rows, outputs))
      return INFINITY;
  const std::chrono::duration<double, std::micro> elapsed =
      Clock::now() - start;
  return elapsed.count() / calls;
}

double Workbench::time(size_t kernel) {
  Entry &entry = entries[kernel];
  if (flushWeights) {
    flushFromCaches(entry.weight->data(),
                    static_cast<size_t>(weightBytes(problem)));
    return timeCalls(entry, 1);
  }
  if (entry.repetitions == 0) {
    const double once = timeCalls(entry, 1);
    entry.repetitions =
        once > kWarmUpBelowMicroseconds
            ? 1
            : std::clamp(static_cast<int>(std::ceil(kSampleMicroseconds /
                                                    std::max(once, 0.1))),
                         2, kMaxRepetitions);
    if (entry.repetitions == 1)
      return once;
  }
  if (entry.repetitions > 1)
    (void)timeCalls(entry, 1);
  return timeCalls(entry, entry.repetitions);
}

} // namespace lintel
