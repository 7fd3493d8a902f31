// Work on a few threads of our own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"
#include "lintel/Executor.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace lintel {

/// Calls work(worker, item) once for each item in [0, items), on up to
/// `workers` threads, lower items first; worker 0 is the caller. Returns when
/// all is done. Does with fewer threads when the system grants no more. What
/// `work` throws first, out of memory above all, the caller gets when the
/// items under way are done; no others are begun.
void runOnWorkers(size_t workers, size_t items,
                  const std::function<void(size_t worker, size_t item)> &work);

/// Calls work(item) once for each item in [0, items), on at most `threads`
/// threads of the executor, which take items as they get free. Fails where the
/// executor does not run each part once.
Status shareOut(Executor &executor, int32_t threads, int64_t items,
                const std::function<void(int64_t item)> &work);

/// Runs every part of a body on such threads. Unlike those of an OpenMP
/// runtime, they do not go on spinning when all is done, which would disturb a
/// measurement.
class WorkerExecutor final : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override;
};

} // namespace lintel
