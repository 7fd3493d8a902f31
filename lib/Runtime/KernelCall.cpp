// Planning and making kernel calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/KernelCall.h"

#include "Lintel/Target.h"
#include "Lintel/WholeUnits.h"
#include "Runtime/AlignedBuffer.h"
#include "Runtime/AllParts.h"
#include "Runtime/ByteSums.h"
#include "Runtime/Clock.h"
#include "Runtime/Dealer.h"
#include "Runtime/FetchLines.h"
#include "Runtime/FloatEnvironment.h"
#include "Runtime/PackedWeight.h"
#include "Runtime/SecondPhase.h"
#include "Schedule/Partition.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace lintel {
namespace {

constexpr int64_t kWorkspaceAlignment = Target::kLineBytes;

//===----------------------------------------------------------------------===//
// Workspaces
//===----------------------------------------------------------------------===//

/// How many calls the thread is inside of. All that the parts of a call need,
/// which may not fail, and so take no memory, on threads of a pool.
thread_local size_t callDepth = 0;

/// What one thread keeps between calls: a workspace for each depth of calls
/// inside calls, so that an inner call never touches its outer call's.
using Workspaces = std::vector<AlignedBuffer>;
thread_local Workspaces *keptWorkspaces = nullptr;

/// Frees the workspaces when their thread ends. The pointer itself is never
/// destroyed, so that a call made even later, from a static destructor, finds
/// it null and starts anew instead of touching what is gone.
struct WorkspacesOwner {
  ~WorkspacesOwner() { delete std::exchange(keptWorkspaces, nullptr); }
};

Workspaces &workspacesOfThread() {
  if (!keptWorkspaces) [[unlikely]] {
    thread_local WorkspacesOwner owner;
    keptWorkspaces = new Workspaces;
  }
  return *keptWorkspaces;
}

/// Looks the thread up anew: compilers take a function to stay on one.
[[gnu::noinline]] size_t *callDepthOfThread() {
  asm volatile("");
  return &callDepth;
}

/// Marks that this thread is inside a call.
class InsideCall {
public:
  InsideCall() : depth(callDepthOfThread()) { ++*depth; }
  ~InsideCall() {
    if (isOnItsThread())
      --*depth;
  }
  InsideCall(const InsideCall &) = delete;
  InsideCall &operator=(const InsideCall &) = delete;
  /// Not where an executor suspended a fiber, and another thread took it up.
  bool isOnItsThread() const { return callDepthOfThread() == depth; }

private:
  size_t *depth;
};

int64_t rowSumBytes(const KernelPlan &plan, int64_t m) {
  return plan.rowSums ? saturatingProduct({m, int64_t(sizeof(int32_t))}) : 0;
}

/// What all threads of a call need: their workspaces, then the partial sums,
/// then those of the rows.
size_t memoryOf(const KernelPlan &plan, int32_t threads, int64_t m) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(plan.workspaceBytes, threads, &bytes) ||
      __builtin_add_overflow(bytes, plan.partialBytes, &bytes) ||
      __builtin_add_overflow(bytes, rowSumBytes(plan, m), &bytes))
    return SIZE_MAX;
  return bytes;
}

