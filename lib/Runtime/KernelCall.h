// One call of a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/KernelABI.h"
#include "Lintel/Schedule.h"
#include "lintel/Executor.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <optional>

namespace lintel {

/// sum_k x[m, k] of rows of integers.
struct RowSums {
  DType dtype = DType::u8;
  int64_t depth = 0;
};

/// Everything about a call that does not change between calls, worked out once.
struct KernelPlan {
  KernelFunction function = nullptr;
  KernelArgs blocking =
      {};              ///< the blocking fields, sizes and versions filled in
  int32_t threads = 1; ///< parts asked of the executor: min(threads, grid)
  Dealing dealing = Dealing::fixed; ///< of more chunks than parts
  int64_t workspaceBytes = 0;       ///< for each thread, a multiple of 64
  int64_t partialBytes = 0;         ///< of all threads, where they share K
  int64_t partialsPerRow = 0;       ///< floats; 0: a call has one phase
  int64_t tileRows = 1; ///< of the tiles that a second phase finishes
  int64_t panels = 1;   ///< along N
  /// Where in a packed weight of integers the column sums are, in bytes.
  std::optional<int64_t> columnSumsOffset;
  std::optional<RowSums> rowSums; ///< that a call works out for its kernel
  bool noColumns = false;         ///< N == 0: a call has nothing to do
};

/// Fills the blocking of `schedule`, clamped to the problem's sizes.
/// `workspaceBytesPerThread` comes from the schedule's own count.
KernelPlan makePlan(KernelFunction function, const Schedule &schedule,
                    const Problem &problem, int32_t threads,
                    int64_t workspaceBytesPerThread);

/// The chunks of a call that one part computes, one after the other, in its own
/// workspace: a kernel whose number of threads is the number of chunks computes
/// the chunk of its own number and no other. With Dealing::dynamic a chunk does
/// not pack rows that the one before it has packed; with Dealing::fixed each
/// packs its own, like the chunks of one kernel call.
class PartOfCall {
public:
  PartOfCall(KernelFunction function, const KernelArgs &args, Dealing dealing,
             int32_t part, int64_t chunks);
  /// `chunk` counts along N first, in the grid of the arguments.
  void run(int64_t chunk);

private:
  const KernelFunction function;
  KernelArgs args;
  const Dealing dealing;
  const int64_t chunks;
  const uintptr_t workspace; ///< of the part
  int64_t rowOfGrid = -1;    ///< whose chunk came last
};

/// Bytes that this thread keeps for its calls' workspaces.
int64_t workspaceBytesHeld();

/// Frees the workspaces of this thread, unless it is inside a call: those of a
/// tuning may be much larger than what the kernels that won take.
void releaseWorkspaces();

/// Fills what a call of the plan by this thread, on `m` rows, has for
/// unfinished sums and packed rows with NaN, and with -1 where they are
/// integers, so that what a kernel fails to write shows. Errors: out of memory.
Status poisonWorkspace(const KernelPlan &plan, int64_t m);

/// Runs a plan. Sums of the rows of x, where the kernel takes them, are worked
/// out by the caller before. Where threads share K, they meet in the region and
/// add up what they left (SecondPhase), unless it is so little that the caller
/// does it afterwards. Takes no lock; allocates only when the calling thread
/// needs more workspace than any of its calls before.
/// Thread-safe; a call from inside a kernel runs on its caller alone, in a
/// workspace of its own. m == 0 or no columns: returns at once. Errors: m < 0,
/// out of memory, an executor that does not run each part once (`internal`).
Status runPlan(const KernelPlan &plan, Executor &executor, const void *x,
               int64_t ldx, int64_t m, const void *packedWeight,
               const KernelTensor *outputs, const KernelTensor *operands);

} // namespace lintel
