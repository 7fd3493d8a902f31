// A micro-kernel on tile registers, from IR to a running kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoweredKernel.h"

#include "Codegen/Compiler.h"
#include "JIT/Loader.h"
#include "Target/HostTarget.h"
#include "TileEmulation/TileEmulation.h"

#include <bit>
#include <gmock/gmock.h>
#include <random>

namespace lintel::integration {
namespace {

using testing::HasSubstr;

/// Rows of the output; the lower tiles have 13 of their 16.
constexpr int64_t kRows = 29, kColumns = 32;

/// out[29, 32] += x[29, kc] * w[32, kc], by four tiles of sums. w is packed in
/// pairs of K: w[kc / 2][32][2].
constexpr const char *kKernel = R"(
#shapes = #tmm.config<[16x64, 16x64, 13x64, 13x64, 16x64, 13x64, 16x64, 16x64]>

func.func private @tile(%x: memref<bf16>, %ldx: index, %w: memref<bf16>,
                        %kc: index, %out: memref<f32>, %ldo: index)
    attributes {tmm.configured = #shapes} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %lowerX = arith.muli %ldx, %c16 : index
  %lower = arith.muli %ldo, %c16 : index
  %lowerRight = arith.addi %lower, %c16 : index
  tmm.load 0, %out[%c0], %ldo : memref<f32>
  tmm.load 1, %out[%c16], %ldo : memref<f32>
  tmm.zero 2
  tmm.zero 3
  scf.for %k = %c0 to %kc step %c32 {
    %xLower = arith.addi %lowerX, %k : index
    %wLeft = arith.muli %k, %c32 : index
    %wRight = arith.addi %wLeft, %c32 : index
    tmm.load 4, %x[%k], %ldx : memref<bf16>
    tmm.load 6, %w[%wLeft], %c64 : memref<bf16>
    tmm.dpbf16 0, 4, 6
    tmm.load 5, %x[%xLower], %ldx hint(streamed) : memref<bf16>
    tmm.dpbf16 2, 5, 6
    tmm.load 7, %w[%wRight], %c64 : memref<bf16>
    tmm.dpbf16 1, 4, 7
    tmm.dpbf16 3, 5, 7
  }
  tmm.store 0, %out[%c0], %ldo : memref<f32>
  tmm.store 1, %out[%c16], %ldo : memref<f32>
  tmm.store 2, %out[%lower], %ldo : memref<f32>
  tmm.store 3, %out[%lowerRight], %ldo : memref<f32>
  return
}

func.func @lintel_kernel(%args: !lintel.kernel_args, %tid: i32, %threads: i32) {
  %x = lintel.kernel_arg %args x : memref<bf16>
  %ldx = lintel.kernel_arg %args ldx : index
  %w = lintel.kernel_arg %args w : memref<bf16>
  %kc = lintel.kernel_arg %args kc : index
  %out = lintel.kernel_arg %args output[0] : memref<f32>
  %ldo = lintel.kernel_arg %args output_stride[0] : index
  tmm.config #shapes
  call @tile(%x, %ldx, %w, %kc, %out, %ldo)
      : (memref<bf16>, index, memref<bf16>, index, memref<f32>, index) -> ()
  tmm.release
  return
}
)";

constexpr const char *kEveryProduct = R"(
func.func @lintel_kernel() attributes {tmm.configured = #tmm.config<[16x64, 16x64, 16x64]>} {
  tmm.zero 0
  tmm.zero 1
  tmm.zero 2
  tmm.dpbf16 0, 1, 2
  tmm.dpfp16 0, 1, 2
  tmm.dpbssd 0, 1, 2
  tmm.dpbsud 0, 1, 2
  tmm.dpbusd 0, 1, 2
  tmm.dpbuud 0, 1, 2
  return
}
)";

Target amxTarget() {
  return *Target::parse("isa=avx512,cpu=sapphirerapids,extensions=amx-bf16+amx-"
                        "fp16+amx-int8+amx-tile");
}

