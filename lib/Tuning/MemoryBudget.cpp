// How much memory tuning takes, and how much there is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/MemoryBudget.h"

#include "Runtime/PackedWeight.h"
#include "Schedule/Partition.h"
#include "Target/FreeMemory.h"
#include "Tuning/PoisonedOutputs.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>

namespace lintel {

/// A packed weight is padded to whole pages.
static constexpr int64_t kPackedSlack = int64_t(4) << 20;
/// The oracle's sample and other things whose size is bounded.
static constexpr int64_t kBounded = int64_t(128) << 20;
/// Share of the free memory that tuning may take.
static constexpr double kMemoryShare = 0.8;

static int64_t saturated(double bytes) {
  constexpr auto kLargest = std::numeric_limits<int64_t>::max();
  return bytes < static_cast<double>(kLargest) ? static_cast<int64_t>(bytes)
                                               : kLargest;
}

int64_t usableMemory() {
  return saturated(kMemoryShare * static_cast<double>(availableMemory()));
}

std::string lackOfMemory(int64_t bytes, int64_t memory) {
  constexpr int64_t kMiB = 1 << 20;
  return "takes " + std::to_string(ceilDiv(bytes, kMiB)) + " MiB, but only " +
         std::to_string(memory / kMiB) + " MiB of memory are free";
}

Error noMemoryForWorkspaces(int64_t bytes, int64_t threads, int64_t memory) {
  return Error(ErrorCode::io, "the workspace of " + std::to_string(threads) +
                                  " threads " + lackOfMemory(bytes, memory));
}

int64_t packedBytes(const Problem &problem, const PanelShape &panel) {
  return PackedLayout::of(problem, panel).bytes() + kPackedSlack;
}

/// Of the sums that threads that share K leave to each other.
static double mostPartialBytes(const Problem &problem,
                               std::span<const Schedule> schedules) {
  int64_t floats = 0;
  for (const Schedule &schedule : schedules)
    floats = std::max(
        floats, partialFloats(schedule, problem.rows().most, problem.n()));
  return static_cast<double>(floats) * kSumBytes;
}

static double bytesOf(int64_t elements, DType dtype) {
  return static_cast<double>(elements) * static_cast<double>(byteSize(dtype));
}

int64_t bytesTouchedByRow(const Problem &problem) {
  const DataTypes &types = problem.types();
  const Epilogue &epilogue = problem.epilogue();
  double row = bytesOf(problem.k(), types.activation);
  row += bytesOf(problem.n(), types.result) * epilogue.numResults();
  for (const EpilogueOperand &operand : epilogue.operands())
    if (operand.broadcast == Broadcast::full)
      row += bytesOf(problem.n(), operand.dtype);
  return saturated(row);
}

MemoryNeed MemoryNeed::of(const Problem &problem,
                          std::span<const Schedule> schedules) {
  const DataTypes &types = problem.types();
  const double weight =
      bytesOf(problem.k(), types.weight) * static_cast<double>(problem.n());
  const double row =
      static_cast<double>(bytesTouchedByRow(problem)) +
      static_cast<double>(PoisonedOutputs::bytesPerRow(
          {problem.epilogue().numResults(), 1, problem.n(), types.result}));
  const double fixed = weight + kBounded + mostPartialBytes(problem, schedules);
  return {saturated(fixed), saturated(weight + kPackedSlack), saturated(row)};
}

int64_t MemoryNeed::bytes(int64_t rows, int64_t packed) const {
  return saturated(static_cast<double>(fixed) + static_cast<double>(packed) +
                   static_cast<double>(perRow) * static_cast<double>(rows));
}

int64_t bytesOfCalls(const Problem &problem,
                     std::span<const Schedule> schedules, int64_t rows) {
  const MemoryNeed need = MemoryNeed::of(problem, schedules);
  std::set<PanelShape> shapes;
  for (const Schedule &schedule : schedules)
    shapes.insert(schedule.panel());
  int64_t packed = 0;
  for (const PanelShape &shape : shapes)
    packed += packedBytes(problem, shape);
  return need.bytes(rows, shapes.empty() ? need.leastPacked : packed);
}

Status checkMemoryOfCalls(const Problem &problem,
                          std::span<const Schedule> schedules, int64_t rows) {
  const int64_t needed = bytesOfCalls(problem, schedules, rows);
  const int64_t available = availableMemory();
  if (needed <= available)
    return {};
  return Error(ErrorCode::io, "timing it " + lackOfMemory(needed, available));
}

} // namespace lintel
