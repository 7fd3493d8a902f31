// How fast the threads of an executor read from each cache and from memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/ReadMeter.h"

#include "Engine/Calibration.h"
#include "Lintel/WholeUnits.h"
#include "Runtime/AllParts.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <utility>

namespace lintel {
namespace {

constexpr int64_t kLeastMemory = int64_t(64) << 20;
constexpr int64_t kMostMemory = int64_t(4) << 30;
/// Of a last cache of hundreds of MiB, what a thread reads: more gives the same
/// rate, but a sample reads its data twice, and on a shared server others evict
/// it.
constexpr int64_t kMostOfL3 = int64_t(32) << 20;
/// Of memory, what one thread reads in a sample: about a millisecond.
constexpr size_t kMemoryWindow = size_t(16) << 20;
/// Slices are whole huge pages; where memory is short, whole pages: so each
/// thread's are near it.
constexpr int64_t kHugeUnit = int64_t(2) << 20, kPageUnit = 4096;

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

/// At least one unit, of which there is no less to read; 0 if that is more than
/// there is room for.
int64_t wholeUnits(int64_t bytes, int64_t room) {
  constexpr auto kUnit = int64_t(kReadUnit);
  const int64_t whole = std::max<int64_t>(bytes / kUnit, 1) * kUnit;
  return whole <= room ? whole : 0;
}

/// What a thread has for so many bytes, in the largest pages that `room` has
/// space for.
int64_t sliceFor(int64_t bytes, int64_t room) {
  const int64_t onHugePages = roundUp(bytes, kHugeUnit);
  return onHugePages <= room ? onHugePages : roundUp(bytes, kPageUnit);
}

} // namespace

ReadSizes ReadSizes::choose(const Target &target, int32_t threads,
                            int64_t available) {
  // Of a thread, in whole pages: however slices are rounded, they fit.
  const int64_t room = available / 4 / threads / kPageUnit * kPageUnit;
  const int64_t l1 = wholeUnits(target.l1 / 2, room);
  // Well beyond the level above, whatever the sizes: a last cache that is
  // divided among many threads may leave each less than its own L2.
  const int64_t l2 = wholeUnits(std::max(target.l2 / 2, 2 * target.l1), room);
  const int64_t beyondL2 = 2 * target.l2;
  const int64_t wantedOfL3 =
      std::max(std::min(target.l3 / threads / 2, kMostOfL3), beyondL2);
  const int64_t l3 =
      room < beyondL2 ? 0 : wholeUnits(std::min(wantedOfL3, room), room);
  // On a machine with several last caches target.l3 is one of them; half of it
  // a thread is more than three times any thread's share of them all.
  const int64_t wanted = std::clamp(
      std::max(4 * target.l3, threads * (4 * target.l2 + target.l3 / 2)),
      kLeastMemory, kMostMemory);
  const int64_t left = std::min(wanted / threads, room - l3);
  const bool suffices = left * threads > 3 * target.l3 && left >= beyondL2;
  const int64_t memory = suffices ? wholeUnits(left, room - l3) : 0;
  const int64_t slice = sliceFor(std::max({l1, l2, l3 + memory}), room);
  return {{size_t(l1), size_t(l2), size_t(l3), size_t(memory)}, size_t(slice)};
}

ReadMeter::ReadMeter(Executor &executor, int32_t threads, IsaLevel isa,
                     ReadSizes sizes, AlignedBuffer buffer)
    : executor(&executor), threads(threads), isa(isa), sizes(sizes),
      buffer(std::move(buffer)) {}

Expected<ReadMeter> ReadMeter::create(Executor &executor, int32_t threads,
                                      const Target &target, int64_t available) {
  ReadSizes sizes = ReadSizes::choose(target, threads, available);
  Expected<AlignedBuffer> buffer =
      AlignedBuffer::allocate(sizes.slice * size_t(threads));
  // A limit of addresses (ulimit -v) may leave less than the system has.
  while (!buffer && sizes.slice > 0) {
    available /= 2;
    sizes = ReadSizes::choose(target, threads, available);
    buffer = AlignedBuffer::allocate(sizes.slice * size_t(threads));
  }
  if (!buffer)
    return buffer.error();
  if (Status touched =
          touchSlices(executor, threads,
                      static_cast<std::byte *>(buffer->data()), sizes.slice);
      !touched)
    return touched.error();
  return ReadMeter(executor, threads, target.levelOfCode(), sizes,
                   std::move(*buffer));
}

Expected<double> ReadMeter::measure(MemoryLevel level, ReadPattern pattern) {
  const auto *data = static_cast<const std::byte *>(buffer.data());
  Sampled &state = sampled[size_t(level)];
  ReadCall call{isa,
                pattern,
                data,
                sizes.slice,
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
