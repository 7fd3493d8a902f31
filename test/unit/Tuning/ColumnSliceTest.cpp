// Which columns a slice has, and kernels that run on one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Runtime/PlannedCalls.h"
#include "unit/Tuning/NaiveKernel.h"

#include "Tuning/ColumnSlice.h"
#include "Tuning/Workbench.h"

#include <atomic>
#include <cmath>
#include <gmock/gmock.h>

using namespace lintel;
using ::testing::HasSubstr;

namespace {

Schedule panels(int64_t nr, int64_t gridN = 1) {
  Schedule schedule;
  schedule.nr = nr;
  schedule.gridN = gridN;
  return schedule;
}

TEST(LastColumns, AreAllWhenMostAreWanted) {
  EXPECT_TRUE(lastColumns(panels(16), 1000, 1000).whole());
  EXPECT_TRUE(lastColumns(panels(16), 1000, 5000).whole());
  EXPECT_TRUE(lastColumns(panels(16), 1000, 700).whole());
  EXPECT_TRUE(lastColumns(panels(48), 20, 1).whole());
}

TEST(LastColumns, AreAboutAsManyAsWanted) {
  for (int64_t n : {1000, 4096, 12288, 32064})
    for (int64_t nr : {16, 48, 112, 128})
      for (int64_t gridN : {1, 2, 7})
        for (int64_t wanted : {1, 500, 900}) {
          const ColumnSlice slice = lastColumns(panels(nr, gridN), n, wanted);
          const int64_t columns = n - slice.firstColumn;
          EXPECT_EQ(slice.firstColumn % nr, 0);
          EXPECT_GE(columns, (gridN - 1) * nr + 1);
          EXPECT_LE(columns, 1.5 * wanted + 2 * gridN * nr);
          EXPECT_EQ(slice.gridN - slice.firstChunk, gridN);
        }
}

TEST(LastColumns, SpreadOverNoMoreChunksThanPanels) {
  const ColumnSlice slice = lastColumns(panels(48, 100), 480, 96);
  EXPECT_EQ(slice.gridN, 10);
  EXPECT_TRUE(slice.whole());
}

TEST(LastColumns, AreOfNoMoreChunksThanAKernelCanCount) {
  Schedule schedule = panels(1);
  schedule.gridM = 65536;
  const ColumnSlice slice = lastColumns(schedule, int64_t(1) << 30, 1);
  EXPECT_GT(slice.gridN, 1);
  EXPECT_LE(schedule.gridM * slice.gridN, INT32_MAX);
}

TEST(LastColumns, AreAllWhereThreadsShareK) {
  Schedule schedule = panels(16, 2);
  EXPECT_FALSE(lastColumns(schedule, 1000, 100).whole());
  schedule.gridK = 2;
  EXPECT_TRUE(lastColumns(schedule, 1000, 100).whole());
}

constexpr int64_t kColumns = 329, kDepth = 19, kPanel = 16;

/// Of `count` things dealt out to `parts`: where a part's begin.
int64_t share(int64_t count, int64_t parts, int64_t part) {
  return part * (count / parts) + std::min(part, count % parts);
}

/// Of a chunk, whole panels: the first column, or the end of the last.
int64_t firstColumn(int64_t chunk, int64_t chunks) {
  const int64_t panelCount = (kColumns + kPanel - 1) / kPanel;
  return std::min(kColumns, share(panelCount, chunks, chunk) * kPanel);
}

/// Computes a chunk after another as generated kernels do; sums of `w` as it is
/// packed, plus a bias and a scalar, times a residual.
void chunkedKernel(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  const auto *x = static_cast<const float *>(args->x);
  const auto *w = static_cast<const float *>(args->w);
  const KernelTensor &bias = args->operands[0], &residual = args->operands[1];
  // Fails unless every thread has a workspace of its own.
  auto *own = reinterpret_cast<int64_t *>(static_cast<char *>(args->workspace) +
                                          tid * args->workspaceStride);
  for (int64_t chunk = tid; chunk < args->gridM * args->gridN;
       chunk += nthreads) {
    const int64_t cm = chunk / args->gridN, cn = chunk % args->gridN;
    // What is packed is of the chunk's rows, or is packed now.
    if (args->sameRows == 0)
      own[1] = cm;
    const float stale = own[1] == cm ? 0 : NAN;
    for (int64_t row = share(args->m, args->gridM, cm);
         row < share(args->m, args->gridM, cm + 1); ++row)
      for (int64_t column = firstColumn(cn, args->gridN);
           column < firstColumn(cn + 1, args->gridN); ++column) {
        *own = column;
        const float *panel = w + column / kPanel * kPanel * kDepth;
        float sum = stale;
        for (int64_t k = 0; k < kDepth; ++k)
          sum += x[row * args->ldx + k] * panel[k * kPanel + column % kPanel];
        static_cast<float *>(
            args->outputs[0].data)[row * args->outputs[0].stride + column] =
            sum + static_cast<float *>(bias.data)[*own] +
            static_cast<float *>(residual.data)[row * residual.stride + column];
      }
  }
}

void doesNothing(const KernelArgs *, int32_t, int32_t) {}

/// The same for bf16, whose weight is packed in pairs along K, padded to a
/// cache line, and for a grid of one row of chunks.
void narrowKernel(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  const auto *x = static_cast<const BFloat16 *>(args->x);
  const auto *w = static_cast<const BFloat16 *>(args->w);
  const KernelTensor &bias = args->operands[0], &residual = args->operands[1];
  const int64_t pairs = 16;
  for (int64_t chunk = tid; chunk < args->gridN; chunk += nthreads) {
    for (int64_t row = 0; row < args->m; ++row)
      for (int64_t column = firstColumn(chunk, args->gridN);
           column < firstColumn(chunk + 1, args->gridN); ++column) {
        const BFloat16 *panel = w + column / kPanel * kPanel * pairs * 2;
        float sum = 0;
        for (int64_t k = 0; k < kDepth; ++k)
          sum += widen(x[row * args->ldx + k]) *
                 widen(panel[(k / 2 * kPanel + column % kPanel) * 2 + k % 2]);
        sum += widen(static_cast<BFloat16 *>(bias.data)[column]);
        sum += widen(static_cast<BFloat16 *>(
            residual.data)[row * residual.stride + column]);
        static_cast<BFloat16 *>(
            args->outputs[0].data)[row * args->outputs[0].stride + column] =
            narrowTo<BFloat16>(sum);
      }
  }
}

/// The same for u8 and s8 with zero points of both, whose weight is packed in
/// quads along K, padded to a cache line; it sums rows and columns itself, and
/// writes NaN where it was given other sums.
void integerKernel(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  const auto *x = static_cast<const uint8_t *>(args->x);
  const auto *w = static_cast<const int8_t *>(args->w);
  const auto scalar = [&](size_t operand) {
    return *static_cast<const float *>(args->operands[operand].data);
  };
  const auto zero = [&](size_t operand) {
    return *static_cast<const int32_t *>(args->operands[operand].data);
  };
  const auto *wScale = static_cast<const float *>(args->operands[2].data);
  for (int64_t chunk = tid; chunk < args->gridN; chunk += nthreads) {
    for (int64_t row = 0; row < args->m; ++row)
      for (int64_t column = firstColumn(chunk, args->gridN);
           column < firstColumn(chunk + 1, args->gridN); ++column) {
        const int8_t *panel = w + column / kPanel * kPanel * 64;
        int32_t sum = 0, ofRow = 0, ofColumn = 0;
        for (int64_t k = 0; k < kDepth; ++k) {
          const int32_t a = x[row * args->ldx + k];
          const int32_t b =
              panel[(k / 4 * kPanel + column % kPanel) * 4 + k % 4];
          sum += (a - zero(1)) * (b - zero(3));
          ofRow += a;
          ofColumn += b;
        }
        float &out = static_cast<float *>(
            args->outputs[0].data)[row * args->outputs[0].stride + column];
        out =
            ofRow == args->rowSums[row] && ofColumn == args->columnSums[column]
                ? float(sum) * (scalar(0) * wScale[column])
                : NAN;
      }
  }
}

class SlicedWorkbenchTest : public testing::Test {
protected:
  void prepare(std::string_view schedule, int threads, int64_t wanted,
               std::shared_ptr<Executor> executor = openMPExecutor()) {
    this->schedule = Schedule::parse(schedule).value();
    slice = lastColumns(this->schedule, kColumns, wanted);
    ASSERT_FALSE(slice.whole());
    WorkbenchOptions options;
    options.rows = 12;
    options.threads = threads;
    // Some more than the kernel computes.
    options.columns = kColumns - slice.firstColumn + 5;
    bench = std::move(Workbench::create(problemOf("12x19:19x329 bias+residual"),
                                        Target(), std::move(executor), options)
                          .value());
  }
  Schedule schedule;
  ColumnSlice slice;
  std::unique_ptr<Workbench> bench;
};

TEST_F(SlicedWorkbenchTest, RunsTheLastColumns) {
  for (const char *grid : {"1x1", "1x2", "3x2", "2x5", "2x5,deal=dynamic"})
    for (int threads : {1, 2, 3}) {
      prepare(std::string("tile=4x16,kc=7,grid=") + grid, threads, 100);
      const size_t kernel = *bench->add(schedule, chunkedKernel, slice);
      const Verdict verdict = bench->verify(kernel);
      EXPECT_TRUE(verdict.right()) << grid << " " << verdict.fault;
      EXPECT_GT(bench->firstTime(kernel), 0);
      EXPECT_GT(bench->time(kernel), 0);
    }
}

/// A right kernel of narrow types is right on the last columns and on all, and
/// one that does nothing is found out.
void judgesLastColumnsAndAll(const char *layer, const char *types,
                             const char *code, KernelFunction kernel) {
  const Problem problem =
      Problem::parse(layer, DataTypes::parse(types).value()).value();
  const Schedule schedule = Schedule::parse(code).value();
  const ColumnSlice slice = lastColumns(schedule, kColumns, 100);
  ASSERT_FALSE(slice.whole());
  WorkbenchOptions options;
  options.rows = 12;
  options.columns = kColumns - slice.firstColumn + 5;
  auto bench =
      Workbench::create(problem, Target(), openMPExecutor(), options).value();
  const size_t part = *bench->add(schedule, kernel, slice);
  EXPECT_TRUE(bench->verify(part).right()) << bench->verify(part).fault;
  EXPECT_GT(bench->time(part), 0);
  const size_t wrong = *bench->add(schedule, doesNothing, slice);
  EXPECT_THAT(bench->verify(wrong).fault, HasSubstr("not written"));

  options.columns.reset();
  auto whole =
      Workbench::create(problem, Target(), openMPExecutor(), options).value();
  const size_t all = *whole->add(schedule, kernel);
  EXPECT_TRUE(whole->verify(all).right()) << whole->verify(all).fault;
}

TEST(NarrowWorkbenchTest, RunsTheLastColumnsAndAll) {
  judgesLastColumnsAndAll("12x19:19x329 bias+residual", "bf16",
                          "tile=4x16,group=2,epilogue=tile,grid=1x2",
                          narrowKernel);
}

TEST(IntegerWorkbenchTest, RunsTheLastColumnsAndAll) {
  judgesLastColumnsAndAll("12x19:19x329 dequant(wzero=tensor)", "u8s8",
                          "tile=4x16,group=4,epilogue=tile,grid=1x2",
                          integerKernel);
}

TEST_F(SlicedWorkbenchTest, SharesAPackedWeightThatBeginsEarlier) {
  prepare("tile=4x16,kc=7", 1, 100);
  ColumnSlice narrower = lastColumns(schedule, kColumns, 50);
  ASSERT_GT(narrower.firstColumn, slice.firstColumn);
  bench->packWeights({{schedule.panel(), slice.firstColumn}});
  const size_t narrow = *bench->add(schedule, chunkedKernel, narrower);
  const size_t wide = *bench->add(schedule, chunkedKernel, slice);
  EXPECT_TRUE(bench->verify(narrow).right());
  EXPECT_TRUE(bench->verify(wide).right());
}

/// Chunks along N that the last call was told of.
std::atomic<int64_t> gridOfLastCall = 0;

void recordingKernel(const KernelArgs *args, int32_t tid, int32_t nthreads) {
  gridOfLastCall = args->gridN;
  chunkedKernel(args, tid, nthreads);
}

TEST_F(SlicedWorkbenchTest, TimesAPartOfASlice) {
  prepare("tile=4x16,kc=7,grid=1x2", 2, 100);
  const ColumnSlice part = lastColumns(schedule, kColumns, 1);
  ASSERT_GT(part.gridN, slice.gridN);
  const size_t kernel = *bench->add(schedule, recordingKernel, slice);
  EXPECT_TRUE(bench->verify(kernel).right());
  EXPECT_GT(bench->timeOnPart(kernel, part), 0);
  EXPECT_EQ(gridOfLastCall, part.gridN);
  EXPECT_GT(bench->time(kernel), 0);
  EXPECT_EQ(gridOfLastCall, slice.gridN);
  EXPECT_TRUE(bench->verify(kernel).right());
}

TEST_F(SlicedWorkbenchTest, FindsWrongKernels) {
  prepare("tile=4x16,kc=7", 1, 100);
  const size_t kernel = *bench->add(schedule, doesNothing, slice);
  EXPECT_THAT(bench->verify(kernel).fault, HasSubstr("not written"));
}

/// Its times would be too short, and kernels be blamed for what is missing.
TEST_F(SlicedWorkbenchTest, NamesAnExecutorThatDropsParts) {
  prepare("tile=4x16,kc=7,grid=2x5", 2, 100,
          std::make_shared<DroppingExecutor>(1, 2));
  const size_t kernel = *bench->add(schedule, chunkedKernel, slice);
  EXPECT_THAT(bench->verify(kernel).fault,
              HasSubstr("after 1 of 2 parts of a call"));
}

TEST_F(SlicedWorkbenchTest, RefusesColumnsThatItHasNoDataFor) {
  prepare("tile=4x16,kc=7", 1, 100);
  const auto added = bench->add(schedule, chunkedKernel);
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error().message(), HasSubstr("no data"));
}

} // namespace
