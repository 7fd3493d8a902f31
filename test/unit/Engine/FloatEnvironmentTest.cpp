// Hosts whose threads do not compute as compilers assume.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel/Engine.h"

#include "unit/Engine/LayerCheck.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

  static std::unique_ptr<Engine>
  engineOn(int threads, std::shared_ptr<Executor> executor = nullptr) {
    EngineOptions options;
    options.threads = threads;
    options.useCache = false;
    options.executor = std::move(executor);
    return Engine::create(options).value();
  }

  static Linear layerOn(Engine &engine, std::string_view grid) {
    CompileOptions pinned;
    pinned.schedule = "tile=2x16,epilogue=tile,grid=" + std::string(grid);
    return engine.compile(*Problem::parse("8x64:64x64 silu"), pinned).value();
  }

  /// Layers of which a kernel is wrong, by the oracle, that rounds otherwise.
  static void expectRightLayers() {
    const std::unique_ptr<Engine> engine = engineOn(1);
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

/// Runs parts on the calling thread, which rounds upward then and traps what is
/// invalid or too large, where that is asked for.
class OddThreads final : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    const unsigned before = _mm_getcsr();
    constexpr unsigned kOdd =
        _MM_ROUND_UP | (_MM_MASK_MASK & ~(_MM_MASK_INVALID | _MM_MASK_DIV_ZERO |
                                          _MM_MASK_OVERFLOW));
    for (int32_t tid = 0; tid < maxThreads; ++tid) {
      _mm_setcsr(areOdd ? kOdd : before);
      body(context, tid, maxThreads);
      if (areOdd)
        EXPECT_EQ(_mm_getcsr() & ~_MM_EXCEPT_MASK, kOdd);
    }
    _mm_setcsr(before);
  }

  bool areOdd = false;
};

/// In shares, in chunks that are dealt out, and with a second phase. The
/// products overflow, and the exponential of what does.
TEST_F(FloatEnvironmentTest, ThreadsComputeAsOthersWhateverTheyRoundToAndTrap) {
  const auto threads = std::make_shared<OddThreads>();
  const std::unique_ptr<Engine> engine = engineOn(2, threads);
  for (const char *grid : {"2x1", "4x2,deal=dynamic", "1x1x2"}) {
    Linear layer = layerOn(*engine, grid);
    LayerData data(layer.problem(), 8);
    giveWeight(layer, data);
    data.x[0] = 3e38f;
    data.x[65] = -3e38f;
    const TensorRef output{data.out.data(), 64};
    const auto outputs = [&] {
      EXPECT_TRUE(layer.run({data.x.data(), 64}, 8, {}, std::span(&output, 1)));
      return data.out;
    };
    const std::vector<float> usual = outputs();
    threads->areOdd = true;
    const std::vector<float> odd = outputs();
    threads->areOdd = false;
    EXPECT_EQ(std::memcmp(odd.data(), usual.data(), odd.size() * sizeof(float)),
              0)
        << grid;
  }
}

/// In one phase, and with the epilogue in a second one.
TEST_F(FloatEnvironmentTest, CallsRoundToNearestWhateverTheCallerRoundsTo) {
  const std::unique_ptr<Engine> engine = engineOn(1);
  for (const char *grid : {"1x1", "1x1x2"}) {
    Linear layer = layerOn(*engine, grid);
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
