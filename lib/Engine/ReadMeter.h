// How fast the threads of an executor read from each cache and from memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "Runtime/AlignedBuffer.h"
#include "Target/FreeMemory.h"
#include "Target/MachinePeaks.h"
#include "Target/Peak.h"
#include "lintel/Error.h"
#include "lintel/Executor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace lintel {

/// Where data is read from.
enum class MemoryLevel : uint8_t { l1, l2, l3, memory };
inline constexpr MemoryLevel kMemoryLevels[] = {
    MemoryLevel::l1, MemoryLevel::l2, MemoryLevel::l3, MemoryLevel::memory};

/// What each of several threads reads.
struct ReadSizes {
  /// About half of the level for a cache, of the last one half of a thread's
  /// share, up to 32 MiB. Of memory more than three times the last cache, all
  /// threads together, and twice its L2 each. 0 where there is not as much
  /// memory.
  std::array<size_t, std::size(kMemoryLevels)> bytes;
  /// What a thread has of its own: caches are read from its begin on, memory
  /// behind what L3 holds.
  size_t slice;

  size_t of(MemoryLevel level) const { return bytes[size_t(level)]; }
  /// `available`: bytes that may be taken without swapping. All slices together
  /// take a quarter at most.
  static ReadSizes choose(const Target &target, int32_t threads,
                          int64_t available);
};

/// Collects samples of the read bandwidth. Each thread reads memory of its own,
/// on huge pages where the system gives them.
class ReadMeter {
public:
  /// `available`: as above; less is taken where so much cannot be had.
  static Expected<ReadMeter> create(Executor &executor, int32_t threads,
                                    const Target &target,
                                    int64_t available = availableMemory());

  /// One sample of each way to read, of about a millisecond each. Fails where
  /// the executor does not run each part once.
  Status sampleOnce(MemoryLevel level);
  /// In gigabytes a second, all threads together: the best of all samples, and
  /// the median of the way to read with the best median.
  Rate rate(MemoryLevel level) const;

private:
  struct Sampled {
    int64_t rounds = 0; ///< of one sample of a cache; found by the first
    size_t offset = 0;  ///< where the next sample reads memory
    std::array<std::vector<double>, std::size(kReadPatterns)> gbps;
  };

  ReadMeter(Executor &executor, int32_t threads, IsaLevel isa, ReadSizes sizes,
            AlignedBuffer buffer);
  Expected<double> measure(MemoryLevel level, ReadPattern pattern);

  Executor *executor;
  int32_t threads;
  IsaLevel isa;
  ReadSizes sizes;
  AlignedBuffer buffer; ///< a slice a thread: what the caches hold, then memory
  std::array<Sampled, std::size(kMemoryLevels)> sampled;
};

} // namespace lintel
