// Kernels on the workbench.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"

#include "Tuning/Workbench.h"

#include <atomic>
#include <gmock/gmock.h>

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

/// Right, except on three rows.
void wrongOnThreeRows(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  (args->m == 3 ? wrongKernel : naiveKernel)(args, tid, nthreads);
}

class WorkbenchTest : public testing::Test {
protected:
  std::unique_ptr<Workbench> bench(std::string_view problem, int64_t rows,
                                   int threads = 2) {
    Target target;
    WorkbenchOptions options;
    options.rows = rows;
    options.threads = threads;
    return std::move(Workbench::create(problemOf(problem), target,
                                       sequentialExecutor(), options)
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
  // 128 MiB leave L3 by themselves.
  EXPECT_FALSE(isCold("4x8192:8192x8192", 4, 4096));
}

TEST_F(WorkbenchTest, VerifiesEveryStripOfADynamicM) {
  auto bench = this->bench("?x19:19x37", 20);
  const size_t right = *bench->add(schedule, naiveKernel);
  const size_t wrong = *bench->add(schedule, wrongOnThreeRows);
  EXPECT_TRUE(bench->verifyStrips(right).right());
  EXPECT_TRUE(bench->verify(wrong).right());
  EXPECT_THAT(bench->verifyStrips(wrong).fault, HasSubstr("with 3 rows"));
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

} // namespace
