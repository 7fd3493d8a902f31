// State, loads and stores of emulated tile registers; what is a fault.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/TileEmulation/Instructions.h"

#include <gmock/gmock.h>
#include <set>
#include <thread>

using namespace lintel;
using ::testing::Each;

namespace {

/// Faults that `body` causes.
template <class Body> uint64_t faultsOf(Body body) {
  const uint64_t before = tileFaults();
  body();
  return tileFaults() - before;
}

std::vector<uint8_t> countingBytes(size_t size) {
  std::vector<uint8_t> bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = uint8_t(i % 251 + 1);
  return bytes;
}

TEST(TileEmulation, HasAFunctionForEachOp) {
  std::set<std::string_view> symbols;
  for (const EmulatedInstruction &instruction : emulatedInstructions()) {
    symbols.insert(instruction.symbol);
    EXPECT_NE(instruction.address, nullptr);
  }
  EXPECT_EQ(symbols,
            (std::set<std::string_view>{
                "lintel_tmm_config", "lintel_tmm_release", "lintel_tmm_zero",
                "lintel_tmm_load", "lintel_tmm_store", "lintel_tmm_dpbf16",
                "lintel_tmm_dpfp16", "lintel_tmm_dpbssd", "lintel_tmm_dpbsud",
                "lintel_tmm_dpbusd", "lintel_tmm_dpbuud"}));
}

TEST(TileEmulation, MovesTheShapeAndNothingElse) {
  for (Shape shape : {Shape{16, 64}, Shape{1, 4}, Shape{13, 28}, Shape{3, 60}})
    for (int64_t stride : {64, 100}) {
      const std::vector<uint8_t> from = countingBytes(16 * stride);
      std::vector<uint8_t> to(16 * stride, 0xee);
      configure({{16, 64}, shape});
      load(1, from.data(), stride);
      store(1, to.data(), stride);
      for (int row = 0; row < 16; ++row)
        for (int byte = 0; byte < stride; ++byte) {
          const bool inside = row < shape.rows && byte < shape.bytes;
          const size_t at = row * stride + byte;
          ASSERT_EQ(to[at], inside ? from[at] : 0xee) << row << ", " << byte;
        }
    }
}

TEST(TileEmulation, StridesMayGoBackwards) {
  const std::vector<uint8_t> from = countingBytes(8);
  std::vector<uint8_t> to(8);
  configure({{2, 4}});
  load(0, from.data() + 4, -4);
  store(0, to.data(), 4);
  EXPECT_EQ(to, (std::vector<uint8_t>{5, 6, 7, 8, 1, 2, 3, 4}));
}

TEST(TileEmulation, ConfigurationAndZeroClearTiles) {
  const std::vector<uint8_t> from = countingBytes(64);
  std::vector<uint8_t> to(64, 1);
  configure({{1, 64}, {1, 64}});
  load(0, from.data(), 64);
  load(1, from.data(), 64);
  zero(0);
  store(0, to.data(), 64);
  EXPECT_THAT(to, Each(0));
  store(1, to.data(), 64);
  EXPECT_EQ(to, from);
  configure({{1, 64}, {1, 64}});
  store(1, to.data(), 64);
  EXPECT_THAT(to, Each(0));
}

TEST(TileEmulation, EachThreadHasItsOwnRegisters) {
  configure({{1, 4}});
  uint32_t value = 77;
  load(0, &value, 4);
  uint64_t faults = 0;
  std::thread([&] {
    faults = faultsOf([] { zero(0); });
    configure({{1, 4}});
    zero(0);
  }).join();
  EXPECT_EQ(faults, 1u);
  value = 0;
  store(0, &value, 4);
  EXPECT_EQ(value, 77u);
}

TEST(TileEmulation, UseWithoutConfigurationIsAFault) {
  uint8_t memory[1024] = {};
  for (bool released : {true, false}) {
    configure({{16, 64}});
    if (released)
      release();
    else
      loadConfig({}); // palette 0: as after TILERELEASE
    EXPECT_EQ(faultsOf([&] { zero(0); }), 1u);
    EXPECT_EQ(faultsOf([&] { load(0, memory, 64); }), 1u);
    EXPECT_EQ(faultsOf([&] { store(0, memory, 64); }), 1u);
    EXPECT_GE(faultsOf([&] { multiply("dpbf16", 0, 1, 2); }), 1u);
  }
  EXPECT_THAT(memory, Each(0));
}

TEST(TileEmulation, RegistersThatAreNotThereAreAFault) {
  uint8_t memory[1024] = {};
  configure({{16, 64}, {16, 64}, {16, 64}});
  for (int tile : {-1, 3, 7, 8, 1 << 20}) {
    EXPECT_EQ(faultsOf([&] { zero(tile); }), 1u);
    EXPECT_EQ(faultsOf([&] { load(tile, memory, 64); }), 1u);
    EXPECT_EQ(faultsOf([&] { store(tile, memory, 64); }), 1u);
    EXPECT_GE(faultsOf([&] { multiply("dpbssd", 0, 1, tile); }), 1u);
  }
}

TEST(TileEmulation, ProductsThatDoNotFitAreAFault) {
  configure({{16, 64}, {16, 64}, {16, 64}});
  EXPECT_EQ(faultsOf([] { multiply("dpbf16", 0, 1, 2); }), 0u);
  EXPECT_EQ(faultsOf([] { multiply("dpbf16", 0, 0, 2); }), 1u);
  EXPECT_EQ(faultsOf([] { multiply("dpbf16", 0, 1, 0); }), 1u);
  EXPECT_EQ(faultsOf([] { multiply("dpbf16", 0, 1, 1); }), 1u);
  configure({{16, 64}, {15, 64}, {16, 64}}); // rows of acc and a
  EXPECT_EQ(faultsOf([] { multiply("dpbf16", 0, 1, 2); }), 1u);
  configure({{16, 64}, {16, 64}, {16, 60}}); // columns of acc and b
  EXPECT_EQ(faultsOf([] { multiply("dpfp16", 0, 1, 2); }), 1u);
  configure({{16, 64}, {16, 60}, {16, 64}}); // depth of a and b
  EXPECT_EQ(faultsOf([] { multiply("dpbuud", 0, 1, 2); }), 1u);
  configure({{16, 62}, {16, 64}, {16, 62}}); // half an element
  EXPECT_EQ(faultsOf([] { multiply("dpbuud", 0, 1, 2); }), 1u);
}

TEST(TileEmulation, ConfigurationsThatAreNoneAreAFault) {
  uint32_t value = 5;
  auto refused = [&](ConfigBytes bytes) {
    configure({{1, 4}});
    load(0, &value, 4);
    const uint64_t faults = faultsOf([&] { loadConfig(bytes); });
    std::array<uint32_t, 256> kept = {}; // room for an accepted one, 16x64
    store(0, kept.data(), 64);
    return faults == 1 && kept[0] == value; // the old one stays
  };
  auto with = [](size_t byte, uint8_t value) {
    ConfigBytes bytes = configBytes({{16, 64}, {16, 64}});
    bytes[byte] = value;
    return bytes;
  };
  EXPECT_TRUE(refused(with(0, 2))) << "palette";
  EXPECT_TRUE(refused(with(1, 1))) << "row to begin with";
  EXPECT_TRUE(refused(with(2, 1))) << "reserved";
  EXPECT_TRUE(refused(with(33, 1))) << "tile 8";
  EXPECT_TRUE(refused(with(63, 1))) << "rows of tile 15";
  EXPECT_TRUE(refused(with(16, 65))) << "bytes per row";
  EXPECT_TRUE(refused(with(17, 1))) << "bytes per row, high byte";
  EXPECT_TRUE(refused(with(48, 17))) << "rows";
  EXPECT_TRUE(refused(with(49, 0))) << "bytes without rows";
  EXPECT_TRUE(refused(with(18, 0))) << "rows without bytes";
  EXPECT_FALSE(refused(with(18, 4)));
}

} // namespace
