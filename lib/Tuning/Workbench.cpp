// Runs kernels on one set of inputs, to verify and to time them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Workbench.h"

#include "Runtime/Clock.h"
#include "Schedule/Partition.h"
#include "Schedule/Strips.h"
#include "Schedule/Workspace.h"
#include "Tuning/CacheFlush.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/WorkerThreads.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <sys/resource.h>
#include <utility>

namespace lintel {

/// A sample shorter than this measures the clock and the fork more than the
/// kernel.
static constexpr double kSampleMicroseconds = 60;
static constexpr int kMaxRepetitions = 1 << 14;
/// Calls longer than this fill the caches themselves.
static constexpr double kWarmUpBelowMicroseconds = 1000;
/// How often a sample is taken again that the system interrupted.
static constexpr int kAttempts = 3;
static constexpr double kTooLongToRepeatMicroseconds = 8000;
/// Regions without work take up to 4 us on 16 threads that spin, and some 6 ms
/// where one of them waits for its CPU.
static constexpr double kAwakeMicroseconds = 200;

static size_t bytesOf(const PackedWeight &weight) {
  return static_cast<size_t>(weight.layout().bytes());
}

Workbench::Workbench(const Problem &problem, const Target &target,
                     std::shared_ptr<Executor> executor,
                     const WorkbenchOptions &options,
                     std::unique_ptr<Verifier> verifier)
    : problem(problem.m() ? *problem.withRows(options.rows) : problem),
      target(target), mostRows(problem.rows().most),
      dataColumns(options.columns.value_or(problem.n())), options(options),
      executor(std::move(executor)), verifier(std::move(verifier)),
      workspaceMemory(usableMemory() + workspaceBytesHeld()),
      flushWeights(findsColdWeight(problem, options.rows, dataColumns, target)),
      largestCache(static_cast<size_t>(target.l3)) {
  const LinearInputs inputs = this->verifier->data().inputs();
  for (const ConstTensorView &operand : inputs.operands)
    operands.push_back({const_cast<void *>(operand.data), operand.stride});
}

Expected<std::unique_ptr<Workbench>>
Workbench::create(const Problem &problem, const Target &target,
                  std::shared_ptr<Executor> executor,
                  const WorkbenchOptions &options) {
  const int64_t columns = options.columns.value_or(problem.n());
  const VerifierOptions verifying{options.rows, options.fill, options.workers,
                                  problem.n()};
  Expected<std::unique_ptr<Verifier>> verifier =
      Verifier::create(withColumns(problem, columns), verifying);
  if (!verifier)
    return verifier.error();
  return std::unique_ptr<Workbench>(new Workbench(
      problem, target, std::move(executor), options, std::move(*verifier)));
}

//===----------------------------------------------------------------------===//
// Weights and kernels
//===----------------------------------------------------------------------===//

Expected<PackedWeight> Workbench::pack(const WeightKey &key) const {
  const auto &[shape, first] = key;
  const Problem packed = withColumns(problem, problem.n() - first);
  WorkerExecutor workers;
  return PackedWeight::pack(
      PackedLayout::of(packed, shape),
      verifier->data().w().from((first - firstDataColumn()) * problem.k()),
      problem.k(), workers, static_cast<int32_t>(options.workers));
}

void Workbench::packWeights(const std::map<PanelShape, int64_t> &firstColumns) {
  for (WeightKey key : firstColumns)
    // add() says what went wrong.
    (void)packed(key);
}

/// A packed weight of the shape that begins no later, or null.
const Workbench::PackedFrom *Workbench::find(const WeightKey &key) const {
  auto known = weights.lower_bound(WeightKey{key.first, 0});
  return known == weights.end() || known->first > key ? nullptr : &*known;
}

/// The same, packed now if there is none; sets where it begins.
Expected<const PackedWeight *> Workbench::packed(WeightKey &key) {
  const PackedFrom *known = find(key);
  if (!known) {
    Expected<PackedWeight> weight = pack(key);
    if (!weight)
      return weight.error();
    if (Status cold = makeCold(*weight); !cold)
      return cold.error();
    known = &*weights.emplace(key, std::move(*weight)).first;
  }
  key = known->first;
  return &known->second;
}

/// A kernel for a known M cuts fewer rows by the height that it found for all
/// of them, and makePlan() the grid by the tile's: there may be more strips in
/// a chunk here than on all rows.
int64_t Workbench::workspaceOf(const Schedule &schedule) const {
  if (!problem.m())
    return workspaceBytesPerThread(schedule, problem, target, mostRows);
  const int64_t mr = schedule.mr;
  Schedule called = schedule;
  called.gridM =
      std::min(schedule.gridM, std::max<int64_t>(1, ceilDiv(options.rows, mr)));
  const int64_t strips =
      cutIntoStrips(cutIntoStrips(mr, mostRows).tall, options.rows).count;
  return workspaceBytesPerThread(called, problem, target, strips * mr);
}

static int64_t bytesOfWorkspaces(const KernelPlan &plan) {
  return saturatingProduct({plan.workspaceBytes, int64_t(plan.threads)});
}

/// An error if there is no memory for the workspaces of a plan.
Status Workbench::checkWorkspaces(const KernelPlan &plan) const {
  const int64_t bytes = bytesOfWorkspaces(plan);
  if (bytes > workspaceMemory)
    return noMemoryForWorkspaces(bytes, plan.threads, workspaceMemory);
  return {};
}

/// As runPlan takes its memory.
Status Workbench::growSlicedWorkspace(const KernelPlan &plan) {
  const auto bytes = static_cast<size_t>(bytesOfWorkspaces(plan));
  if (bytes <= slicedWorkspace.size())
    return {};
  Expected<AlignedBuffer> larger = AlignedBuffer::allocateOnHugePages(bytes);
  if (!larger)
    return larger.error().in("workspace of a kernel call");
  slicedWorkspace = std::move(*larger);
  return {};
}

Expected<size_t> Workbench::add(const Schedule &schedule,
                                KernelFunction function,
                                const ColumnSlice &slice) {
  if (slice.firstColumn < firstDataColumn())
    return Error(ErrorCode::internal, schedule.text() +
                                          ": there is no data before column " +
                                          std::to_string(firstDataColumn()));
  WeightKey key{schedule.panel(), slice.firstColumn};
  Expected<const PackedWeight *> weight = packed(key);
  if (!weight)
    return weight.error();
  KernelPlan plan = makePlan(function, schedule, problem, options.threads,
                             workspaceOf(schedule));
  if (Status fit = checkWorkspaces(plan); !fit)
    return fit.error();
  Entry entry{plan,         *weight,    key.second, slice.firstColumn,
              std::nullopt, schedule.mr};
  if (!slice.whole()) {
    if (Status grown = growSlicedWorkspace(entry.plan); !grown)
      return grown.error();
    entry.sliced = SlicedCall(entry.plan, slice, problem);
  }
  entries.push_back(std::move(entry));
  return entries.size() - 1;
}

Status Workbench::run(Entry &entry, int64_t rows, const KernelTensor *outputs) {
  const void *x = verifier->data().x().data();
  if (!entry.sliced)
    return runPlan(entry.plan, *executor, x, problem.k(), rows,
                   entry.weight->data(), outputs, operands.data());
  return entry.sliced->run(
      *executor, {x, problem.k(), rows, entry.weight->data(),
                  entry.weightColumn * entry.weight->layout().paddedDepth(),
                  entry.weight->columnSums(), entry.weightColumn, dataColumns,
                  outputs, operands.data(), slicedWorkspace.data()});
}

//===----------------------------------------------------------------------===//
// Verifying
//===----------------------------------------------------------------------===//

/// Or a kernel that leaves out a sum would find that of the kernel before it.
Status Workbench::poisonSums(Entry &entry, int64_t rows) {
  if (!entry.sliced)
    return poisonWorkspace(entry.plan, rows);
  if (const int64_t bytes = bytesOfWorkspaces(entry.plan); bytes > 0)
    std::memset(slicedWorkspace.data(), 0xff, static_cast<size_t>(bytes));
  return {};
}

Verdict Workbench::verify(size_t kernel) {
  Entry &entry = entries[kernel];
  Verdict verdict = verifier->verify(
      [&](int64_t rows, const KernelTensor *outputs) -> Status {
        if (Status poisoned = poisonSums(entry, rows); !poisoned)
          return poisoned;
        const Clock::time_point start = Clock::now();
        Status ran = run(entry, rows, outputs);
        entry.firstTime = microsecondsSince(start);
        return ran;
      },
      entry.firstColumn - firstDataColumn());
  if (verdict.right())
    quickestCall = std::min(quickestCall, entry.firstTime);
  const Clock::time_point ran = Clock::now();
  verdict = leftCold(entry, std::move(verdict));
  entry.coolingTime = microsecondsSince(ran);
  return verdict;
}

std::vector<int64_t> Workbench::rowsOfEveryHeight(int64_t mr) const {
  std::set<std::pair<int64_t, bool>> seen;
  std::vector<int64_t> rows;
  const RowRange &range = problem.rows();
  const int64_t last = std::min(options.rows, rowsWithEveryHeight(mr, range));
  for (int64_t m = std::max<int64_t>(1, range.least); m <= last; ++m) {
    const Strips strips = cutIntoStrips(mr, m);
    if (seen.emplace(strips.tall, strips.someShort).second)
      rows.push_back(m);
  }
  return rows;
}

Verdict Workbench::verifyStrips(size_t kernel) {
  Entry &entry = entries[kernel];
  Verdict verdict;
  for (int64_t m : rowsOfEveryHeight(entry.mr)) {
    Verdict one = verifier->verifyFirstRows(
        m,
        [&](int64_t rows, const KernelTensor *outputs) -> Status {
          if (Status poisoned = poisonSums(entry, rows); !poisoned)
            return poisoned;
          return run(entry, rows, outputs);
        },
        entry.firstColumn - firstDataColumn());
    one.maxError = std::max(one.maxError, verdict.maxError);
    // Those rows were as wrong when it ran on all of them.
    if (one.right() && one.refutesReference)
      one.fault = "is right where a run of more rows was wrong";
    if (!one.right())
      one.fault = "with " + std::to_string(m) + " rows: " + one.fault;
    verdict = std::move(one);
    if (!verdict.right())
      break;
  }
  // Or the first sample of a race that follows would find the weight.
  return leftCold(entry, std::move(verdict));
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

/// Calls in a row would find what of the weight fits in a cache there; a long
/// call fills the other caches itself.
void Workbench::warmUp(Entry &entry) {
  if (flushWeights)
    return;
  // All kernels do the same work.
  if (quickestCall <= kWarmUpBelowMicroseconds)
    (void)timeCalls(entry, 1);
  else if (bytesOf(*entry.weight) <= largestCache)
    bringIntoCaches(entry.weight->data(), bytesOf(*entry.weight));
}

/// Times that the system took a CPU away from a thread of this process.
static long preemptions() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

/// One sample. If it was interrupted, the best of a few; long calls cannot
/// escape interruptions, and are as good as they get.
double Workbench::undisturbed(Entry &entry) {
  double best = INFINITY;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    warmUp(entry);
    wakeThreads();
    const long before = preemptions();
    const double time = timeCalls(entry, entry.repetitions);
    if (!makeCold(entry))
      return INFINITY;
    best = std::min(best, time);
    // Not by this sample alone: waiting for a CPU makes short calls long.
    const double call = std::min(time, entry.firstTime);
    if (preemptions() == before ||
        call * entry.repetitions > kTooLongToRepeatMicroseconds)
      break;
  }
  return best;
}

/// Wakes the executor's threads, which may have gone to sleep. Two that wake on
/// one CPU take turns there, some 6 ms each, until the system moves one away:
/// 80 ms were seen on 16 CPUs. A sample begins when work for all is quick.
void Workbench::wakeThreads() {
  for (bool awake = false; !awake;) {
    const Clock::time_point start = Clock::now();
    executor->run(options.threads, [](void *, int32_t, int32_t) {}, nullptr);
    const double took = microsecondsSince(start);
    awake = took <= kAwakeMicroseconds ||
            wakingMilliseconds > options.mostWakingMilliseconds;
    wakingMilliseconds += awake ? 0 : took / 1000;
  }
}

/// Microseconds of one of `calls` calls in a row.
double Workbench::timeCalls(Entry &entry, int calls) {
  const KernelTensor *outputs = verifier->outputs().denseTensors();
  const Clock::time_point start = Clock::now();
  for (int call = 0; call < calls; ++call)
    if (!run(entry, options.rows, outputs))
      return INFINITY;
  const double time = microsecondsSince(start) / calls;
  quickestCall = std::min(quickestCall, time);
  return time;
}

double Workbench::time(size_t kernel) {
  Entry &entry = entries[kernel];
  double time = undisturbed(entry);
  // Only what is quick tells: a call that is held up must not pass for a long
  // one, and be sampled otherwise than its rivals from then on.
  while (!flushWeights && entry.repetitions < kMaxRepetitions &&
         time * entry.repetitions < kSampleMicroseconds) {
    entry.repetitions *= 2;
    time = undisturbed(entry);
  }
  return time;
}

double Workbench::timeOnPart(size_t kernel, const ColumnSlice &part) {
  Entry &entry = entries[kernel];
  const ColumnSlice slice = entry.sliced->computeInstead(part);
  const int64_t firstColumn =
      std::exchange(entry.firstColumn, part.firstColumn);
  const int repetitions = std::exchange(entry.repetitions, 1);
  const double quickest = quickestCall; // of the slice
  const double time = undisturbed(entry);
  quickestCall = quickest;
  entry.repetitions = repetitions;
  entry.firstColumn = firstColumn;
  entry.sliced->computeInstead(slice);
  return time;
}

} // namespace lintel
