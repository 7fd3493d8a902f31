// How fast the threads of an executor read from each cache and from memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/ReadMeter.h"

#include "Engine/Calibration.h"
#include "Runtime/AllParts.h"
#include "Target/FreeMemory.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <utility>

namespace lintel {
namespace {

constexpr int64_t kLeastMemory = int64_t(64) << 20;
constexpr int64_t kMostMemory = int64_t(4) << 30;
/// Of memory, what one thread reads in a sample: about a millisecond.
constexpr size_t kMemoryWindow = size_t(16) << 20;
/// Where one slice must not push out another's lines, and pages are huge.
constexpr size_t kSliceUnit = size_t(2) << 20;

/// Lets parts start together. Waits only so long: an executor may run parts one
/// after the other, and a busy machine may not have a CPU for each.
class StartGate {
public:
  void pass(int32_t parts) {
    constexpr double kPatienceMilliseconds = 0.2;
    arrived.fetch_add(1);
    const double end = millisecondsNow() + kPatienceMilliseconds;
    while (arrived.load() < parts && millisecondsNow() < end) {
    }
  }

private:
  std::atomic<int32_t> arrived = 0;
};

/// What one part of a sample did.
struct Part {
  size_t bytes = 0;
  double start = 0, end = 0; ///< milliseconds
};

struct ReadCall {
  IsaLevel isa;
  ReadPattern pattern;
  const std::byte *data; ///< of the first thread
  size_t slice;          ///< from one thread's data to the next one's
  size_t bytes;
  int64_t rounds;
  bool isWarmed; ///< read once before the time is taken
  std::vector<Part> parts;
  StartGate gate;
};

void readRounds(const ReadCall &call, const std::byte *data, int64_t rounds) {
  volatile float keep =
      runReadLoop(call.isa, call.pattern, data, call.bytes, rounds);
  (void)keep;
}

void readPart(ReadCall &call, int32_t tid, int32_t nthreads) {
  const std::byte *data = call.data + size_t(tid) * call.slice;
  readRounds(call, data, call.isWarmed ? 1 : 0);
  call.gate.pass(nthreads);
  Part &part = call.parts[size_t(tid)];
  part.start = millisecondsNow();
  readRounds(call, data, call.rounds);
  part.end = millisecondsNow();
  part.bytes = call.bytes * size_t(call.rounds);
}

/// From the first start to the last end. Unlike multiply-adds, threads share
/// what they read through: rates of parts that did not overlap do not add up.
double combinedGbps(const std::vector<Part> &parts) {
  double bytes = 0, start = HUGE_VAL, end = 0;
  for (const Part &part : parts) {
    if (part.bytes == 0) // the executor has fewer threads
      continue;
    bytes += double(part.bytes);
    start = std::min(start, part.start);
    end = std::max(end, part.end);
  }
  return end > start ? bytes / ((end - start) * 1e6) : 0;
}

/// Each thread touches its own first, so that its memory is near. Untouched
/// pages would all be the one page of zeros, which stays in the cache.
Status touchSlices(Executor &executor, int32_t threads, std::byte *data,
                   size_t bytes) {
  return runAllParts(executor, threads, [&](int32_t tid, int32_t nthreads) {
    for (int32_t slice = tid; slice < threads; slice += nthreads)
      std::memset(data + size_t(slice) * bytes, 1, bytes);
  });
}

size_t wholeUnits(int64_t bytes, size_t unit) {
  return std::max<size_t>(size_t(std::max<int64_t>(bytes, 0)) / unit, 1) * unit;
}

} // namespace

ReadSizes ReadSizes::choose(const Target &target, int32_t threads,
                            int64_t available) {
  const int64_t l1 = target.l1 / 2;
  // Well beyond the level above, whatever the sizes: a last cache that is
  // divided among many threads may leave each less than its own L2.
  const int64_t l2 = std::max(target.l2 / 2, 2 * target.l1);
  const int64_t l3 = std::min(std::max(target.l3 / threads / 2, 2 * target.l2),
                              available / 4 / threads);
  // On a machine with several last caches target.l3 is one of them; half of it
  // a thread is more than three times any thread's share of them all.
  const int64_t wanted = std::clamp(
      std::max(4 * target.l3, threads * (4 * target.l2 + target.l3 / 2)),
      kLeastMemory, kMostMemory);
  const int64_t memory = std::min(wanted, available / 4);
  const bool suffices = memory > 3 * target.l3;
  return {{wholeUnits(l1, kReadUnit), wholeUnits(l2, kReadUnit),
           wholeUnits(l3, kReadUnit),
           suffices ? wholeUnits(memory / threads, kReadUnit) : 0}};
}

size_t ReadSizes::ofThread() const {
  // Where memory is short, less of L3 may be read than of a large L2.
  return std::max({of(MemoryLevel::l1), of(MemoryLevel::l2),
                   of(MemoryLevel::l3) + of(MemoryLevel::memory)});
}

ReadMeter::ReadMeter(Executor &executor, int32_t threads, IsaLevel isa,
                     ReadSizes sizes, AlignedBuffer buffer)
    : executor(&executor), threads(threads), isa(isa), sizes(sizes),
      buffer(std::move(buffer)) {}

size_t ReadMeter::sliceBytes() const { return buffer.size() / size_t(threads); }

Expected<ReadMeter> ReadMeter::create(Executor &executor, int32_t threads,
                                      const Target &target) {
  const ReadSizes sizes = ReadSizes::choose(target, threads, availableMemory());
  const size_t slice =
      wholeUnits(int64_t(sizes.ofThread() + kSliceUnit - 1), kSliceUnit);
  Expected<AlignedBuffer> buffer =
      AlignedBuffer::allocate(slice * size_t(threads));
  if (!buffer)
    return buffer.error();
  if (Status touched = touchSlices(
          executor, threads, static_cast<std::byte *>(buffer->data()), slice);
      !touched)
    return touched.error();
  return ReadMeter(executor, threads, target.isa, sizes, std::move(*buffer));
}

Expected<double> ReadMeter::measure(MemoryLevel level, ReadPattern pattern) {
  const auto *data = static_cast<const std::byte *>(buffer.data());
  Sampled &state = sampled[size_t(level)];
  ReadCall call{isa,
                pattern,
                data,
                sliceBytes(),
                sizes.of(level),
                1,
                false,
                std::vector<Part>(size_t(threads)),
                {}};
  if (level == MemoryLevel::memory) {
    // A window that moves on through all of the memory: what was read last is
    // long gone from the caches when its turn comes again.
    const size_t window = std::min(kMemoryWindow, call.bytes);
    if (state.offset + window > call.bytes)
      state.offset = 0;
    call.data += sizes.of(MemoryLevel::l3) + state.offset;
    call.bytes = window;
    state.offset += window;
  } else {
    if (state.rounds == 0)
      state.rounds = roundsOfSample(
          1, [&](int64_t rounds) { readRounds(call, data, rounds); });
    call.rounds = state.rounds;
    call.isWarmed = true;
  }
  if (Status ran = runAllParts(*executor, threads,
                               [&](int32_t tid, int32_t nthreads) {
                                 readPart(call, tid, nthreads);
                               });
      !ran)
    return ran.error();
  return combinedGbps(call.parts);
}

Status ReadMeter::sampleOnce(MemoryLevel level) {
  if (sizes.of(level) == 0)
    return {};
  for (ReadPattern pattern : kReadPatterns) {
    Expected<double> gbps = measure(level, pattern);
    if (!gbps)
      return gbps.error();
    sampled[size_t(level)].gbps[size_t(pattern)].push_back(*gbps);
  }
  return {};
}

Rate ReadMeter::rate(MemoryLevel level) const {
  Rate best;
  for (const std::vector<double> &samples : sampled[size_t(level)].gbps) {
    const Rate rate = Rate::of(samples);
    best.best = std::max(best.best, rate.best);
    best.median = std::max(best.median, rate.median);
  }
  return best;
}

} // namespace lintel
