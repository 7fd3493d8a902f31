// The harness finds what a wrong kernel does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GuardedCall.h"
#include "CrashReport.h"
#include "Layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace lintel;
using namespace lintel::integration;
using testing::HasSubstr;

namespace {

constexpr int64_t kRows = 3, kColumns = 6, kDepth = 5, kPanel = 16;

float *floats(void *data) { return static_cast<float *>(data); }
const float *xOf(const KernelArgs *args) {
  return static_cast<const float *>(args->x);
}

/// x times w plus bias, in part 0.
void honest(const KernelArgs *args, int32_t tid, int32_t) {
  if (tid != 0)
    return;
  const float *w = static_cast<const float *>(args->w);
  for (int64_t m = 0; m < args->m; ++m)
    for (int64_t n = 0; n < kColumns; ++n) {
      float sum = 0;
      for (int64_t k = 0; k < kDepth; ++k)
        sum += xOf(args)[m * args->ldx + k] * w[k * kPanel + n];
      floats(args->outputs[0].data)[m * args->outputs[0].stride + n] =
          sum + floats(args->operands[0].data)[n];
    }
}

class HandmadeKernel final : public Kernel {
public:
  explicit HandmadeKernel(KernelFunction function) { entry = function; }
};

class GuardedCallTest : public testing::Test {
protected:
  GuardedCallTest()
      : workload(layer(kRows, kColumns, kDepth, epilogueNamed("bias")), kRows,
                 Fill::exact, 1) {
    schedule.nr = kPanel;
  }

  /// What the harness says of a kernel.
  std::string faultOf(KernelFunction function, const Layout &layout = {},
                      const Team &team = {}) {
    GuardedCall call(workload, kRows, layout);
    CrashReport crash("the call under test");
    Status status =
        call.run(HandmadeKernel(function), schedule, Target(), team);
    return status ? call.fault() : status.error().message();
  }

  Workload workload;
  Schedule schedule;
};

constexpr Layout kApart = {.rows = Layout::Rows::apart};

TEST_F(GuardedCallTest, ARightKernelHasNoFault) {
  for (Layout::Rows rows :
       {Layout::Rows::dense, Layout::Rows::apart, Layout::Rows::powerOfTwo})
    for (int64_t offset : {0, 1})
      for (auto fit : {GuardedBuffer::Fit::begin, GuardedBuffer::Fit::end})
        EXPECT_EQ(faultOf(honest, {rows, offset, fit}, {.parts = 3}), "");
}

TEST_F(GuardedCallTest, AnElementNotWritten) {
  auto kernel = [](const KernelArgs *args, int32_t tid, int32_t parts) {
    float *element =
        floats(args->outputs[0].data) + 2 * args->outputs[0].stride + 5;
    const float before = *element;
    honest(args, tid, parts);
    *element = before;
  };
  EXPECT_THAT(faultOf(kernel), HasSubstr("[2, 5] is not written"));
}

TEST_F(GuardedCallTest, AMissingProduct) {
  auto kernel = [](const KernelArgs *args, int32_t tid, int32_t parts) {
    honest(args, tid, parts);
    const float *w = static_cast<const float *>(args->w);
    floats(args->outputs[0].data)[0] -= xOf(args)[0] * w[0];
  };
  EXPECT_THAT(faultOf(kernel), HasSubstr("[0, 0] is "));
}

TEST_F(GuardedCallTest, APartLeftOut) {
  auto kernel = [](const KernelArgs *args, int32_t tid, int32_t parts) {
    if (parts == 1)
      honest(args, tid, parts);
  };
  EXPECT_EQ(faultOf(kernel), "");
  EXPECT_THAT(faultOf(kernel, {}, {.parts = 2}), HasSubstr("not written"));
}

TEST_F(GuardedCallTest, GarbageBetweenTheRowsOfX) {
  auto kernel = [](const KernelArgs *args, int32_t tid, int32_t parts) {
    honest(args, tid, parts);
    for (int64_t m = 0; m + 1 < args->m; ++m)
      floats(args->outputs[0].data)[0] += 0 * xOf(args)[m * args->ldx + kDepth];
  };
  EXPECT_THAT(faultOf(kernel, kApart), HasSubstr("nan; it must be 0.4375"));
}

TEST_F(GuardedCallTest, WorkspaceThatWasNeverWritten) {
  auto kernel = [](const KernelArgs *args, int32_t tid, int32_t parts) {
    honest(args, tid, parts);
    floats(args->outputs[0].data)[0] += floats(args->workspace)[0];
  };
  EXPECT_THAT(faultOf(kernel), HasSubstr("[0, 0] is "));
}

TEST_F(GuardedCallTest, AStoreBetweenRows) {
  auto kernel = [](const KernelArgs *args, int32_t tid, int32_t parts) {
    honest(args, tid, parts);
    floats(args->outputs[0].data)[kColumns] = 0;
  };
  EXPECT_THAT(faultOf(kernel, kApart), HasSubstr("beside its rows"));
}

TEST_F(GuardedCallTest, AStoreBeforeTheFirstElement) {
  auto kernel = [](const KernelArgs *args, int32_t tid, int32_t parts) {
    honest(args, tid, parts);
    floats(args->outputs[0].data)[-1] = 0;
  };
  EXPECT_THAT(faultOf(kernel), HasSubstr("beside its rows"));
  EXPECT_THAT(faultOf(kernel, {.offset = 1}), HasSubstr("beside its rows"));
}

TEST_F(GuardedCallTest, ChangedFloatingPointModes) {
  auto kernel = [](const KernelArgs *args, int32_t tid, int32_t parts) {
    honest(args, tid, parts);
    constexpr unsigned kFlushToZero = 0x8000;
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | kFlushToZero);
  };
  const unsigned before = __builtin_ia32_stmxcsr();
  EXPECT_THAT(faultOf(kernel), HasSubstr("MXCSR"));
  __builtin_ia32_ldmxcsr(before);
}

