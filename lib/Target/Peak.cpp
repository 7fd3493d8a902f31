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
template <int Bytes>
LINTEL_INLINE float readLoop(const void *data, size_t bytes) {
  using Vector [[gnu::vector_size(Bytes)]] = uint32_t;
  using Unaligned [[gnu::vector_size(Bytes), gnu::aligned(4), gnu::may_alias]] =
      uint32_t;
  constexpr int kVectors = 4;
  const char *at = static_cast<const char *>(data);
  Vector sums[kVectors] = {};
  for (size_t offset = 0; offset + kVectors * Bytes <= bytes;
       offset += kVectors * Bytes) {
#pragma clang loop unroll(full)
    for (int i = 0; i < kVectors; ++i)
      sums[i] += *reinterpret_cast<const Unaligned *>(at + offset + i * Bytes);
  }
  Vector sum = sums[0] + sums[1] + sums[2] + sums[3];
  uint32_t total = 0;
  for (size_t lane = 0; lane < Bytes / sizeof(uint32_t); ++lane)
    total += sum[lane];
  return float(total);
}

int64_t fmaX86(int64_t iterations) { return fmaLoop<16>(iterations); }
LINTEL_AVX2 int64_t fmaAvx2(int64_t iterations) {
  return fmaLoop<32>(iterations);
}
LINTEL_AVX512 int64_t fmaAvx512(int64_t iterations) {
  return fmaLoop<64>(iterations);
}

float readX86(const void *data, size_t bytes) {
  return readLoop<16>(data, bytes);
}
LINTEL_AVX2 float readAvx2(const void *data, size_t bytes) {
  return readLoop<32>(data, bytes);
}
LINTEL_AVX512 float readAvx512(const void *data, size_t bytes) {
  return readLoop<64>(data, bytes);
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

float runReadLoop(IsaLevel isa, const void *data, size_t bytes) {
  switch (isa) {
  case IsaLevel::x86_64:
    return readX86(data, bytes);
  case IsaLevel::avx2:
    return readAvx2(data, bytes);
  case IsaLevel::avx512:
    return readAvx512(data, bytes);
  }
  __builtin_unreachable();
}

} // namespace lintel
