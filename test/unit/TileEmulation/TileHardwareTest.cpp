// The emulation against the CPU's own instructions, where it has them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/AmxSupport.h"
#include "unit/TileEmulation/Instructions.h"

#include <cstring>
#include <immintrin.h>
#include <random>

using namespace lintel;

namespace {

using TileBytes = std::array<uint8_t, 1024>;

struct Operands {
  TileBytes acc, a, b;
};

// The instructions name their registers in the code: one function for each.
#define LINTEL_TILE_INSTRUCTION(function, feature, instruction)                \
  __attribute__((target("amx-tile," feature))) void function(                  \
      const ConfigBytes &config, Operands &tiles, int64_t stride) {            \
    _tile_loadconfig(config.data());                                           \
    _tile_loadd(0, tiles.acc.data(), stride);                                  \
    _tile_loadd(1, tiles.a.data(), stride);                                    \
    _tile_loadd(2, tiles.b.data(), stride);                                    \
    instruction(0, 1, 2);                                                      \
    _tile_stored(0, tiles.acc.data(), stride);                                 \
    _tile_release();                                                           \
  }
LINTEL_TILE_INSTRUCTION(bf16, "amx-bf16", _tile_dpbf16ps)
LINTEL_TILE_INSTRUCTION(fp16, "amx-fp16", _tile_dpfp16ps)
LINTEL_TILE_INSTRUCTION(bssd, "amx-int8", _tile_dpbssd)
LINTEL_TILE_INSTRUCTION(bsud, "amx-int8", _tile_dpbsud)
LINTEL_TILE_INSTRUCTION(busd, "amx-int8", _tile_dpbusd)
LINTEL_TILE_INSTRUCTION(buud, "amx-int8", _tile_dpbuud)
#undef LINTEL_TILE_INSTRUCTION

struct Instruction {
  const char *op, *feature;
  void (*run)(const ConfigBytes &, Operands &, int64_t);
};
constexpr Instruction kInstructions[] = {
    {"dpbf16", "amx-bf16", bf16}, {"dpfp16", "amx-fp16", fp16},
    {"dpbssd", "amx-int8", bssd}, {"dpbsud", "amx-int8", bsud},
    {"dpbusd", "amx-int8", busd}, {"dpbuud", "amx-int8", buud}};

void emulate(const Instruction &instruction, const ConfigBytes &config,
             Operands &tiles, int64_t stride) {
  loadConfig(config);
  load(0, tiles.acc.data(), stride);
  load(1, tiles.a.data(), stride);
  load(2, tiles.b.data(), stride);
  multiply(instruction.op, 0, 1, 2);
  store(0, tiles.acc.data(), stride);
  release();
}

/// Floats of `width` bits, `exponentBits` of them exponent, of every size from
/// denormals on up to some hundred: products of them are denormal as often as
/// not, and no sum is infinite. Which of several NaNs comes out is not
/// emulated.
void fill(TileBytes &bytes, std::mt19937 &generator, unsigned width,
          unsigned exponentBits) {
  const unsigned count = 8192 / width;
  const uint32_t limit = (1u << (exponentBits - 1)) + 7;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned fraction = width - 1 - exponentBits;
    const uint32_t value = uint32_t(generator() % 2) << (width - 1) |
                           uint32_t(generator() % limit) << fraction |
                           (generator() & ((1u << fraction) - 1));
    std::memcpy(bytes.data() + i * width / 8, &value, width / 8);
  }
}

class TileHardware : public testing::TestWithParam<Instruction> {};

TEST_P(TileHardware, AgreesBitForBit) {
  const Instruction &instruction = GetParam();
  const std::string op = instruction.op;
  if (!amxFeatures(readAmxFacts(TilePermission::request))[instruction.feature])
    GTEST_SKIP() << "this machine has no " << instruction.feature;
  std::mt19937 generator(11);
  constexpr Shape kShapes[][3] = {{{16, 64}, {16, 64}, {16, 64}},
                                  {{13, 64}, {13, 64}, {16, 64}},
                                  {{16, 20}, {16, 64}, {16, 20}},
                                  {{7, 44}, {7, 36}, {9, 44}}};
  for (int round = 0; round < 400; ++round) {
    const auto &shapes = kShapes[round % 4];
    const ConfigBytes config = configBytes({shapes[0], shapes[1], shapes[2]});
    Operands expected;
    fill(expected.acc, generator, 32, 8);
    fill(expected.a, generator, 16, op == "dpfp16" ? 5 : 8);
    fill(expected.b, generator, 16, op == "dpfp16" ? 5 : 8);
    Operands emulated = expected;
    instruction.run(config, expected, 64);
    emulate(instruction, config, emulated, 64);
    ASSERT_EQ(std::memcmp(expected.acc.data(), emulated.acc.data(), 1024), 0)
        << op << ", round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Instructions, TileHardware,
                         testing::ValuesIn(kInstructions),
                         [](const auto &info) {
                           return std::string(info.param.op);
                         });

} // namespace
