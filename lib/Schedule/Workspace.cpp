// The memory that a thread needs to run a schedule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Workspace.h"

#include "Schedule/Partition.h"

namespace lintel {

static int64_t roundedToCacheLines(int64_t bytes) {
  const int64_t most = INT64_MAX - (Target::kLineBytes - 1);
  return bytes > most ? INT64_MAX : roundUp(bytes, Target::kLineBytes);
}

/// Rows of dot products are shorter than a vector: reading the last one whole
/// takes the bytes after it.
static int64_t tileOverhang(const Schedule &schedule, DType weight,
                            const Target &target) {
  return schedule.vectorsAlongK(weight) ? 2 * target.lanes() * kSumBytes : 0;
}

/// Of the panel that is widened.
static int64_t panelBytesPerThread(const Schedule &schedule, DType weight,
                                   const Partition &parts) {
  if (!schedule.widensPanels())
    return 0;
  const int64_t unit = schedule.depthUnitOfPanels(weight);
  return saturatingProduct({ceilDiv(parts.depth, unit), unit, schedule.nr,
                            schedule.bytesOfPanels(weight)});
}

static int64_t packedBytesPerThread(const Schedule &schedule,
                                    const Problem &problem,
                                    const Target &target,
                                    const Partition &parts) {
  if (!schedule.packsA())
    return 0;
  const DType activation = problem.types().activation;
  const int64_t rows = parts.stripsPerBlock * schedule.mr;
  const int64_t bytes = schedule.bytesOfRows(activation, target);
  if (!schedule.onTiles() &&
      schedule.typeOfRows(activation, target) != activation)
    return saturatingProduct({rows, strideOfWidenedRows(parts.depth), bytes});
  const int64_t together =
      schedule.onTiles() ? depthUnitOf(activation) : schedule.group;
  const int64_t depth =
      schedule.pack == PackA::whole ? problem.k() : parts.depth;
  return saturatingProduct({rows, ceilDiv(depth, together), together * bytes});
}

Workspace workspacePerThread(const Schedule &schedule, const Problem &problem,
                             const Target &target, int64_t m) {
  if (schedule.depth() == Depth::sliced)
    return {};
  const Partition parts = partition(schedule, m, problem.n(), problem.k());
  const int64_t blockRows = parts.stripsPerBlock * schedule.mr;
  const int64_t accumulators =
      parts.depthBlocks > 1
          ? saturatingProduct(
                {blockRows, parts.panelsPerBlock, schedule.nr, kSumBytes})
          : saturatingProduct(
                {schedule.epilogue == EpiloguePlacement::next ? 2 : 1,
                 schedule.mr, schedule.nr, kSumBytes}) +
                tileOverhang(schedule, problem.types().weight, target);
  return {roundedToCacheLines(accumulators),
          roundedToCacheLines(
              panelBytesPerThread(schedule, problem.types().weight, parts)),
          roundedToCacheLines(
              packedBytesPerThread(schedule, problem, target, parts))};
}

int64_t Workspace::bytes() const {
  int64_t total = 0;
  for (int64_t part : {accumulators, panel, packedRows})
    if (__builtin_add_overflow(total, part, &total))
      return INT64_MAX;
  return total;
}

int64_t workspaceBytesPerThread(const Schedule &schedule,
                                const Problem &problem, const Target &target,
                                int64_t m) {
  return workspacePerThread(schedule, problem, target, m).bytes();
}

} // namespace lintel
