// The loops over products do the work they claim; types find their instruction.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/ProductPeak.h"

#include "Target/HostTarget.h"
#include "Target/Peak.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <limits>

using namespace lintel;

namespace {

Target host() { return targetFromFacts(readHostFacts(), std::nullopt).value(); }

Target withExtensions(std::set<Extension> extensions) {
  Target target;
  target.isa = IsaLevel::avx512;
  target.extensions = std::move(extensions);
  return target;
}

/// For each instruction; those that the machine lacks are skipped.
class ProductLoopTest : public testing::TestWithParam<ProductInstruction> {
protected:
  void SetUp() override {
    if (!hasInstruction(target, GetParam()))
      GTEST_SKIP() << "this machine has no " << toString(GetParam());
  }
  int64_t run(int64_t iterations) const {
    return runProductLoop(GetParam(), target.isa, iterations);
  }
  const Target target = host();
};

TEST_P(ProductLoopTest, CountsOperationsInProportion) {
  EXPECT_EQ(run(0), 0);
  EXPECT_EQ(run(-1), 0);
  const int64_t one = run(1);
  EXPECT_GT(one, 0);
  EXPECT_EQ(run(100), 100 * one);
}

TEST_P(ProductLoopTest, IsNotOptimisedAway) {
  // Wide enough for any CPU and a busy machine, in operations a nanosecond; a
  // loop that vanished is far above. A tile instruction does 32768 in 16
  // cycles.
  constexpr double kFewest = 0.05, kMost = 40000;
  int64_t rounds = 1;
  double seconds = 0, perNanosecond = 0;
  // Until the clock sees it.
  for (; seconds < 1e-3; rounds *= 2) {
    const auto begin = std::chrono::steady_clock::now();
    const int64_t operations = run(rounds);
    seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
    perNanosecond = static_cast<double>(operations) / seconds * 1e-9;
    ASSERT_LT(rounds, int64_t(1) << 40) << "it takes no time";
  }
  EXPECT_GT(perNanosecond, kFewest);
  EXPECT_LT(perNanosecond, kMost);
}

TEST_P(ProductLoopTest, LeavesFloatingPointAsItWas) {
  std::feclearexcept(FE_ALL_EXCEPT);
  run(1000);
  EXPECT_FALSE(std::fetestexcept(FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

INSTANTIATE_TEST_SUITE_P(
    All, ProductLoopTest, testing::ValuesIn(kProductInstructions),
    [](const testing::TestParamInfo<ProductInstruction> &info) {
      return std::string(toString(info.param));
    });

TEST(ProductInstructionTest, FmaIsThatOfTheLevel) {
  EXPECT_EQ(runProductLoop(ProductInstruction::fma, IsaLevel::x86_64, 7),
            runFmaLoop(IsaLevel::x86_64, 7));
}

TEST(ProductInstructionTest, TargetsHaveThoseOfTheirExtensions) {
  const Target plain = withExtensions({});
  const Target vectors = withExtensions(
      {Extension::avx512Bf16, Extension::avx512Fp16, Extension::avx512Vnni});
  const Target tiles = withExtensions({Extension::amxTile, Extension::amxBf16,
                                       Extension::amxFp16, Extension::amxInt8});
  for (ProductInstruction instruction : kProductInstructions) {
    const bool isFma = instruction == ProductInstruction::fma;
    const bool isPairs = instruction == ProductInstruction::vpmaddwd ||
                         instruction == ProductInstruction::vpmaddubsw;
    const bool ofVectors = instruction == ProductInstruction::vfmadd231ph ||
                           instruction == ProductInstruction::vdpbf16ps ||
                           instruction == ProductInstruction::vpdpbusd;
    EXPECT_EQ(hasInstruction(plain, instruction), isFma || isPairs);
    EXPECT_EQ(hasInstruction(vectors, instruction), isFma || ofVectors);
    EXPECT_EQ(hasInstruction(tiles, instruction), isFma || !ofVectors);
    EXPECT_EQ(hasInstruction({}, instruction),
              isFma || instruction == ProductInstruction::vpmaddwd);
  }
}

Target avx2WithQuads() {
  Target target;
  target.isa = IsaLevel::avx2;
  target.extensions = {Extension::avxVnni};
  return target;
}

TEST(ProductInstructionTest, QuadsOfAvx2NeedTheirExtension) {
  Target plain = avx2WithQuads();
  plain.extensions.clear();
  EXPECT_FALSE(hasInstruction(plain, ProductInstruction::vpdpbusd));
  EXPECT_TRUE(hasInstruction(avx2WithQuads(), ProductInstruction::vpdpbusd));
  EXPECT_EQ(bestInstruction(avx2WithQuads(), *DataTypes::parse("u8s8")),
            ProductInstruction::vpdpbusd);
}

TEST(ProductLoopOfAvx2, QuadsAreHalfAsMany) {
  // Only the instruction itself needs the CPU.
  if (!canRun(readHostFacts(), avx2WithQuads()))
    GTEST_SKIP() << "this CPU has no AVX-VNNI";
  // 12 chains of 32 bytes, two operations each.
  EXPECT_EQ(runProductLoop(ProductInstruction::vpdpbusd, IsaLevel::avx2, 5),
            5 * 12 * 32 * 2);
}

TEST(ProductLoopOfPairs, IsAsWideAsTheLevel) {
  const auto loop = [](IsaLevel isa) {
    return runProductLoop(ProductInstruction::vpmaddwd, isa, 5);
  };
  // Sums, words of each, and two operations for a word.
  EXPECT_EQ(loop(IsaLevel::x86_64), 5 * 12 * 8 * 2);
  if (host().isa >= IsaLevel::avx2)
    EXPECT_EQ(loop(IsaLevel::avx2), 5 * 12 * 16 * 2);
  if (host().isa >= IsaLevel::avx512)
    EXPECT_EQ(loop(IsaLevel::avx512), 5 * 24 * 32 * 2);
}

TEST(ProductLoopOfPairs, OfBytesTakesTwiceAsMany) {
  const auto loop = [](IsaLevel isa) {
    return runProductLoop(ProductInstruction::vpmaddubsw, isa, 5);
  };
  if (host().isa >= IsaLevel::avx2)
    EXPECT_EQ(loop(IsaLevel::avx2), 5 * 12 * 32 * 2);
  if (host().isa >= IsaLevel::avx512)
    EXPECT_EQ(loop(IsaLevel::avx512), 5 * 24 * 64 * 2);
}

TEST(ProductInstructionTest, EmulatedTilesAreNoInstruction) {
  const Target emulated = withExtensions(
      {Extension::amxTile, Extension::amxBf16, Extension::amxFp16,
       Extension::amxInt8, Extension::amxEmulation, Extension::avx512Bf16});
  EXPECT_FALSE(hasInstruction(emulated, ProductInstruction::tdpbf16ps));
  EXPECT_FALSE(hasInstruction(emulated, ProductInstruction::tdpfp16ps));
  EXPECT_FALSE(hasInstruction(emulated, ProductInstruction::tdpbusd));
  EXPECT_EQ(bestInstruction(emulated, *DataTypes::parse("bf16")),
            ProductInstruction::vdpbf16ps);
}

TEST(ProductInstructionTest, TypesFindTheBestOne) {
  const auto best = [](std::set<Extension> extensions, const char *types) {
    return bestInstruction(withExtensions(std::move(extensions)),
                           *DataTypes::parse(types));
  };
  const std::set<Extension> all = {
      Extension::amxTile,    Extension::amxBf16,    Extension::amxInt8,
      Extension::avx512Bf16, Extension::avx512Fp16, Extension::avx512Vnni};
  EXPECT_EQ(best(all, "f32"), ProductInstruction::fma);
  EXPECT_EQ(best({Extension::avx512Fp16}, "f16"), ProductInstruction::fma);
  EXPECT_EQ(best({Extension::avx512Fp16}, "f16,accumulate=f16"),
            ProductInstruction::vfmadd231ph);
  // Split into two bf16 each.
  for (const char *types : {"f16", "f16:f32,accumulate=f16"})
    EXPECT_EQ(best(all, types), ProductInstruction::tdpbf16ps) << types;
  for (const char *types : {"f16", "f16:f32,accumulate=f16"})
    EXPECT_EQ(
        best({Extension::amxTile, Extension::amxFp16, Extension::avx512Fp16},
             types),
        ProductInstruction::tdpfp16ps)
        << types;
  EXPECT_EQ(best(all, "bf16"), ProductInstruction::tdpbf16ps);
  EXPECT_EQ(best(all, "bf16:f32"), ProductInstruction::tdpbf16ps);
  EXPECT_EQ(best(all, "u8s8"), ProductInstruction::tdpbusd);
  EXPECT_EQ(best(all, "s8s8:bf16"), ProductInstruction::tdpbusd);
  const std::set<Extension> vectors = {Extension::avx512Bf16,
                                       Extension::avx512Vnni};
  EXPECT_EQ(best(vectors, "bf16"), ProductInstruction::vdpbf16ps);
  EXPECT_EQ(best(vectors, "u8s8"), ProductInstruction::vpdpbusd);
  for (const char *types : {"f32", "bf16", "f16"})
    EXPECT_EQ(best({}, types), ProductInstruction::fma) << types;
  for (const char *types : {"u8s8", "s8s8:s8"})
    EXPECT_EQ(best({}, types), ProductInstruction::vpmaddwd) << types;
  for (const char *types : {"u8s8,accumulate=s16", "s8s8:s8,accumulate=s16"}) {
    EXPECT_EQ(best({}, types), ProductInstruction::vpmaddubsw) << types;
    EXPECT_EQ(best(vectors, types), ProductInstruction::vpdpbusd) << types;
    EXPECT_EQ(bestInstruction({}, *DataTypes::parse(types)),
              ProductInstruction::vpmaddwd)
        << types;
  }
}

TEST(ProductInstructionTest, FourProductsOfHalvesAreOneOfF16) {
  const Target bf16 = withExtensions({Extension::amxTile, Extension::amxBf16});
  const Target both = withExtensions(
      {Extension::amxTile, Extension::amxBf16, Extension::amxFp16});
  EXPECT_EQ(partsOfProduct(bf16, *DataTypes::parse("f16")), 4);
  EXPECT_EQ(partsOfProduct(bf16, *DataTypes::parse("bf16")), 1);
  EXPECT_EQ(partsOfProduct(both, *DataTypes::parse("f16")), 1);
  EXPECT_EQ(partsOfProduct({}, *DataTypes::parse("f16")), 1);
}

} // namespace
