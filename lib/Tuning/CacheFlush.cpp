// Makes memory cold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/CacheFlush.h"

#include "Lintel/Target.h"
#include "Lintel/WholeUnits.h"
#include "Tuning/WorkerThreads.h"

#include <algorithm>
#include <cpuid.h>
#include <cstdint>
#include <immintrin.h>

namespace lintel {

static constexpr size_t kCacheLine = Target::kLineBytes;
/// What a thread flushes before it takes more.
static constexpr size_t kFlushPart = size_t(1) << 20;

/// CPUID 7, EBX bit 23.
static bool hasClflushopt() {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx >> 23 & 1);
}

static void flushInOrder(const char *data, size_t bytes) {
  for (size_t offset = 0; offset < bytes; offset += kCacheLine)
    _mm_clflush(data + offset);
}

/// A server of many cores takes up to half a microsecond for a line; without
/// order, many are under way at once.
__attribute__((target("clflushopt"))) static void
flushUnordered(const char *data, size_t bytes) {
  for (size_t offset = 0; offset < bytes; offset += kCacheLine)
    _mm_clflushopt(const_cast<char *>(data + offset));
}

void flushFromCaches(const void *data, size_t bytes) {
  static const auto flush = hasClflushopt() ? flushUnordered : flushInOrder;
  flush(static_cast<const char *>(data), bytes);
  _mm_mfence();
}

Status flushFromCaches(const void *data, size_t bytes, Executor &executor,
                       int32_t threads) {
  const auto parts = static_cast<int64_t>(ceilDiv(bytes, kFlushPart));
  return shareOut(executor, threads, parts, [&](int64_t part) {
    const size_t begin = static_cast<size_t>(part) * kFlushPart;
    flushFromCaches(static_cast<const char *>(data) + begin,
                    std::min(kFlushPart, bytes - begin));
  });
}

void bringIntoCaches(const void *data, size_t bytes) {
  const auto *line = static_cast<const volatile char *>(data);
  for (size_t offset = 0; offset < bytes; offset += kCacheLine)
    (void)line[offset];
}

} // namespace lintel
