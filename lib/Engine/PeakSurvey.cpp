// Every peak of the machine, measured side by side.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/PeakSurvey.h"

#include "Engine/PeakMeter.h"
#include "Engine/ReadMeter.h"

#include <map>
#include <string>
#include <utility>

namespace lintel {
namespace {

/// The meters of one number of threads.
struct Meters {
  int threads;
  std::map<ProductInstruction, PeakMeter> products;
  ReadMeter read;

  Status sampleOnce() {
    for (auto &[instruction, meter] : products)
      if (Status sampled = meter.sampleOnce(); !sampled)
        return sampled;
    for (MemoryLevel level : kMemoryLevels)
      if (Status sampled = read.sampleOnce(level); !sampled)
        return sampled;
    return {};
  }
  ThreadPeaks peaks() const {
    ThreadPeaks peaks;
    peaks.threads = threads;
    for (const auto &[instruction, meter] : products)
      peaks.gflops(instruction) = meter.rate();
    peaks.l1Gbps = read.rate(MemoryLevel::l1);
    peaks.l2Gbps = read.rate(MemoryLevel::l2);
    peaks.l3Gbps = read.rate(MemoryLevel::l3);
    peaks.memoryGbps = read.rate(MemoryLevel::memory);
    return peaks;
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
    Meters meters{count, {}, std::move(*read)};
    for (ProductInstruction instruction : kProductInstructions)
      if (hasInstruction(target, instruction))
        meters.products.emplace(
            instruction, PeakMeter(executor, count, target, instruction));
    all.push_back(std::move(meters));
  }
  for (int round = 0; round < static_cast<int>(rounds); ++round)
    for (Meters &meters : all)
      if (Status sampled = meters.sampleOnce(); !sampled)
        return sampled.error().in("measuring the peaks");
  std::vector<ThreadPeaks> peaks;
  for (const Meters &meters : all)
    peaks.push_back(meters.peaks());
  return peaks;
}

} // namespace lintel
