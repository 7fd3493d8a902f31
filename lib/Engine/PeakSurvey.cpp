// Every peak of the machine, measured side by side.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/PeakSurvey.h"

#include "Engine/PeakMeter.h"
#include "Engine/ReadMeter.h"

#include <string>
#include <utility>

namespace lintel {
namespace {

/// The meters of one number of threads.
struct Meters {
  int threads;
  PeakMeter fma;
  ReadMeter read;

  void sampleOnce() {
    fma.sampleOnce();
    for (MemoryLevel level : kMemoryLevels)
      read.sampleOnce(level);
  }
  ThreadPeaks peaks() const {
    return {threads,
            fma.rate(),
            read.rate(MemoryLevel::l1),
            read.rate(MemoryLevel::l2),
            read.rate(MemoryLevel::l3),
            read.rate(MemoryLevel::memory)};
  }
};

} // namespace

Expected<std::vector<ThreadPeaks>> surveyPeaks(Executor &executor,
                                               const Target &target,
                                               std::span<const int> threads,
                                               SurveyRounds rounds) {
  std::vector<Meters> all;
  for (int count : threads) {
    Expected<ReadMeter> read = ReadMeter::create(executor, count, target);
    if (!read)
      return read.error().in("read bandwidth of " + std::to_string(count) +
                             " threads");
    all.push_back(
        {count, PeakMeter(executor, count, target), std::move(*read)});
  }
  for (int round = 0; round < static_cast<int>(rounds); ++round)
    for (Meters &meters : all)
      meters.sampleOnce();
  std::vector<ThreadPeaks> peaks;
  for (const Meters &meters : all)
    peaks.push_back(meters.peaks());
  return peaks;
}

} // namespace lintel