/// The memory of the thread's current depth, grown if it is too small.
Expected<void *> memoryFor(size_t bytes) {
  if (bytes == 0)
    return static_cast<void *>(nullptr);
  Workspaces &workspaces = workspacesOfThread();
  if (workspaces.size() <= callDepth)
    workspaces.resize(callDepth + 1);
  AlignedBuffer &workspace = workspaces[callDepth];
  if (workspace.size() < bytes) {
    // On pages of 4 KiB, blocks that fill most of L2 evict each other where
    // their pages happen to share its sets: half the speed on tile registers.
    Expected<AlignedBuffer> larger = AlignedBuffer::allocateOnHugePages(bytes);
    if (!larger)
      return larger.error().in("workspace of a kernel call");
    workspace = std::move(*larger);
  }
  return workspace.data();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Asks for the first tensors of a call, which its caller has just written, and
/// a part would find by way of the arguments.
void fetchTensors(const KernelArgs &args) {
  fetchLines(args.outputs, kLineBytes);
  fetchLines(args.operands, kLineBytes);
}

void callKernel(KernelFunction function, const KernelArgs &args, int32_t part,
                int32_t parts) {
  const KernelFloatEnvironment whileComputing;
  function(&args, part, parts);
}

/// Runs compute(args, tid, nthreads) on each part of one region.
template <class Compute>
Status runRegion(const KernelArgs &args, Executor &executor, int32_t threads,
                 Compute compute) {
  return runAllParts(executor, threads,
                     [args, compute](int32_t tid, int32_t nthreads) {
                       fetchTensors(args);
                       const InsideCall inside;
                       compute(args, tid, nthreads);
                     });
}

/// Threads of a region begin some microseconds apart.
constexpr std::chrono::microseconds kLeastPatience(10);

/// Share `share` of `shares` of the second phase, which adds up what threads
/// that share K left.
void runSecondPhase(KernelFunction function, KernelArgs args, int32_t share,
                    int32_t shares) {
  args.phase = 1;
  callKernel(function, args, share, shares);
}

/// Follows the first phase by the second in the same region. A part waits for
/// the others twice as long as it computed, since some have twice its share
/// where chunks do not divide by threads, and no less than a region takes to
/// begin. So where its executor has no threads for the others it takes three
/// times its time.
template <class Compute>
auto thenFinish(SecondPhase &finishing, KernelFunction function,
                Compute compute) {
  return [&finishing, function, compute](const KernelArgs &args, int32_t tid,
                                         int32_t nthreads) {
    const Clock::time_point begin = Clock::now();
    compute(args, tid, nthreads);
    const Clock::duration patience =
        std::max<Clock::duration>(kLeastPatience, 2 * (Clock::now() - begin));
    finishing.run(tid, nthreads, patience, [&](int32_t share, int32_t shares) {
      runSecondPhase(function, args, share, shares);
    });
  };
}

/// All of a call that computes its parts by `compute`.
template <class Compute>
Status runPhases(const KernelPlan &plan, const KernelArgs &args,
                 Executor &executor, int32_t threads, Compute compute) {
  if (plan.partialsPerRow == 0)
    return runRegion(args, executor, threads, compute);
  const int32_t shares =
      finishingThreads(args.m * plan.partialsPerRow,
                       ceilDiv(args.m, plan.tileRows) * plan.panels, threads);
  if (shares == 1) {
    Status status = runRegion(args, executor, threads, compute);
    if (status)
      runSecondPhase(plan.function, args, 0, 1);
    return status;
  }
  SecondPhase finishing(shares);
  return runRegion(args, executor, threads,
                   thenFinish(finishing, plan.function, compute));
}

/// Both phases.
Status runOnCaller(const KernelPlan &plan, const KernelArgs &args) {
  callKernel(plan.function, args, 0, 1);
  if (plan.partialsPerRow != 0)
    runSecondPhase(plan.function, args, 0, 1);
  return {};
}

/// All parts of a call; the caller is inside of it.
Status runParts(const KernelPlan &plan, const KernelArgs &args,
                Executor &executor, int32_t threads) {
  if (threads == 1)
    return runOnCaller(plan, args);
  const KernelFunction function = plan.function;
  if (plan.dealing == Dealing::fixed)
    return runPhases(
        plan, args, executor, threads,
        [function](const KernelArgs &args, int32_t tid, int32_t nthreads) {
          callKernel(function, args, tid, nthreads);
        });
  // All chunks of the grid, one kernel call each, as threads get free.
  const auto chunks =
      static_cast<int32_t>(args.gridM * args.gridN * args.gridK);
  Dealer dealer(Dealing::dynamic, chunks, threads);
  return runPhases(
      plan, args, executor, threads,
      [function, &dealer, chunks](const KernelArgs &args, int32_t tid,
                                  int32_t nthreads) {
        PartOfCall part(function, args, Dealing::dynamic, tid, chunks);
        dealer.deal(tid, nthreads, [&](int64_t chunk) { part.run(chunk); });
      });
}

} // namespace

PartOfCall::PartOfCall(KernelFunction function, const KernelArgs &args,
                       Dealing dealing, int32_t part, int64_t chunks)
    : function(function), args(args), dealing(dealing), chunks(chunks),
      workspace(reinterpret_cast<uintptr_t>(args.workspace) +
                static_cast<uintptr_t>(part * args.workspaceStride)) {}

void PartOfCall::run(int64_t chunk) {
  const int64_t row = chunk / args.gridN;
  const bool follows = row == std::exchange(rowOfGrid, row);
  args.sameRows = follows && dealing == Dealing::dynamic;
  // The kernel finds its workspace by the number it is given. Only addresses in
  // that of the part are made from this one again.
  args.workspace = reinterpret_cast<void *>(
      workspace - static_cast<uintptr_t>(chunk * args.workspaceStride));
  callKernel(function, args, static_cast<int32_t>(chunk),
             static_cast<int32_t>(chunks));
}

