// Kernels on the workbench.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"

#include "Tuning/Workbench.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <gmock/gmock.h>
#include <thread>

using namespace lintel;
using ::testing::HasSubstr;

namespace {

constexpr int64_t kColumns = 37, kDepth = 19, kPanel = 16;
std::atomic<int> calls;

/// No epilogue, panels of 16 columns, strips of any size.
void naiveKernel(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  if (tid == 0)
    ++calls;
  const auto *x = static_cast<const float *>(args->x);
  const auto *w = static_cast<const float *>(args->w);
  for (int64_t row = tid; row < args->m; row += nthreads)
    for (int64_t column = 0; column < kColumns; ++column) {
      const float *panel = w + column / kPanel * kPanel * kDepth;
      float sum = 0;
      for (int64_t k = 0; k < kDepth; ++k)
        sum += x[row * args->ldx + k] * panel[k * kPanel + column % kPanel];
      static_cast<float *>(
          args->outputs[0].data)[row * args->outputs[0].stride + column] = sum;
    }
}

void wrongKernel(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  naiveKernel(args, tid, nthreads);
  if (tid == 0)
    static_cast<float *>(args->outputs[0].data)[5] += 1;
}

/// Held up in its first two calls, by more than any sample should take.
void slowAtFirst(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  if (tid == 0 && calls < 2)
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  naiveKernel(args, tid, nthreads);
}

/// Right, except on three rows.
void wrongOnThreeRows(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  (args->m == 3 ? wrongKernel : naiveKernel)(args, tid, nthreads);
}

constexpr int64_t kWide = 200'000, kAllRows = 8;
int64_t spoiledColumn;

/// Of K = 1; right, but for one element of the third row where there are all.
void wrongOnAllRows(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  const auto *x = static_cast<const float *>(args->x);
  const auto *w = static_cast<const float *>(args->w);
  const KernelTensor &y = args->outputs[0];
  auto *rows = static_cast<float *>(y.data);
  for (int64_t row = tid; row < args->m; row += nthreads)
    for (int64_t column = 0; column < kWide; ++column)
      rows[row * y.stride + column] = x[row * args->ldx] * w[column];
  if (args->m == kAllRows && tid == nthreads - 1)
    rows[2 * y.stride + spoiledColumn] += 1;
}

/// Its first regions take long, as those of threads that share a CPU do.
class DrowsyExecutor final : public Executor {
public:
  explicit DrowsyExecutor(int slowRegions) : slowRegions(slowRegions) {}
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    if (slowRegions > 0) {
      --slowRegions;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    sequentialExecutor()->run(maxThreads, body, context);
  }
  int slowRegions;
};

class WorkbenchTest : public testing::Test {
protected:
  std::unique_ptr<Workbench>
  bench(std::string_view problem, int64_t rows,
        std::shared_ptr<Executor> executor = sequentialExecutor()) {
    Target target;
    WorkbenchOptions options;
    options.rows = rows;
    options.threads = 2;
    return std::move(Workbench::create(problemOf(problem), target,
                                       std::move(executor), options)
                         .value());
  }
  const Schedule schedule = Schedule::parse("tile=4x16,grid=2x1").value();
};

TEST_F(WorkbenchTest, VerifiesKernelsThroughTheRealCall) {
  auto bench = this->bench("12x19:19x37", 12);
  const size_t right = *bench->add(schedule, naiveKernel);
  const size_t wrong = *bench->add(schedule, wrongKernel);
  EXPECT_NE(right, wrong);
  EXPECT_TRUE(bench->verify(right).right()) << bench->verify(right).fault;
  EXPECT_THAT(bench->verify(wrong).fault, HasSubstr("column 5"));
  EXPECT_TRUE(bench->verify(right).right());
}

TEST_F(WorkbenchTest, PacksWeightsAhead) {
  auto bench = this->bench("12x19:19x37", 12);
  bench->packWeights({{{16, 1}, 0}, {{32, 1}, 0}, {{48, 1}, 0}});
  bench->packWeights({{PanelShape{16, 1}, 0}});
  EXPECT_TRUE(bench->verify(*bench->add(schedule, naiveKernel)).right());
}

TEST(ColdWeight, IsOneThatNoCacheKeepsOnTheWhole) {
  Target target = hostTarget();
  target.cpu = "znver4";
  target.l1 = 48 << 10;
  target.l3 = 32 << 20;
  const auto isCold = [&](const char *shape, int64_t rows, int64_t columns) {
    return findsColdWeight(problemOf(shape), rows, columns, target);
  };
  // Few rows come to another layer next: only L1 may keep something.
  EXPECT_TRUE(isCold("4x1024:1024x1024", 4, 1024));
  EXPECT_FALSE(isCold("4x64:64x128", 4, 128));
  // Of more rows 4 MiB stay in L3, and 16 do not: a part of them would.
  EXPECT_FALSE(isCold("64x1024:1024x1024", 64, 256));
  EXPECT_TRUE(isCold("64x2048:2048x2048", 64, 512));
  EXPECT_FALSE(isCold("64x2048:2048x2048", 64, 2048));
  // 256 MiB leave L3 by themselves; of parts some are larger than others.
  EXPECT_FALSE(isCold("4x8192:8192x8192", 4, 8192));
  EXPECT_TRUE(isCold("4x8192:8192x8192", 4, 4096));
  EXPECT_TRUE(isCold("64x8192:8192x8192", 64, 4096));
  EXPECT_FALSE(isCold("4x8192:8192x8192", 4, 4097));
  // Where other tenants have more of L3, 4 MiB do not stay.
  target.isa = IsaLevel::avx2;
  target.cpu = "znver3";
  EXPECT_TRUE(isCold("64x1024:1024x1024", 64, 256));
}

TEST_F(WorkbenchTest, VerifiesEveryStripOfADynamicM) {
  auto bench = this->bench("?x19:19x37", 20);
  const size_t right = *bench->add(schedule, naiveKernel);
  const size_t wrong = *bench->add(schedule, wrongOnThreeRows);
  EXPECT_TRUE(bench->verifyStrips(right).right());
  EXPECT_TRUE(bench->verify(wrong).right());
  EXPECT_THAT(bench->verifyStrips(wrong).fault, HasSubstr("with 3 rows"));
}

/// As wide as this, the oracle sees some of the third row.
TEST_F(WorkbenchTest, StripsRefuteARunOfAllRows) {
  auto bench = this->bench("?x1:1x200000", kAllRows);
  const size_t kernel = *bench->add(schedule, wrongOnAllRows);
  spoiledColumn = 1000;
  while (!bench->verify(kernel).right() && spoiledColumn < 1200)
    ++spoiledColumn;
  ASSERT_LT(spoiledColumn, 1200) << "all of them are seen";
  EXPECT_THAT(bench->verifyStrips(kernel).fault,
              HasSubstr("is right where a run of more rows was wrong"));
}

TEST_F(WorkbenchTest, RunsASliceOfTheProblem) {
  auto bench = this->bench("1000x19:19x37", 12);
  EXPECT_TRUE(bench->verify(*bench->add(schedule, naiveKernel)).right());
}

TEST_F(WorkbenchTest, RepeatsShortCallsInOneSample) {
  auto bench = this->bench("12x19:19x37", 12);
  const size_t kernel = *bench->add(schedule, naiveKernel);
  calls = 0;
  const double microseconds = bench->time(kernel);
  EXPECT_GT(microseconds, 0);
  EXPECT_LT(microseconds, 10000);
  EXPECT_GT(calls, 2);
}

TEST_F(WorkbenchTest, WaitsUntilAllThreadsAreAwake) {
  auto drowsy = std::make_shared<DrowsyExecutor>(8);
  auto bench = this->bench("2x19:19x37", 2, drowsy);
  const size_t kernel = *bench->add(schedule, naiveKernel);
  // The system may hold one up as well.
  const double first = bench->time(kernel);
  EXPECT_EQ(drowsy->slowRegions, 0);
  EXPECT_LT(std::min({first, bench->time(kernel), bench->time(kernel)}), 1000);
}

TEST_F(WorkbenchTest, WaitsNoLongerForThreadsThatNeverAre) {
  auto drowsy = std::make_shared<DrowsyExecutor>(1000);
  auto bench = this->bench("2x19:19x37", 2, drowsy);
  EXPECT_GT(bench->time(*bench->add(schedule, naiveKernel)), 0);
  // Of 5 ms each.
  EXPECT_GT(drowsy->slowRegions, 1000 - 60);
}

TEST_F(WorkbenchTest, RepeatsCallsThatWereHeldUpAtFirst) {
  auto bench = this->bench("2x19:19x37", 2);
  const size_t kernel = *bench->add(schedule, slowAtFirst);
  calls = 0;
  (void)bench->time(kernel);
  calls = 2;
  (void)bench->time(kernel);
  // More than one to warm up and one to time.
  EXPECT_GT(calls, 2 + 2);
}

TEST_F(WorkbenchTest, RepeatsCallsOfAKernelThatWasHeldUpWhenItWasVerified) {
  auto bench = this->bench("2x19:19x37", 2);
  const size_t quick = *bench->add(schedule, naiveKernel);
  const size_t heldUp = *bench->add(schedule, slowAtFirst);
  EXPECT_TRUE(bench->verify(quick).right());
  calls = 0;
  EXPECT_TRUE(bench->verify(heldUp).right());
  EXPECT_GT(bench->firstTime(heldUp), 1000);
  calls = 2;
  (void)bench->time(heldUp);
  calls = 2;
  (void)bench->time(heldUp);
  EXPECT_GT(calls, 2 + 2);
}

} // namespace
