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
  double spent = 0;
  if (iterations == 0)
    for (iterations = 1024; iterations < kLargest; iterations *= 2) {
      const double elapsed = sampleOnce();
      spent += elapsed;
      if (elapsed >= kSampleMilliseconds / 2)
        break;
    }
  do
    spent += sampleOnce();
  while (spent < milliseconds);
}

} // namespace lintel
