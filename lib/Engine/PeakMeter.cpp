// The multiply-add rate the machine reaches right now, on the threads of an
// executor. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/PeakMeter.h"

#include "Target/Peak.h"

#include <algorithm>
#include <atomic>
#include <chrono>

namespace lintel {
namespace {

/// Long enough that waking the threads costs less than a percent, short enough
/// that some samples escape interruptions.
constexpr double kSampleMilliseconds = 1;

struct LoopCall {
  IsaLevel isa;
  int64_t iterations;
  std::atomic<int64_t> operations{0};
};

void runLoop(void *context, int32_t, int32_t) {
  auto &call = *static_cast<LoopCall *>(context);
  call.operations.fetch_add(runFmaLoop(call.isa, call.iterations),
                            std::memory_order_relaxed);
}

double millisecondsNow() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch())
      .count();
}

} // namespace

double PeakMeter::sampleOnce() {
  LoopCall call{isa, iterations};
  const double start = millisecondsNow();
  executor.run(threads, runLoop, &call);
  const double elapsed = millisecondsNow() - start;
  if (elapsed > 0)
    best = std::max(best, static_cast<double>(call.operations.load()) /
                              (elapsed * 1e6));
  return elapsed;
}

void PeakMeter::sampleFor(double milliseconds) {
  constexpr int64_t kLargest = int64_t(1) << 32;
  // An interruption makes a short loop look long enough, so the shortest of a
  // few samples decides.
  constexpr int kCalibrationSamples = 3;
  double spent = 0;
  auto shortestSample = [&] {
    double shortest = sampleOnce();
    spent += shortest;
    for (int i = 1; i < kCalibrationSamples; ++i) {
      const double elapsed = sampleOnce();
      spent += elapsed;
      shortest = std::min(shortest, elapsed);
    }
    return shortest;
  };
  if (iterations == 0) {
    iterations = 1024;
    while (shortestSample() < kSampleMilliseconds / 2 && iterations < kLargest)
      iterations *= 2;
  }
  do
    spent += sampleOnce();
  while (spent < milliseconds);
}

} // namespace lintel
