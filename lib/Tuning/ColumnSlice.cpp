// Running a kernel on the last columns of its problem alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/ColumnSlice.h"

#include "Runtime/AllParts.h"
#include "Runtime/ByteSums.h"
#include "Schedule/Partition.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lintel {

ColumnSlice lastColumns(const Schedule &schedule, int64_t n, int64_t wanted) {
  if (schedule.depth() == Depth::sliced)
    return {schedule.gridN};
  const int64_t panels = ceilDiv(n, schedule.nr);
  const int64_t gridN = std::clamp<int64_t>(schedule.gridN, 1, panels);
  const double share = static_cast<double>(n) /
                       static_cast<double>(std::max<int64_t>(1, wanted));
  // A chunk has at least one panel, and a number that a kernel can be given.
  const int64_t gridM = std::max<int64_t>(1, schedule.gridM);
  const int64_t most =
      std::min(panels / gridN, INT32_MAX / saturatingProduct({gridM, gridN}));
  const auto parts = std::clamp(static_cast<int64_t>(std::llround(share)),
                                int64_t(1), std::max<int64_t>(1, most));
  ColumnSlice slice;
  slice.gridN = gridN * parts;
  slice.firstChunk = slice.gridN - gridN;
  // The driver deals panels out as evenly as it can, larger shares first.
  const int64_t base = panels / slice.gridN, extra = panels % slice.gridN;
  slice.firstColumn =
      (slice.firstChunk * base + std::min(slice.firstChunk, extra)) *
      schedule.nr;
  return slice;
}

Problem withColumns(const Problem &problem, int64_t columns) {
  // Cannot fail: the sizes are no larger than those of a valid problem.
  return *Problem::create(problem.rows(), columns, problem.k(), problem.types(),
                          problem.epilogue());
}

Problem narrowed(const Problem &problem,
                 const std::optional<SlicedColumns> &columns) {
  return columns ? withColumns(problem, columns->held) : problem;
}

static bool hasColumns(Broadcast broadcast) {
  return broadcast == Broadcast::column || broadcast == Broadcast::full;
}

/// The address so many bytes before `data`. Only addresses past `data` are made
/// from it again, by the kernel.
static void *bytesBefore(const void *data, int64_t bytes) {
  return reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(data) -
                                  static_cast<uintptr_t>(bytes));
}

/// Where element 0 would be if element `elements` were at `data`.
static void *before(const void *data, int64_t elements, DType dtype) {
  return bytesBefore(data, elements * bytesOf(dtype));
}

SlicedCall::SlicedCall(const KernelPlan &plan, const ColumnSlice &slice,
                       const Problem &problem)
    : plan(plan), slice(slice), columns(problem.n()), types(problem.types()),
      known(problem.epilogue().operands()),
      outputs(problem.epilogue().numResults()), operands(known.size()) {}

/// The kernel counts columns from the first of the whole problem.
void SlicedCall::place(const SliceData &data) {
  const int64_t missing = columns - data.columns;
  for (size_t i = 0; i < outputs.size(); ++i)
    outputs[i] = {before(data.outputs[i].data, missing, types.result),
                  data.outputs[i].stride};
  for (size_t i = 0; i < operands.size(); ++i)
    operands[i] = {before(data.operands[i].data,
                          hasColumns(known[i].broadcast) ? missing : 0,
                          known[i].dtype),
                   data.operands[i].stride};
  args = plan.blocking;
  args.gridN = slice.gridN;
  args.x = data.x;
  args.ldx = data.ldx;
  args.m = data.m;
  args.w = before(data.packedWeight, data.missingWeight, types.weight);
  if (data.columnSums)
    args.columnSums = static_cast<const int32_t *>(
        before(data.columnSums, data.missingSums, DType::s32));
  if (plan.rowSums) {
    rowSums.resize(static_cast<size_t>(data.m));
    sumRows(plan.rowSums->dtype, data.x, data.ldx, data.m, plan.rowSums->depth,
            rowSums.data());
    args.rowSums = rowSums.data();
  }
  args.workspace = data.workspace;
  args.workspaceStride = plan.workspaceBytes;
  args.outputs = outputs.data();
  args.operands = operands.data();
}

Status SlicedCall::run(Executor &executor, const SliceData &data) {
  place(data);
  Dealer dealer(plan.dealing, args.gridM * plan.blocking.gridN, plan.threads);
  if (plan.threads == 1) {
    runPart(dealer, 0, 1);
    return {};
  }
  return runAllParts(
      executor, plan.threads,
      [&](int32_t tid, int32_t nthreads) { runPart(dealer, tid, nthreads); });
}

/// The parts come by the chunks of the schedule's own grid, and each chunk of
/// the slice stands for one of those.
void SlicedCall::runPart(Dealer &dealer, int32_t tid, int32_t nthreads) const {
  const int64_t gridM = args.gridM, gridN = plan.blocking.gridN;
  PartOfCall part(plan.function, args, plan.dealing, tid, gridM * slice.gridN);
  dealer.deal(tid, nthreads, [&](int64_t own) {
    part.run(own / gridN * slice.gridN + slice.firstChunk + own % gridN);
  });
}

} // namespace lintel
