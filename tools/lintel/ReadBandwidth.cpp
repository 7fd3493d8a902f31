// How fast the threads of an executor read memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReadBandwidth.h"

#include "Stopwatch.h"

#include "Runtime/AlignedBuffer.h"
#include "Target/Peak.h"

#include <algorithm>
#include <cstring>

namespace lintel::tool {

namespace {

/// One pass over the buffer, an equal part for each thread.
struct ReadPass {
  IsaLevel isa;
  const std::byte *data;
  size_t bytes;
};

void readPart(void *context, int32_t tid, int32_t nthreads) {
  const auto &pass = *static_cast<const ReadPass *>(context);
  constexpr size_t kUnit = 256; // runReadLoop's
  const size_t units = pass.bytes / kUnit;
  const size_t begin = units * size_t(tid) / size_t(nthreads) * kUnit;
  const size_t end = units * size_t(tid + 1) / size_t(nthreads) * kUnit;
  volatile float keep = runReadLoop(pass.isa, pass.data + begin, end - begin);
  (void)keep;
}

} // namespace

Expected<double> measureReadBandwidth(Executor &executor, int32_t threads,
                                      const Target &target) {
  constexpr size_t kLeast = size_t(64) << 20, kMost = size_t(512) << 20;
  constexpr int kPasses = 5;
  const size_t bytes =
      std::clamp(size_t(std::max<int64_t>(target.l3, 0)) * 4, kLeast, kMost);
  Expected<AlignedBuffer> buffer = AlignedBuffer::allocate(bytes);
  if (!buffer)
    return buffer.error();
  // Untouched pages are all the one page of zeros, which stays in the cache.
  std::memset(buffer->data(), 1, bytes);
  ReadPass pass{target.isa, static_cast<const std::byte *>(buffer->data()),
                bytes};
  double best = 0;
  for (int i = 0; i < kPasses; ++i) {
    const Clock::time_point start = Clock::now();
    executor.run(threads, readPart, &pass);
    best = std::max(best, double(bytes) / (microsecondsSince(start) * 1e3));
  }
  return best;
}

} // namespace lintel::tool
