// Makes memory cold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/CacheFlush.h"

#include <emmintrin.h>

namespace lintel {

static constexpr size_t kCacheLine = 64;

void flushFromCaches(const void *data, size_t bytes) {
  const auto *line = static_cast<const char *>(data);
  for (size_t offset = 0; offset < bytes; offset += kCacheLine)
    _mm_clflush(line + offset);
  _mm_mfence();
}

void bringIntoCaches(const void *data, size_t bytes) {
  const auto *line = static_cast<const volatile char *>(data);
  for (size_t offset = 0; offset < bytes; offset += kCacheLine)
    (void)line[offset];
}

} // namespace lintel
