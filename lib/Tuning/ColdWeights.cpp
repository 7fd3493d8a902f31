// The part of a workbench that makes weights cold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/ColdWeight.h"
#include "Schedule/CoreModel.h"
#include "Tuning/CacheFlush.h"
#include "Tuning/Workbench.h"
#include "Tuning/WorkerThreads.h"

#include <algorithm>

namespace lintel {

/// Bytes of a weight for which a thread is made to flush them.
static constexpr size_t kWorthAThread = size_t(8) << 20;

bool findsColdWeight(const Problem &problem, int64_t rows, int64_t columns,
                     const Target &target) {
  const int64_t all = weightBytes(problem);
  const int64_t part = columns * weightColumnBytes(problem);
  const bool isPart = part < all;
  const auto kept = static_cast<int64_t>(CoreModel::of(target).shareOfL3 *
                                         static_cast<double>(target.l3));
  const bool cold = rows <= kStreamingRows
                        ? streamsColdWeight(problem, rows, target)
                        : isPart && all > kept;
  // What is larger evicts itself, but parts differ in size from schedule to
  // schedule.
  return cold && part <= (isPart ? 4 : 2) * target.l3;
}

/// Where weights must be cold, none is left in a cache after use: a kernel that
/// follows another one with the same weight must not find the caches emptier
/// than others do.
Status Workbench::makeCold(const Entry &entry) const {
  const int64_t unread = (entry.firstColumn - entry.weightColumn) *
                         entry.weight->layout().paddedDepth() *
                         bytesOf(problem.types().weight);
  return makeCold(*entry.weight, static_cast<size_t>(unread));
}

/// All but the first bytes.
Status Workbench::makeCold(const PackedWeight &weight, size_t from) const {
  if (!flushWeights)
    return {};
  const auto bytes = static_cast<size_t>(weight.layout().bytes()) - from;
  const char *data = static_cast<const char *>(weight.data()) + from;
  // Threads of the executor spin between calls: others would share CPUs with
  // them.
  const auto callers = static_cast<size_t>(options.threads);
  if (2 * callers >= options.workers)
    return flushFromCaches(data, bytes, *executor, options.threads);
  WorkerExecutor workers;
  return flushFromCaches(data, bytes, workers,
                         static_cast<int32_t>(std::min(
                             options.workers, 1 + bytes / kWorthAThread)));
}

/// The verdict on a kernel whose weight shall not stay in a cache; another one
/// if it would.
Verdict Workbench::leftCold(const Entry &entry, Verdict verdict) const {
  if (Status cold = makeCold(entry); !cold && verdict.right()) {
    verdict.fault = cold.error().message();
    verdict.failure = cold.error().code();
  }
  return verdict;
}

} // namespace lintel
