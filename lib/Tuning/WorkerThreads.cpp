// Work on a few threads of our own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/WorkerThreads.h"

#include "Runtime/AllParts.h"
#include "Runtime/Dealer.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace lintel {

void runOnWorkers(size_t workers, size_t items,
                  const std::function<void(size_t, size_t)> &work) {
  std::atomic<size_t> next{0};
  std::exception_ptr thrown;
  std::once_flag first;
  auto take = [&](size_t worker) {
    try {
      for (size_t item = next++; item < items; item = next++)
        work(worker, item);
    } catch (...) {
      // It would end the process if it left a thread.
      next = items;
      std::call_once(first, [&] { thrown = std::current_exception(); });
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (size_t worker = 1; worker < workers && worker < items; ++worker)
        threads.emplace_back(take, worker);
    } catch (const std::system_error &) {
      // The threads there are, and the caller, do it all.
    }
    take(0);
  }
  if (thrown)
    std::rethrow_exception(thrown);
}

Status shareOut(Executor &executor, int32_t threads, int64_t items,
                const std::function<void(int64_t item)> &work) {
  Dealer dealer(Dealing::dynamic, items, threads);
  return runAllParts(executor, threads, [&](int32_t tid, int32_t nthreads) {
    dealer.deal(tid, nthreads, work);
  });
}

void WorkerExecutor::run(int32_t maxThreads, ParallelBody body, void *context) {
  const auto parts = static_cast<size_t>(maxThreads);
  runOnWorkers(parts, parts, [&](size_t, size_t part) {
    body(context, static_cast<int32_t>(part), maxThreads);
  });
}

} // namespace lintel