TEST_F(GuardedCallTest, AnAliasedOperandIsReadBeforeItIsOverwritten) {
  const Workload residual(
      layer(kRows, kColumns, kDepth, epilogueNamed("residual")), kRows,
      Fill::exact, 1);
  auto adding = [](const KernelArgs *args, int32_t, int32_t) {
    const float *w = static_cast<const float *>(args->w);
    const KernelTensor &out = args->outputs[0], &in = args->operands[0];
    for (int64_t m = 0; m < args->m; ++m)
      for (int64_t n = 0; n < kColumns; ++n) {
        float sum = 0;
        for (int64_t k = 0; k < kDepth; ++k)
          sum += xOf(args)[m * args->ldx + k] * w[k * kPanel + n];
        floats(out.data)[m * out.stride + n] =
            sum + floats(in.data)[m * in.stride + n];
      }
  };
  GuardedCall call(residual, kRows, kApart, Alias{0, 0});
  for (int run = 0; run < 2; ++run) {
    EXPECT_TRUE(call.run(HandmadeKernel(adding), schedule, Target(), Team()));
    EXPECT_EQ(call.fault(), "");
  }
}

TEST_F(GuardedCallTest, AStoreBesideTheWorkspace) {
  auto kernel = [](const KernelArgs *args, int32_t tid, int32_t parts) {
    honest(args, tid, parts);
    // One row of 16 sums is what the schedule asks for.
    floats(args->workspace)[kPanel] = 0;
  };
  EXPECT_THAT(faultOf(kernel, {.fit = GuardedBuffer::Fit::begin}),
              HasSubstr("beside the workspace"));
}

using GuardedCallDeathTest = GuardedCallTest;

TEST_F(GuardedCallDeathTest, ALoadBeyondTheEndSaysWhichCall) {
  auto kernel = [](const KernelArgs *args, int32_t tid, int32_t parts) {
    honest(args, tid, parts);
    const volatile float *beyond =
        xOf(args) + (args->m - 1) * args->ldx + kDepth;
    floats(args->outputs[0].data)[0] += 0 * *beyond;
  };
  EXPECT_DEATH(faultOf(kernel), "the process died in: the call under test");
}

TEST_F(GuardedCallDeathTest, ALoadBeforeTheBegin) {
  auto kernel = [](const KernelArgs *args, int32_t tid, int32_t parts) {
    honest(args, tid, parts);
    const volatile float *before = xOf(args) - 1;
    floats(args->outputs[0].data)[0] += 0 * *before;
  };
  EXPECT_DEATH(faultOf(kernel, {.fit = GuardedBuffer::Fit::begin}),
               "the process died in");
}

TEST_F(GuardedCallDeathTest, AWorkspaceLargerThanAskedFor) {
  auto kernel = [](const KernelArgs *args, int32_t tid, int32_t parts) {
    honest(args, tid, parts);
    floats(args->workspace)[kPanel] = 0;
  };
  EXPECT_DEATH(faultOf(kernel), "the process died in");
}

} // namespace
