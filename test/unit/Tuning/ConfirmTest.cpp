// Kernels that are right on the slice of a race and wrong on all rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/TunerFixture.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <mutex>
#include <utility>

using namespace lintel;
using ::testing::HasSubstr;

namespace {

/// A problem that is raced on fewer rows than kRightRows, some 30 000, and
/// confirmed on more, where L3 has over 6 MiB.
constexpr const char *kTall = "400000x64:64x64";
constexpr int64_t kLastColumn = 63;
constexpr int64_t kRightRows = 60'000;
constexpr size_t kMostSpoiled = 32;

/// The kernels behind the spoiled ones: a kernel is a plain function, and has
/// nowhere else to keep them.
std::array<std::shared_ptr<const Kernel>, kMostSpoiled> originals;

/// Whether a kernel was called on many rows.
std::atomic<bool> sawManyRows;

/// Computes as the original does, and spoils the last element where there are
/// many rows: that of the last chunk, so that no other thread writes it.
template <size_t i>
void spoiled(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  originals[i]->function()(args, tid, nthreads);
  if (args->m > kRightRows)
    sawManyRows = true;
  if (args->m > kRightRows && tid == nthreads - 1)
    static_cast<float *>(
        args->outputs[0]
            .data)[(args->m - 1) * args->outputs[0].stride + kLastColumn] +=
        1e6;
}

template <size_t... i>
constexpr std::array<KernelFunction, sizeof...(i)>
spoiledFunctions(std::index_sequence<i...>) {
  return {spoiled<i>...};
}

constexpr std::array<KernelFunction, kMostSpoiled> kSpoiled =
    spoiledFunctions(std::make_index_sequence<kMostSpoiled>());

class SpoiledKernel : public Kernel {
public:
  explicit SpoiledKernel(size_t i) { entry = kSpoiled[i]; }
};

bool isSpoiled(const Kernel &kernel) {
  return std::find(kSpoiled.begin(), kSpoiled.end(), kernel.function()) !=
         kSpoiled.end();
}

/// Spoils the first `count` kernels.
class SpoilingLoader : public Loader {
public:
  explicit SpoilingLoader(size_t count) : count(count) {}
  Expected<std::shared_ptr<const Kernel>>
  load(std::span<const std::byte> object, std::string_view symbol) override {
    auto kernel = real->load(object, symbol);
    const std::lock_guard lock(mutex);
    if (!kernel || loaded == count)
      return kernel;
    originals[loaded] = *kernel;
    return std::shared_ptr<const Kernel>(
        std::make_shared<SpoiledKernel>(loaded++));
  }

private:
  std::shared_ptr<Loader> real = Loader::create().value();
  std::mutex mutex;
  size_t count, loaded = 0;
};

/// Runs parts on the calling thread, and none after the first that was of many
/// rows.
class TiringExecutor : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    for (int32_t part = 0; part < maxThreads && !sawManyRows; ++part)
      body(context, part, maxThreads);
  }
};

class ConfirmTest : public TunerTest {
protected:
  void SetUp() override { sawManyRows = false; }
  void TearDown() override { originals.fill(nullptr); }
};

TEST_F(ConfirmTest, NothingWinsThatIsWrongOnAllRows) {
  Expected<TuningResult> result =
      tunerWith(std::make_shared<SpoilingLoader>(kMostSpoiled))
          ->tune(problemOf(kTall), quick());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::wrongResult);
  EXPECT_THAT(result.error().message(), HasSubstr("column 63 is"));
}

/// It is right wherever it could run, and wrong nowhere.
TEST_F(ConfirmTest, TheWinnerOfTheSliceStaysWhereNothingRunsOnAllRows) {
  const auto tuner =
      std::move(Tuner::create(hostTarget(),
                              std::make_shared<SpoilingLoader>(kMostSpoiled),
                              std::make_shared<TiringExecutor>())
                    .value());
  Expected<TuningResult> result = tuner->tune(problemOf(kTall), quick());
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_TRUE(sawManyRows);
  EXPECT_GT(result->winner().medianMicroseconds, 0);
}

TEST_F(ConfirmTest, AnotherWinsWhereTheBestAreWrongOnAllRows) {
  TuningOptions options = quick();
  options.maxObjects = 4;
  options.maxCandidates = 12;
  Expected<TuningResult> result = tunerWith(std::make_shared<SpoilingLoader>(3))
                                      ->tune(problemOf(kTall), options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_FALSE(isSpoiled(*result->winnerKernel));
  EXPECT_LE(result->maxError, 1);
}

} // namespace
