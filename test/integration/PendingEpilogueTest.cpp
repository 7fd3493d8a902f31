// What kernels that finish a tile in the next one touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelTest.h"

#include "Runtime/AlignedBuffer.h"
#include "Runtime/KernelCall.h"
#include "Runtime/PackedWeight.h"
#include "Schedule/Workspace.h"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

using namespace lintel;
using namespace lintel::integration;

namespace {

/// A page of 16-bit elements behind pages that must not be touched.
class GuardedPage {
public:
  GuardedPage() {
    memory = mmap(nullptr, 4 * bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    EXPECT_EQ(mprotect(memory, 3 * bytes, PROT_NONE), 0);
  }
  ~GuardedPage() { munmap(memory, 4 * bytes); }
  GuardedPage(const GuardedPage &) = delete;
  GuardedPage &operator=(const GuardedPage &) = delete;

  uint16_t *begin() const {
    return reinterpret_cast<uint16_t *>(static_cast<char *>(memory) +
                                        3 * bytes);
  }
  int64_t size() const { return int64_t(bytes / sizeof(uint16_t)); }

private:
  size_t bytes = size_t(sysconf(_SC_PAGESIZE));
  void *memory;
};

class PendingEpilogueTest : public KernelChecks, public testing::Test {
protected:
  void SetUp() override {
    if (!chooseLevel(IsaLevel::avx512,
                     {Extension::amxTile, Extension::amxBf16}))
      GTEST_SKIP() << "this machine cannot run bf16 on tile registers";
    types = *DataTypes::parse("bf16");
    epilogue = epilogueNamed("bias", types);
  }
};

/// As a race on a slice of the columns does, which has no bias of the others:
/// not even where nothing is pending.
TEST_F(PendingEpilogueTest, ReadsNoOperandOfOtherColumns) {
  constexpr int64_t m = 70, k = 96;
  constexpr uint16_t one = 0x3f80;
  GuardedPage bias;
  const int64_t half = bias.size(), n = 2 * half;
  std::fill_n(bias.begin(), half, one);
  const Workload workload(problem(m, n, k), m, Fill::exact, 90);
  GuardedCall known(workload, m, {});
  const KernelTensor operand = {bias.begin() - half, 0};
  for (const char *text :
       {"tile=32x32,kc=32", "tile=32x32,kc=32,tiles=nm", "tile=16x64,mc=32",
        "tile=16x64,tiles=nm", "tile=32x32,mc=32,nc=32"}) {
    const Schedule schedule = *Schedule::parse(
        std::string("unit=amx,group=2,pack=block,epilogue=next,"
                    "grid=1x2,") +
        text);
    const std::shared_ptr<const Kernel> kernel = kernelOf(known, schedule);
    ASSERT_TRUE(kernel) << text;
    const KernelPlan plan = makePlan(
        kernel->function(), schedule, workload.problem(), /*threads=*/2,
        workspaceBytesPerThread(schedule, workload.problem(), target, m));
    const PackedLayout panels =
        PackedLayout::of(workload.problem(), schedule.panel());
    AlignedBuffer weight = *AlignedBuffer::allocate(size_t(panels.bytes()));
    AlignedBuffer workspace =
        *AlignedBuffer::allocate(size_t(2 * plan.workspaceBytes));
    std::fill_n(static_cast<char *>(weight.data()), weight.size(), 0);
    std::vector<uint16_t> x(size_t(m * k), one), y(size_t(m * n), 0);
    KernelTensor output = {y.data(), n};
    KernelArgs args = plan.blocking;
    args.x = x.data();
    args.ldx = k;
    args.m = m;
    args.w = weight.data();
    args.workspace = workspace.data();
    args.workspaceStride = plan.workspaceBytes;
    args.outputs = &output;
    args.operands = &operand;
    plan.function(&args, /*tid=*/1, /*nthreads=*/2);
    for (int64_t row = 0; row < m; ++row)
      for (int64_t column = 0; column < n; ++column)
        ASSERT_EQ(y[size_t(row * n + column)], column < half ? 0 : one)
            << text << " [" << row << ", " << column << "]";
  }
}

} // namespace
