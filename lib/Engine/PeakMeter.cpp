// The rate of products that the threads of an executor reach right now.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/PeakMeter.h"

#include "Engine/Calibration.h"
#include "Runtime/AllParts.h"
#include "Target/CpuCount.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <thread>
#include <vector>

namespace lintel {
namespace {

/// The fewest rounds of a sample: one of tiles takes about a microsecond.
constexpr int64_t kFewestRounds = 64;
/// On a busy machine one sample may last longer than all of them should.
constexpr int kFewestSamples = 3;
/// Of many more threads than CPUs one may last seconds, and is enough when it
/// took so many times as long as all should.
constexpr double kOverlong = 20;

/// What one part of a sample did.
struct Part {
  std::thread::id thread;
  CpuMask mayUse; ///< none: the system does not tell
  int64_t operations = 0;
  double milliseconds = 0;

  double gflops() const {
    return milliseconds > 0
               ? static_cast<double>(operations) / (milliseconds * 1e6)
               : 0;
  }
};

/// Parts that one thread ran in turn count as one; those that were not asked
/// for, as a team may be smaller, as none.
std::vector<Part> joinByThread(const std::vector<Part> &parts) {
  std::vector<Part> threads;
  for (const Part &part : parts) {
    if (part.operations == 0)
      continue;
    auto same = std::ranges::find(threads, part.thread, &Part::thread);
    if (same == threads.end()) {
      threads.push_back(part);
      continue;
    }
    same->operations += part.operations;
    same->milliseconds += part.milliseconds;
  }
  return threads;
}

/// How many of these threads can run at once: two may be bound to one CPU (and
/// a third have several, which is not looked into).
int64_t atOnce(const std::vector<Part> &threads) {
  CpuMask cpus;
  for (const Part &thread : threads) {
    if (thread.mayUse.none())
      return std::ssize(threads);
    cpus |= thread.mayUse;
  }
  return std::min(std::ssize(threads), static_cast<int64_t>(cpus.count()));
}

/// The rate of a sample: the sum over its threads. Each is timed by itself,
/// since on a busy machine threads wait longer to start than they run; of more
/// threads than CPUs only as many can run at once.
double combinedGflops(const std::vector<Part> &threads, int64_t cores) {
  std::vector<double> rates;
  for (const Part &thread : threads)
    rates.push_back(thread.gflops());
  std::ranges::sort(rates, std::greater());
  if (static_cast<int64_t>(rates.size()) > cores)
    rates.resize(static_cast<size_t>(cores));
  return std::accumulate(rates.begin(), rates.end(), 0.0);
}

} // namespace

Status PeakMeter::sampleOnce() {
  if (iterations == 0)
    iterations = roundsOfSample(kFewestRounds, [this](int64_t rounds) {
      runProductLoop(instruction, isa, rounds);
    });
  std::vector<Part> parts(static_cast<size_t>(threads));
  const Status ran = runAllParts(executor, threads, [&](int32_t tid, int32_t) {
    Part &part = parts[static_cast<size_t>(tid)];
    part.mayUse = affinityOfThread();
    const double start = millisecondsNow();
    part.operations = runProductLoop(instruction, isa, iterations) / partsOfOne;
    part.milliseconds = millisecondsNow() - start;
    part.thread = std::this_thread::get_id();
  });
  if (!ran)
    return ran;
  const std::vector<Part> byThread = joinByThread(parts);
  const int64_t running = atOnce(byThread);
  seen = std::max(seen, static_cast<int32_t>(byThread.size()));
  seenAtOnce = std::max(seenAtOnce, static_cast<int32_t>(running));
  samples.push_back(combinedGflops(byThread, std::min(cores, running)));
  return {};
}

Status PeakMeter::sampleFor(double milliseconds) {
  const double start = millisecondsNow();
  double spent = 0;
  for (int taken = 0;
       spent < milliseconds ||
       (taken < kFewestSamples && spent < kOverlong * milliseconds);
       ++taken) {
    if (Status sampled = sampleOnce(); !sampled)
      return sampled.error().in("measuring the peak");
    spent = millisecondsNow() - start;
  }
  return {};
}

} // namespace lintel