KernelPlan makePlan(KernelFunction function, const Schedule &schedule,
                    const Problem &problem, int32_t threads,
                    int64_t workspaceBytesPerThread) {
  int64_t mr = std::max<int64_t>(1, schedule.mr);
  int64_t nr = std::max<int64_t>(1, schedule.nr);
  int64_t rows = std::max<int64_t>(1, problem.rows().most);
  int64_t columns = std::max<int64_t>(1, problem.n());
  int64_t depth = std::max<int64_t>(1, problem.k());

  KernelPlan plan;
  plan.function = function;
  KernelArgs &args = plan.blocking;
  args.structSize = sizeof(KernelArgs);
  args.abiVersion = kKernelAbiVersion;
  args.mc = std::clamp(schedule.mc, mr, roundUp(rows, mr));
  args.nc = std::clamp(schedule.nc, nr, roundUp(columns, nr));
  args.kc = std::clamp<int64_t>(schedule.kc, 1, depth);
  args.gridM = std::clamp<int64_t>(schedule.gridM, 1, ceilDiv(rows, mr));
  args.gridN = std::clamp<int64_t>(schedule.gridN, 1, ceilDiv(columns, nr));
  args.gridK = std::max<int64_t>(1, schedule.gridK);
  args.blockOrder = schedule.blocks == LoopOrder::nm;
  args.tileOrder = schedule.tiles == LoopOrder::nm;

  const int64_t chunks =
      saturatingProduct({args.gridM, args.gridN, args.gridK});
  plan.threads = int32_t(
      std::clamp<int64_t>(threads, 1, std::min<int64_t>(chunks, INT32_MAX)));
  if (chunks > plan.threads && chunks <= INT32_MAX)
    plan.dealing = schedule.deal;
  if (schedule.depth() == Depth::sliced) {
    Schedule clamped = schedule;
    clamped.mr = mr;
    clamped.nr = nr;
    const int64_t floats = partialFloats(clamped, rows, columns);
    plan.partialBytes = saturatingProduct({floats, int64_t(sizeof(float))});
    plan.partialsPerRow = floats / roundUp(rows, mr);
    plan.tileRows = mr;
    plan.panels = ceilDiv(columns, nr);
  }
  plan.workspaceBytes =
      roundUp(std::clamp<int64_t>(workspaceBytesPerThread, 0,
                                  INT64_MAX - kWorkspaceAlignment),
              kWorkspaceAlignment);
  plan.noColumns = problem.n() == 0;
  if (problem.types().areIntegers())
    plan.columnSumsOffset =
        PackedLayout::of(problem, schedule.panel()).columnSumsOffset();
  if (problem.epilogue().inputSums().ofRows)
    plan.rowSums = RowSums{problem.types().activation, problem.k()};
  return plan;
}

int64_t workspaceBytesHeld() {
  size_t bytes = 0;
  for (const AlignedBuffer &workspace : workspacesOfThread())
    bytes += workspace.size();
  return static_cast<int64_t>(bytes);
}

void releaseWorkspaces() {
  if (callDepth == 0)
    workspacesOfThread().clear();
}

Status poisonWorkspace(const KernelPlan &plan, int64_t m) {
  // As much as runPlan takes, or it would take other memory.
  const size_t bytes = memoryOf(plan, callDepth > 0 ? 1 : plan.threads, m);
  Expected<void *> memory = memoryFor(bytes);
  if (!memory)
    return memory.error();
  if (bytes > 0)
    std::memset(*memory, 0xff, bytes);
  return {};
}

Status runPlan(const KernelPlan &plan, Executor &executor, const void *x,
               int64_t ldx, int64_t m, const void *packedWeight,
               const KernelTensor *outputs, const KernelTensor *operands) {
  if (m < 0)
    return Error(ErrorCode::invalidArgument,
                 "run: m = " + std::to_string(m) + "; it must be at least 0");
  if (m == 0 || plan.noColumns)
    return {};

  // The threads are busy already if this call is made from inside another.
  int32_t threads = callDepth > 0 ? 1 : plan.threads;
  Expected<void *> memory = memoryFor(memoryOf(plan, threads, m));
  if (!memory)
    return memory.error();

  KernelArgs args = plan.blocking;
  args.x = x;
  args.ldx = ldx;
  args.w = packedWeight;
  args.m = m;
  args.workspace = *memory;
  args.workspaceStride = plan.workspaceBytes;
  args.partials = static_cast<char *>(*memory) + plan.workspaceBytes * threads;
  args.outputs = outputs;
  args.operands = operands;
  if (plan.columnSumsOffset)
    args.columnSums = reinterpret_cast<const int32_t *>(
        static_cast<const char *>(packedWeight) + *plan.columnSumsOffset);
  if (plan.rowSums) {
    auto *sums = reinterpret_cast<int32_t *>(
        static_cast<char *>(args.partials) + plan.partialBytes);
    sumRows(plan.rowSums->dtype, x, ldx, m, plan.rowSums->depth, sums);
    args.rowSums = sums;
  }

  const InsideCall inside;
  Status ran = runParts(plan, args, executor, threads);
  if (!inside.isOnItsThread())
    return Error(ErrorCode::internal,
                 "the executor was called on one thread and came back on "
                 "another; it must return where it was called");
  return ran;
}

} // namespace lintel
