// Hosts whose threads do not compute as compilers assume.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel/Engine.h"

#include "unit/Engine/LayerCheck.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <memory>
#include <span>
#include <string>
#include <vector>
#include <xmmintrin.h>

namespace lintel {
namespace {

constexpr unsigned kDenormalsAreZero = 0x8040; ///< FTZ and DAZ

/// The environment of a test is back at its end.
class FloatEnvironmentTest : public testing::Test {
protected:
  FloatEnvironmentTest() : csr(_mm_getcsr()) { std::fegetenv(&before); }
  ~FloatEnvironmentTest() override {
    std::fesetenv(&before);
    _mm_setcsr(csr);
  }

  /// Layers of which a kernel is wrong, by the oracle, that rounds otherwise.
  static void expectRightLayers() {
    EngineOptions options;
    options.threads = 1;
    options.useCache = false;
    const std::unique_ptr<Engine> engine = Engine::create(options).value();
    CompileOptions quick;
    quick.budgetMilliseconds = 1;
    for (const char *types : {"u8s8:u8", "f16"}) {
      const Problem problem =
          *Problem::parse("8x64:64x64 tanh+sigmoid", *DataTypes::parse(types));
      const Expected<Linear> layer = engine->compile(problem, quick);
      EXPECT_TRUE(layer) << types << ": " << layer.error().message();
    }
    EXPECT_TRUE(engine->measurePeak());
  }

private:
  unsigned csr;
  std::fenv_t before;
};

TEST_F(FloatEnvironmentTest, LayersAreRightWhateverTheCallerRoundsTo) {
  for (const int rounding : {FE_UPWARD, FE_TOWARDZERO}) {
    std::fesetround(rounding);
    expectRightLayers();
    EXPECT_EQ(std::fegetround(), rounding);
  }
}

TEST_F(FloatEnvironmentTest, NothingTrapsWhateverTheCallerUnmasked) {
  constexpr int kTraps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;
  std::feclearexcept(FE_ALL_EXCEPT);
  ASSERT_NE(feenableexcept(kTraps), -1);
  expectRightLayers();
  EXPECT_EQ(fegetexcept(), kTraps);
}

TEST_F(FloatEnvironmentTest, DenormalsOfTheCallerStayAsTheyAre) {
  _mm_setcsr(_mm_getcsr() | kDenormalsAreZero);
  expectRightLayers();
  EXPECT_EQ(_mm_getcsr() & kDenormalsAreZero, kDenormalsAreZero);
}

/// In one phase, and with the epilogue in a second one.
TEST_F(FloatEnvironmentTest, CallsRoundToNearestWhateverTheCallerRoundsTo) {
  EngineOptions options;
  options.threads = 1;
  options.useCache = false;
  const std::unique_ptr<Engine> engine = Engine::create(options).value();
  for (const char *grid : {"1x1", "1x1x2"}) {
    CompileOptions pinned;
    pinned.schedule = std::string("tile=2x16,epilogue=tile,grid=") + grid;
    Linear layer =
        engine->compile(*Problem::parse("8x64:64x64 silu"), pinned).value();
    LayerData data(layer.problem(), 8);
    giveWeight(layer, data);
    expectRightRun(layer, data);
    const std::vector<float> toNearest = data.out;
    const TensorRef output{data.out.data(), 64};
    std::fesetround(FE_UPWARD);
    const Status status =
        layer.run({data.x.data(), 64}, 8, {}, std::span(&output, 1));
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    std::fesetround(FE_TONEAREST);
    ASSERT_TRUE(status) << status.error().message();
    EXPECT_EQ(data.out, toNearest) << grid;
  }
}

} // namespace
} // namespace lintel
