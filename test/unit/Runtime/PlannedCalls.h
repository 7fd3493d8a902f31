// What calls of kernels are planned for, and executors that deal out the parts
// in their own way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Runtime/KernelCall.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

namespace lintel {

inline Problem problem(std::optional<int64_t> m, int64_t n, int64_t k) {
  return *Problem::create(m, n, k, DataTypes(), Epilogue());
}

inline Schedule schedule(int64_t gridM, int64_t gridN) {
  Schedule result;
  result.mr = 8;
  result.nr = 48;
  result.mc = result.nc = result.kc = Schedule::kWhole;
  result.gridM = gridM;
  result.gridN = gridN;
  return result;
}

/// Runs all parts on the caller, backwards, as an embedder's pool may.
class BackwardsExecutor final : public Executor {
public:
  explicit BackwardsExecutor(int32_t parts) : parts(parts) {}
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    int32_t team = std::min(parts, maxThreads);
    for (int32_t tid = team; tid-- > 0;)
      body(context, tid, team);
  }

private:
  int32_t parts;
};

/// A thread for each part.
class ThreadExecutor final : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    std::vector<std::thread> threads;
    for (int32_t tid = 1; tid < maxThreads; ++tid)
      threads.emplace_back(body, context, tid, maxThreads);
    body(context, 0, maxThreads);
    for (std::thread &thread : threads)
      thread.join();
  }
};

/// Runs the first `kept` of `parts` parts, as a pool that shuts down may.
class DroppingExecutor final : public Executor {
public:
  DroppingExecutor(int32_t kept, int32_t parts) : kept(kept), parts(parts) {}
  void run(int32_t, ParallelBody body, void *context) override {
    for (int32_t tid = 0; tid < kept; ++tid)
      body(context, tid, parts);
  }

private:
  int32_t kept, parts;
};

/// Runs as many parts as it has threads, whatever it is asked for.
class StubbornExecutor final : public Executor {
public:
  explicit StubbornExecutor(int32_t threads) : threads(threads) {}
  void run(int32_t, ParallelBody body, void *context) override {
    for (int32_t tid = 0; tid < threads; ++tid)
      body(context, tid, threads);
  }

private:
  int32_t threads;
};

/// The number of parts of every region that was run.
class CountingExecutor final : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    regions.push_back(maxThreads);
    for (int32_t tid = 0; tid < maxThreads; ++tid)
      body(context, tid, maxThreads);
  }
  std::vector<int32_t> regions;
};

/// Of a kernel that computes nothing: four chunks for two threads.
inline KernelPlan planOfNothing(Dealing deal) {
  Schedule cut = schedule(2, 2);
  cut.deal = deal;
  return makePlan([](const KernelArgs *, int32_t, int32_t) {}, cut,
                  problem(64, 480, 1), 2, 64);
}

} // namespace lintel
