// Peak loops: one body, compiled for each ISA level.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/Peak.h"

// Each level's entry point has the level's features; the body is forced inline
// into it and so is compiled with them. Vector types keep the body free of
// intrinsics: a * b + c becomes one FMA where the level has it, else two
// operations (-ffp-contract=on within one expression).
#define LINTEL_INLINE __attribute__((always_inline)) inline
#define LINTEL_AVX2 __attribute__((target("avx2,fma")))
#define LINTEL_AVX512                                                          \
  __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,fma")))

namespace lintel {
namespace {

// Twelve chains cover latency 4 to 5 on two ports and leave registers for the
// two factors even where there are only 16.
constexpr int kChains = 12;

/// Every chain converges to 1: no overflow, no denormals, however long it runs.
template <int Bytes> LINTEL_INLINE int64_t fmaLoop(int64_t iterations) {
  using Vector [[gnu::vector_size(Bytes)]] = float;
  constexpr int kLanes = Bytes / sizeof(float);
  // Volatile: the compiler must not know the factors, nor that they are equal.
  volatile float half = 0.5f;
  Vector scale = Vector{} + half, addend = Vector{} + half;
  Vector chains[kChains];
  for (int i = 0; i < kChains; ++i)
    chains[i] = Vector{} + (1.0f + float(i) / 64);
  for (int64_t round = 0; round < iterations; ++round) {
#pragma clang loop unroll(full)
    for (int i = 0; i < kChains; ++i)
      chains[i] = chains[i] * scale + addend;
  }
  Vector sum = {};
  for (int i = 0; i < kChains; ++i)
    sum += chains[i];
  volatile float sink = 0;
  for (int lane = 0; lane < kLanes; ++lane)
    sink = sink + sum[lane];
  return iterations * kChains * kLanes * 2;
}

/// Adds integers: latency 1, so that only the loads are timed, and no bit
/// pattern is slow.
template <int Bytes, int Streams, int Ahead>
LINTEL_INLINE float readLoop(const void *data, size_t bytes, int64_t rounds) {
  using Vector [[gnu::vector_size(Bytes)]] = uint32_t;
  using Unaligned [[gnu::vector_size(Bytes), gnu::aligned(4), gnu::may_alias]] =
      uint32_t;
  constexpr int kVectors = 8, kLine = 64;
  constexpr int kStep = kVectors / Streams * Bytes; // of each stream
  static_assert(kReadUnit % (kStep * Streams) == 0);
  const char *begin = static_cast<const char *>(data);
  const size_t part = bytes / Streams;
  Vector sums[kVectors] = {};
  for (int64_t round = 0; round < rounds; ++round) {
    // Whoever knew that the data stays the same would read it once.
    asm volatile("" ::: "memory");
    for (size_t offset = 0; offset < part; offset += kStep) {
#pragma clang loop unroll(full)
      for (int i = 0; i < kVectors; ++i) {
        const char *at =
            begin + i % Streams * part + offset + i / Streams * Bytes;
        if (Ahead > 0 && i / Streams * Bytes % kLine == 0)
          __builtin_prefetch(at + Ahead);
        sums[i] += *reinterpret_cast<const Unaligned *>(at);
      }
    }
  }
  Vector sum = {};
  for (int i = 0; i < kVectors; ++i)
    sum += sums[i];
  uint32_t total = 0;
  for (size_t lane = 0; lane < Bytes / sizeof(uint32_t); ++lane)
    total += sum[lane];
  return float(total);
}

/// The prefetch distances are the best of those tried on a Zen 4, where more
/// streams want shorter ones.
template <int Bytes>
LINTEL_INLINE float readBy(ReadPattern pattern, const void *data, size_t bytes,
                           int64_t rounds) {
  switch (pattern) {
  case ReadPattern::oneStream:
    return readLoop<Bytes, 1, 0>(data, bytes, rounds);
  case ReadPattern::twoStreams:
    return readLoop<Bytes, 2, 0>(data, bytes, rounds);
  case ReadPattern::fourStreams:
    return readLoop<Bytes, 4, 0>(data, bytes, rounds);
  case ReadPattern::eightStreams:
    return readLoop<Bytes, 8, 0>(data, bytes, rounds);
  case ReadPattern::onePrefetched:
    return readLoop<Bytes, 1, 4096>(data, bytes, rounds);
  case ReadPattern::twoPrefetched:
    return readLoop<Bytes, 2, 1024>(data, bytes, rounds);
  case ReadPattern::fourPrefetched:
    return readLoop<Bytes, 4, 512>(data, bytes, rounds);
  }
  __builtin_unreachable();
}

int64_t fmaX86(int64_t iterations) { return fmaLoop<16>(iterations); }
LINTEL_AVX2 int64_t fmaAvx2(int64_t iterations) {
  return fmaLoop<32>(iterations);
}
LINTEL_AVX512 int64_t fmaAvx512(int64_t iterations) {
  return fmaLoop<64>(iterations);
}

float readX86(ReadPattern pattern, const void *data, size_t bytes,
              int64_t rounds) {
  return readBy<16>(pattern, data, bytes, rounds);
}
LINTEL_AVX2 float readAvx2(ReadPattern pattern, const void *data, size_t bytes,
                           int64_t rounds) {
  return readBy<32>(pattern, data, bytes, rounds);
}
LINTEL_AVX512 float readAvx512(ReadPattern pattern, const void *data,
                               size_t bytes, int64_t rounds) {
  return readBy<64>(pattern, data, bytes, rounds);
}

} // namespace

int64_t runFmaLoop(IsaLevel isa, int64_t iterations) {
  if (iterations <= 0)
    return 0;
  switch (isa) {
  case IsaLevel::x86_64:
    return fmaX86(iterations);
  case IsaLevel::avx2:
    return fmaAvx2(iterations);
  case IsaLevel::avx512:
    return fmaAvx512(iterations);
  }
  __builtin_unreachable();
}

float runReadLoop(IsaLevel isa, ReadPattern pattern, const void *data,
                  size_t bytes, int64_t rounds) {
  switch (isa) {
  case IsaLevel::x86_64:
    return readX86(pattern, data, bytes, rounds);
  case IsaLevel::avx2:
    return readAvx2(pattern, data, bytes, rounds);
  case IsaLevel::avx512:
    return readAvx512(pattern, data, bytes, rounds);
  }
  __builtin_unreachable();
}

} // namespace lintel
