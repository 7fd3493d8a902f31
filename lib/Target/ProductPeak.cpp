// Loops over the instructions that multiply and add.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/ProductPeak.h"

#include "Target/Peak.h"

#include <initializer_list>
#include <random>
#include <span>

namespace lintel {
namespace {

// Instructions are written as assembly: the assembler takes them in a function
// of any features, so that one body serves several.

/// Of one row of a tile.
constexpr int kRowBytes = 64;

constexpr int bytesOfElement(ProductInstruction instruction) {
  return instruction == ProductInstruction::vpmaddubsw ||
                 instruction == ProductInstruction::vpdpbusd ||
                 instruction == ProductInstruction::tdpbusd
             ? 1
             : 2;
}

/// Zeros and equal numbers take less power than those of a layer, and so may
/// be multiplied at a higher clock. Floats are of magnitude 0.5 to 2, as bf16
/// and as f16: no sum of them becomes denormal or infinite, since one of f16
/// that has come to 8192 no longer feels a product of 4. Words of vpmaddwd are
/// widened bytes.
template <ProductInstruction instruction>
void fillRandomly(std::span<uint16_t> words) {
  std::minstd_rand random(1);
  for (uint16_t &word : words) {
    const auto bits = static_cast<uint32_t>(random()) >> 8;
    if constexpr (instruction == ProductInstruction::vpmaddwd)
      word = static_cast<uint16_t>(static_cast<int8_t>(bits));
    else
      word = static_cast<uint16_t>(
          bytesOfElement(instruction) == 2 ? (bits & 0x80ff) | 0x3f00 : bits);
  }
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

template <int bytes> using Words [[gnu::vector_size(bytes)]] = uint16_t;

// What adds products of a and b to sums, at a level. As many sums as cover a
// latency of 6 to 10 on two ports, and leave registers for the factors.

template <ProductInstruction product> struct Avx512 {
  static constexpr ProductInstruction instruction = product;
  static constexpr int kBytes = 64, kChains = 24;
  using Vector = Words<kBytes>;

  __attribute__((target("avx512f,avx512bw"))) static void
  add(Vector &sums, const Vector &a, const Vector &b) {
    if constexpr (product == ProductInstruction::vfmadd231ph)
      asm volatile("vfmadd231ph %2, %1, %0" : "+v"(sums) : "v"(a), "v"(b));
    else if constexpr (product == ProductInstruction::vdpbf16ps)
      asm volatile("vdpbf16ps %2, %1, %0" : "+v"(sums) : "v"(a), "v"(b));
    else if constexpr (product == ProductInstruction::vpmaddwd) {
      Vector products;
      asm volatile("vpmaddwd %3, %2, %1\n\t"
                   "vpaddd %1, %0, %0"
                   : "+v"(sums), "=v"(products)
                   : "v"(a), "v"(b));
    } else if constexpr (product == ProductInstruction::vpmaddubsw) {
      Vector pairs;
      asm volatile("vpmaddubsw %2, %1, %0" : "=v"(pairs) : "v"(a), "v"(b));
      Avx512<ProductInstruction::vpmaddwd>::add(sums, pairs, Vector{} + 1);
    } else
      asm volatile("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(a), "v"(b));
  }
};

template <ProductInstruction product> struct Avx2 {
  static constexpr ProductInstruction instruction = product;
  static constexpr int kBytes = 32, kChains = 12;
  using Vector = Words<kBytes>;

  __attribute__((target("avx2"))) static void add(Vector &sums, const Vector &a,
                                                  const Vector &b) {
    if constexpr (product == ProductInstruction::vpmaddwd) {
      Vector products;
      asm volatile("vpmaddwd %3, %2, %1\n\t"
                   "vpaddd %1, %0, %0"
                   : "+x"(sums), "=x"(products)
                   : "x"(a), "x"(b));
    } else if constexpr (product == ProductInstruction::vpmaddubsw) {
      Vector pairs;
      asm volatile("vpmaddubsw %2, %1, %0" : "=x"(pairs) : "x"(a), "x"(b));
      Avx2<ProductInstruction::vpmaddwd>::add(sums, pairs, Vector{} + 1);
    } else
      asm volatile("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sums) : "x"(a), "x"(b));
  }
};

struct PairsOfSse2 {
  static constexpr ProductInstruction instruction =
      ProductInstruction::vpmaddwd;
  static constexpr int kBytes = 16, kChains = 12;
  using Vector = Words<kBytes>;

  static void add(Vector &sums, const Vector &a, const Vector &b) {
    Vector products;
    asm volatile("movdqa %2, %1\n\t"
                 "pmaddwd %3, %1\n\t"
                 "paddd %1, %0"
                 : "+x"(sums), "=&x"(products)
                 : "x"(a), "x"(b));
  }
};

/// Forced inline into a function with the features of `Level`, whose add() is
/// inlined after it.
template <class Level>
__attribute__((always_inline)) inline int64_t chainLoop(int64_t iterations) {
  using Vector = Level::Vector;
  constexpr int kLanes = Level::kBytes / sizeof(uint16_t);
  uint16_t numbers[2 * kLanes];
  fillRandomly<Level::instruction>(numbers);
  Vector a, b;
  __builtin_memcpy(&a, numbers, sizeof a);
  __builtin_memcpy(&b, numbers + kLanes, sizeof b);
  Vector chains[Level::kChains] = {};
  for (int64_t round = 0; round < iterations; ++round) {
#pragma clang loop unroll(full)
    for (Vector &sums : chains)
      Level::add(sums, a, b);
  }
  return iterations * Level::kChains *
         (Level::kBytes / bytesOfElement(Level::instruction)) * 2;
}

template <ProductInstruction instruction>
__attribute__((target("avx512f,avx512bw"))) int64_t
loopOfAvx512(int64_t iterations) {
  return chainLoop<Avx512<instruction>>(iterations);
}

template <ProductInstruction instruction>
__attribute__((target("avx2"))) int64_t loopOfAvx2(int64_t iterations) {
  return chainLoop<Avx2<instruction>>(iterations);
}

int64_t pairLoop(IsaLevel isa, int64_t iterations) {
  switch (isa) {
  case IsaLevel::avx512:
    return loopOfAvx512<ProductInstruction::vpmaddwd>(iterations);
  case IsaLevel::avx2:
    return loopOfAvx2<ProductInstruction::vpmaddwd>(iterations);
  case IsaLevel::x86_64:
    break;
  }
  return chainLoop<PairsOfSse2>(iterations);
}

int64_t quadLoop(IsaLevel isa, int64_t iterations) {
  if (isa == IsaLevel::avx2)
    return loopOfAvx2<ProductInstruction::vpmaddubsw>(iterations);
  return loopOfAvx512<ProductInstruction::vpmaddubsw>(iterations);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

constexpr int kTileRows = 16;

/// What ldtilecfg reads.
struct alignas(64) TileConfiguration {
  uint8_t palette = 1;
  uint8_t startRow = 0;
  uint8_t reserved[14] = {};
  uint16_t rowBytes[16] = {};
  uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfiguration) == 64);

/// Registers 0 and 1 are sums, 2 and 3 the factors. The others stay zero: where
/// the core's other hyperthread works, a register that holds something costs
/// speed (decision 77).
template <ProductInstruction instruction> void loadTiles() {
  constexpr int kRegisters = 8, kFactors = 2;
  TileConfiguration configuration;
  for (int tile = 0; tile < kRegisters; ++tile) {
    configuration.rowBytes[tile] = kRowBytes;
    configuration.rows[tile] = kTileRows;
  }
  asm volatile("ldtilecfg %0" : : "m"(configuration));
  constexpr int kTileWords = kTileRows * kRowBytes / sizeof(uint16_t);
  alignas(64) uint16_t factors[kFactors * kTileWords];
  fillRandomly<instruction>(factors);
  constexpr int64_t kStride = kRowBytes;
  asm volatile("tileloadd (%0,%2,1), %%tmm2\n\t"
               "tileloadd (%1,%2,1), %%tmm3"
               :
               : "r"(factors), "r"(factors + kTileWords), "r"(kStride)
               : "memory");
}

/// Two sums in turn, the factors changing places: 16 cycles a product, as with
/// four sums.
template <ProductInstruction instruction> void addTileProducts() {
  if constexpr (instruction == ProductInstruction::tdpbf16ps)
    asm volatile("tdpbf16ps %tmm3, %tmm2, %tmm0\n\t"
                 "tdpbf16ps %tmm2, %tmm3, %tmm1");
  else if constexpr (instruction == ProductInstruction::tdpfp16ps)
    asm volatile("tdpfp16ps %tmm3, %tmm2, %tmm0\n\t"
                 "tdpfp16ps %tmm2, %tmm3, %tmm1");
  else
    asm volatile("tdpbusd %tmm3, %tmm2, %tmm0\n\t"
                 "tdpbusd %tmm2, %tmm3, %tmm1");
}

/// A round is what a kernel does without its loads for K = 2048.
template <ProductInstruction instruction> int64_t tileLoop(int64_t iterations) {
  constexpr int kDepth = 2048, kSums = 2;
  constexpr int kSteps = kDepth * bytesOfElement(instruction) / kRowBytes;
  loadTiles<instruction>();
  for (int64_t round = 0; round < iterations; ++round) {
    asm volatile("tilezero %tmm0\n\t"
                 "tilezero %tmm1");
    for (int step = 0; step < kSteps; ++step)
      addTileProducts<instruction>();
  }
  asm volatile("tilerelease");
  return iterations * kSums * kTileRows * kTileRows * kDepth * 2;
}

} // namespace

std::string_view toString(ProductInstruction instruction) {
  switch (instruction) {
  case ProductInstruction::fma:
    return "fma";
  case ProductInstruction::vfmadd231ph:
    return "vfmadd231ph";
  case ProductInstruction::vdpbf16ps:
    return "vdpbf16ps";
  case ProductInstruction::vpmaddwd:
    return "vpmaddwd";
  case ProductInstruction::vpmaddubsw:
    return "vpmaddubsw";
  case ProductInstruction::vpdpbusd:
    return "vpdpbusd";
  case ProductInstruction::tdpbf16ps:
    return "tdpbf16ps";
  case ProductInstruction::tdpfp16ps:
    return "tdpfp16ps";
  case ProductInstruction::tdpbusd:
    return "tdpbusd";
  }
  return "";
}

bool hasInstruction(const Target &target, ProductInstruction instruction) {
  switch (instruction) {
  case ProductInstruction::fma:
    return true;
  case ProductInstruction::vfmadd231ph:
    return target.has(Extension::avx512Fp16);
  case ProductInstruction::vdpbf16ps:
    return target.has(Extension::avx512Bf16);
  case ProductInstruction::vpmaddwd:
    return !target.multipliesQuads();
  case ProductInstruction::vpmaddubsw:
    return target.sumsPairsInWords();
  case ProductInstruction::vpdpbusd:
    return target.multipliesQuads();
  case ProductInstruction::tdpbf16ps:
    return target.has(Extension::amxBf16) && !target.emulatesTiles();
  case ProductInstruction::tdpfp16ps:
    return target.has(Extension::amxFp16) && !target.emulatesTiles();
  case ProductInstruction::tdpbusd:
    return target.has(Extension::amxInt8) && !target.emulatesTiles();
  }
  return false;
}

ProductInstruction bestInstruction(const Target &target,
                                   const DataTypes &types) {
  const auto firstOf =
      [&](std::initializer_list<ProductInstruction> instructions) {
        for (ProductInstruction instruction : instructions)
          if (hasInstruction(target, instruction))
            return instruction;
        return ProductInstruction::fma;
      };
  if (types.weight == DType::bf16)
    return firstOf(
        {ProductInstruction::tdpbf16ps, ProductInstruction::vdpbf16ps});
  if (types.weight == DType::f16)
    return firstOf(
        {ProductInstruction::tdpfp16ps, ProductInstruction::tdpbf16ps,
         types.accumulate == DType::f16 ? ProductInstruction::vfmadd231ph
                                        : ProductInstruction::fma});
  if (types.weight == DType::s8)
    return firstOf({ProductInstruction::tdpbusd, ProductInstruction::vpdpbusd,
                    types.accumulate == DType::s16
                        ? ProductInstruction::vpmaddubsw
                        : ProductInstruction::vpmaddwd,
                    ProductInstruction::vpmaddwd});
  return ProductInstruction::fma;
}

int64_t partsOfProduct(const Target &target, const DataTypes &types) {
  return types.weight == DType::f16 &&
                 bestInstruction(target, types) == ProductInstruction::tdpbf16ps
             ? 4
             : 1;
}

int64_t runProductLoop(ProductInstruction instruction, IsaLevel isa,
                       int64_t iterations) {
  if (iterations <= 0)
    return 0;
  switch (instruction) {
  case ProductInstruction::fma:
    return runFmaLoop(isa, iterations);
  case ProductInstruction::vfmadd231ph:
    return loopOfAvx512<ProductInstruction::vfmadd231ph>(iterations);
  case ProductInstruction::vdpbf16ps:
    return loopOfAvx512<ProductInstruction::vdpbf16ps>(iterations);
  case ProductInstruction::vpmaddwd:
    return pairLoop(isa, iterations);
  case ProductInstruction::vpmaddubsw:
    return quadLoop(isa, iterations);
  case ProductInstruction::vpdpbusd:
    if (isa == IsaLevel::avx2)
      return loopOfAvx2<ProductInstruction::vpdpbusd>(iterations);
    return loopOfAvx512<ProductInstruction::vpdpbusd>(iterations);
  case ProductInstruction::tdpbf16ps:
    return tileLoop<ProductInstruction::tdpbf16ps>(iterations);
  case ProductInstruction::tdpfp16ps:
    return tileLoop<ProductInstruction::tdpfp16ps>(iterations);
  case ProductInstruction::tdpbusd:
    return tileLoop<ProductInstruction::tdpbusd>(iterations);
  }
  __builtin_unreachable();
}

} // namespace lintel