uint16_t bf16(float value) {
  return uint16_t(std::bit_cast<uint32_t>(value) >> 16);
}
float fromBf16(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

struct Layer {
  int64_t depth, ldx, ldo;
  std::vector<uint16_t> x, w; ///< w as [32][depth]
  std::vector<float> out;     ///< before, with columns beyond the 32nd
};

Layer randomLayer(int64_t depth) {
  Layer layer = {depth, depth + 5, kColumns + 3, {}, {}, {}};
  layer.x.resize(kRows * layer.ldx);
  layer.w.resize(kColumns * depth);
  layer.out.resize(kRows * layer.ldo);
  std::mt19937 generator(5);
  std::normal_distribution<float> normal;
  for (std::vector<uint16_t> *values : {&layer.x, &layer.w})
    for (uint16_t &value : *values)
      value = bf16(normal(generator));
  for (float &value : layer.out)
    value = normal(generator);
  return layer;
}

std::vector<uint16_t> packedWeight(const Layer &layer) {
  std::vector<uint16_t> packed(layer.w.size());
  for (int64_t n = 0; n < kColumns; ++n)
    for (int64_t k = 0; k < layer.depth; ++k)
      packed[(k / 2 * kColumns + n) * 2 + k % 2] = layer.w[n * layer.depth + k];
  return packed;
}

std::vector<float> runKernel(LoweredKernel &&lowered, const Layer &layer) {
  auto loader = std::move(*Loader::create());
  auto kernel = loader->load(lowered.object(), kKernelSymbol);
  if (!kernel) {
    ADD_FAILURE() << kernel.error().message();
    return {};
  }
  const std::vector<uint16_t> packed = packedWeight(layer);
  std::vector<float> out = layer.out;
  KernelTensor output = {out.data(), layer.ldo};
  KernelArgs args = {};
  args.x = layer.x.data();
  args.ldx = layer.ldx;
  args.w = packed.data();
  args.kc = layer.depth;
  args.outputs = &output;
  (*kernel)->function()(&args, 0, 1);
  return out;
}

TEST(TileKernel, EmulatedAgreesWithDouble) {
  const uint64_t faults = tileFaults();
  for (int64_t depth : {32, 256}) {
    const Layer layer = randomLayer(depth);
    const std::vector<float> out =
        runKernel({kKernel, Tiles::emulated, Target()}, layer);
    ASSERT_EQ(out.size(), layer.out.size());
    for (int64_t m = 0; m < kRows; ++m)
      for (int64_t n = 0; n < layer.ldo; ++n) {
        const float before = layer.out[m * layer.ldo + n];
        if (n >= kColumns) {
          ASSERT_EQ(out[m * layer.ldo + n], before) << "beyond the tile";
          continue;
        }
        // The upper tiles add to the output, the lower ones replace it.
        double sum = m < 16 ? before : 0, magnitude = std::abs(sum);
        for (int64_t k = 0; k < depth; ++k) {
          const double product = double(fromBf16(layer.x[m * layer.ldx + k])) *
                                 double(fromBf16(layer.w[n * depth + k]));
          sum += product;
          magnitude += std::abs(product);
        }
        // One rounding for each product, two for each instruction.
        const double bound = (depth + 2 * depth / 32) * 0x1p-24 * magnitude;
        ASSERT_NEAR(out[m * layer.ldo + n], sum, bound) << m << ", " << n;
      }
  }
  EXPECT_EQ(tileFaults(), faults);
}

TEST(TileKernel, EmulationAndInstructionsAgree) {
  const HostFacts host = readHostFacts();
  Target target = amxTarget();
  target.extensions.erase(Extension::amxFp16);
  if (!canRun(host, target))
    GTEST_SKIP() << "this machine has no AMX";
  const Layer layer = randomLayer(512);
  EXPECT_EQ(runKernel({kKernel, Tiles::emulated, target}, layer),
            runKernel({kKernel, Tiles::instructions, target}, layer));
}

TEST(TileKernel, InstructionsNameTheirRegisters) {
  const std::string assembly =
      LoweredKernel(kKernel, Tiles::instructions, amxTarget()).assembly();
  for (const char *instruction :
       {"ldtilecfg", "tilerelease", "tilezero\t%tmm2", "tilezero\t%tmm3",
        "tdpbf16ps\t%tmm6, %tmm4, %tmm0", "tdpbf16ps\t%tmm6, %tmm5, %tmm2",
        "tdpbf16ps\t%tmm7, %tmm4, %tmm1", "tdpbf16ps\t%tmm7, %tmm5, %tmm3",
        "tileloaddt1\t"})
    EXPECT_THAT(assembly, HasSubstr(instruction));
  EXPECT_THAT(assembly, testing::ContainsRegex("tileloadd\t.*%tmm4"));
  EXPECT_THAT(assembly, testing::ContainsRegex("tilestored\t%tmm3"));
  EXPECT_THAT(assembly, testing::Not(HasSubstr("lintel_tmm")));
  size_t configurations = 0;
  for (size_t at = 0; (at = assembly.find("ldtilecfg", at)) != assembly.npos;
       ++at)
    ++configurations;
  EXPECT_EQ(configurations, 1u) << "LLVM adds none of its own";
}

TEST(TileKernel, EveryProductHasItsInstruction) {
  const std::string assembly =
      LoweredKernel(kEveryProduct, Tiles::instructions, amxTarget()).assembly();
  for (const char *instruction :
       {"tdpbf16ps", "tdpfp16ps", "tdpbssd", "tdpbsud", "tdpbusd", "tdpbuud"})
    EXPECT_THAT(assembly,
                HasSubstr(std::string(instruction) + "\t%tmm2, %tmm1, %tmm0"));
}

} // namespace
} // namespace lintel::integration
