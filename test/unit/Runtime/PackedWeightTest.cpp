// Packing against the definition of the layout, with guarded sources.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/PackedWeight.h"

#include "support/GuardedBuffer.h"
#include "unit/Runtime/PlannedCalls.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

using namespace lintel;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// What [ceil(n / panel)][ceil(k / group)][panel][group] holds for a column of
/// a panel at depth k, by definition.
float expectedElement(const PackedLayout &layout, const float *w, int64_t ldw,
                      int64_t panel, int64_t k, int64_t column) {
  int64_t row = panel * layout.panel + column;
  return row < layout.n && k < layout.k ? w[row * ldw + k] : 0.0f;
}

/// Packs rows of unlike values, gaps between rows poisoned, and compares bits.
void checkPacking(const PackedLayout &layout, int64_t ldw,
                  GuardedBuffer::Fit fit) {
  size_t size = layout.n == 0 ? 0 : size_t((layout.n - 1) * ldw + layout.k);
  GuardedBuffer w(size, fit);
  for (int64_t row = 0; row < layout.n; ++row)
    for (int64_t k = 0; k < layout.k; ++k)
      w[size_t(row * ldw + k)] = float(1 + row * layout.k + k);

  Expected<PackedWeight> packed = PackedWeight::pack(layout, w.data(), ldw);
  ASSERT_TRUE(packed) << packed.error().message();
  EXPECT_EQ(packed->layout(), layout);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(packed->data()) % 64, 0u);
  const float *at = static_cast<const float *>(packed->data());
  for (int64_t panel = 0; panel < layout.panels(); ++panel)
    for (int64_t group = 0; group < layout.groups(); ++group)
      for (int64_t column = 0; column < layout.panel; ++column)
        for (int64_t lane = 0; lane < layout.group; ++lane, ++at) {
          const int64_t k = group * layout.group + lane;
          ASSERT_EQ(std::bit_cast<uint32_t>(*at),
                    std::bit_cast<uint32_t>(expectedElement(
                        layout, w.data(), ldw, panel, k, column)))
              << "n=" << layout.n << " k=" << layout.k << " ldw=" << ldw
              << " group=" << layout.group << " at panel " << panel
              << ", depth " << k << ", column " << column;
        }
  EXPECT_TRUE(w.canariesIntact());
}

TEST(PackedWeightTest, OddSizesInEveryPanelWidth) {
  for (int64_t panel : {1, 4, 8, 16, 17, 24, 32, 48, 64})
    for (int64_t n : {1, 2, 3, 5, 15, 16, 17, 47, 48, 49, 65, 97})
      for (int64_t k : {1, 2, 3, 4, 5, 15, 16, 17, 33, 127, 128, 129})
        checkPacking({n, k, panel}, k, GuardedBuffer::Fit::end);
}

TEST(PackedWeightTest, GroupsOfKStayTogether) {
  for (int64_t group : {2, 4, 8, 16})
    for (int64_t panel : {1, 3, 4, 16})
      for (int64_t n : {1, 4, 5, 17})
        for (int64_t k : {1, 2, 15, 16, 17, 33})
          checkPacking({n, k, panel, DType::f32, group}, k + 3,
                       GuardedBuffer::Fit::end);
}

/// Packs 16-bit rows between guard pages and compares every element.
void checkNarrowPacking(const PackedLayout &layout, int64_t ldw,
                        GuardedBuffer::Fit fit) {
  // An odd number of elements touches the page at one end only.
  const auto count = size_t((layout.n - 1) * ldw + layout.k);
  GuardedBuffer buffer((count + 1) / 2, fit);
  auto *w = reinterpret_cast<uint16_t *>(buffer.data()) +
            (fit == GuardedBuffer::Fit::end ? count % 2 : 0);
  std::fill_n(w, count, uint16_t(0xffff));
  for (int64_t row = 0; row < layout.n; ++row)
    for (int64_t k = 0; k < layout.k; ++k)
      w[row * ldw + k] = uint16_t(1 + row * layout.k + k);

  Expected<PackedWeight> packed = PackedWeight::pack(layout, w, ldw);
  ASSERT_TRUE(packed) << packed.error().message();
  const auto *at = static_cast<const uint16_t *>(packed->data());
  for (int64_t panel = 0; panel < layout.panels(); ++panel)
    for (int64_t group = 0; group < layout.groups(); ++group)
      for (int64_t column = 0; column < layout.panel; ++column)
        for (int64_t lane = 0; lane < layout.group; ++lane, ++at) {
          const int64_t k = group * layout.group + lane;
          const int64_t row = panel * layout.panel + column;
          ASSERT_EQ(*at, row < layout.n && k < layout.k ? w[row * ldw + k] : 0)
              << "n=" << layout.n << " k=" << layout.k << " ldw=" << ldw
              << " group=" << layout.group << " at panel " << panel
              << ", depth " << k << ", column " << column;
        }
  EXPECT_TRUE(buffer.canariesIntact());
}

TEST(PackedWeightTest, PairsOfBf16StayTogether) {
  for (int64_t panel : {1, 8, 16, 48})
    for (int64_t n : {1, 3, 4, 15, 16, 17, 49, 97})
      for (int64_t k : {1, 2, 3, 7, 8, 9, 31, 32, 33, 255, 256, 257})
        for (int64_t gap : {0, 1, 2})
          for (auto fit : {GuardedBuffer::Fit::begin, GuardedBuffer::Fit::end})
            checkNarrowPacking({n, k, panel, DType::bf16, 2}, k + gap, fit);
}

TEST(PackedWeightTest, F16IsPackedElementByElement) {
  for (int64_t panel : {1, 8, 16, 48})
    for (int64_t n : {1, 7, 8, 9, 31, 32, 33, 97})
      for (int64_t k : {1, 7, 8, 9, 31, 32, 33, 127, 128, 129})
        for (int64_t gap : {0, 1})
          for (auto fit : {GuardedBuffer::Fit::begin, GuardedBuffer::Fit::end})
            checkNarrowPacking({n, k, panel, DType::f16, 1}, k + gap, fit);
}

TEST(PackedWeightTest, GroupsOfBf16StayTogether) {
  for (int64_t group : {4, 32})
    for (int64_t k : {1, 3, 31, 32, 33, 65})
      checkNarrowPacking({5, k, 3, DType::bf16, group}, k + 1,
                         GuardedBuffer::Fit::end);
}

TEST(PackedWeightTest, TheLayoutIsWhatAScheduleReads) {
  const Problem problem = *Problem::parse("?x40:40x7");
  Schedule schedule = *Schedule::parse("tile=4x3,group=16,epilogue=tile");
  EXPECT_EQ(PackedLayout::of(problem, schedule.panel()),
            (PackedLayout{7, 40, 3, DType::f32, 16}));
  const Problem narrow =
      *Problem::parse("?x41:41x7", DataTypes::parse("bf16:f32").value());
  const PackedLayout layout = PackedLayout::of(narrow, {16, 2});
  EXPECT_EQ(layout, (PackedLayout{7, 41, 16, DType::bf16, 2}));
  // Whole cache lines of K, which tile registers read.
  EXPECT_EQ(layout.elements(), 16 * 64);
}

TEST(PackedWeightTest, RowStridesLargerThanK) {
  for (int64_t k : {1, 7, 16, 300})
    for (int64_t gap : {1, 3, 64}) {
      checkPacking({33, k, 16}, k + gap, GuardedBuffer::Fit::end);
      checkPacking({33, k, 48}, k + gap, GuardedBuffer::Fit::begin);
    }
  checkPacking({50, 20, 48}, 4096, GuardedBuffer::Fit::end);
}

TEST(PackedWeightTest, AWeightOnHugePages) {
  checkPacking({1030, 1025, 48}, 1025, GuardedBuffer::Fit::end);
}

/// Bytes 1, 2, ... of rows of k elements.
std::vector<char> someWeight(const PackedLayout &layout) {
  std::vector<char> w(layout.n * layout.k * byteSize(layout.dtype));
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = char(i % 127 + 1);
  return w;
}

bool equalBits(const PackedWeight &a, const PackedWeight &b) {
  return a.layout() == b.layout() &&
         std::memcmp(a.data(), b.data(), size_t(a.layout().bytes())) == 0;
}

TEST(PackedWeightTest, ThreadsShareOutTheSamePanels) {
  for (const PackedLayout &layout :
       {PackedLayout{1030, 1025, 48},
        PackedLayout{2050, 2051, 64, DType::s8, 4},
        PackedLayout{40, 70001, 16, DType::bf16, 2}}) {
    const std::vector<char> w = someWeight(layout);
    auto alone = PackedWeight::pack(layout, w.data(), layout.k);
    ASSERT_TRUE(alone);
    BackwardsExecutor few(3);
    ThreadExecutor threads;
    for (Executor *executor :
         {sequentialExecutor().get(), openMPExecutor().get(),
          static_cast<Executor *>(&few), static_cast<Executor *>(&threads)}) {
      auto shared =
          PackedWeight::pack(layout, w.data(), layout.k, *executor, 4);
      ASSERT_TRUE(shared);
      EXPECT_TRUE(equalBits(*alone, *shared)) << layout.n << " x " << layout.k;
    }
  }
}

TEST(PackedWeightTest, OneThreadForEachMiB) {
  const auto regions = [](int64_t rows, int32_t threads) {
    const PackedLayout layout{rows, 1024, 16};
    const std::vector<char> w = someWeight(layout);
    CountingExecutor executor;
    EXPECT_TRUE(
        PackedWeight::pack(layout, w.data(), layout.k, executor, threads));
    return executor.regions;
  };
  EXPECT_THAT(regions(256, 8), IsEmpty());
  EXPECT_THAT(regions(1024, 1), IsEmpty());
  EXPECT_THAT(regions(1024, 2), ElementsAre(2));
  EXPECT_THAT(regions(1024, 8), ElementsAre(4));
}

TEST(PackedWeightTest, SaysThatAnExecutorDroppedParts) {
  const PackedLayout layout{1024, 1024, 16};
  const std::vector<char> w = someWeight(layout);
  DroppingExecutor one(1, 2);
  const auto packed = PackedWeight::pack(layout, w.data(), layout.k, one, 2);
  ASSERT_FALSE(packed);
  EXPECT_THAT(packed.error().message(),
              testing::HasSubstr("pack: the executor came back after 1 of 2"));
}

TEST(PackedWeightTest, EmptyWeights) {
  for (PackedLayout layout : {PackedLayout{0, 5, 16}, PackedLayout{5, 0, 16},
                              PackedLayout{0, 0, 16}}) {
    Expected<PackedWeight> packed = PackedWeight::pack(layout, nullptr, 0);
    ASSERT_TRUE(packed);
    EXPECT_EQ(packed->layout().elements(), 0);
    EXPECT_NE(packed->data(), nullptr);
  }
}

void expectRefused(const PackedLayout &layout, const void *w, int64_t ldw,
                   const char *reason) {
  Expected<PackedWeight> packed = PackedWeight::pack(layout, w, ldw);
  ASSERT_FALSE(packed) << reason;
  EXPECT_EQ(packed.error().code(), ErrorCode::invalidArgument);
  EXPECT_THAT(packed.error().message(), HasSubstr(reason));
}

TEST(PackedWeightTest, RefusesBadArguments) {
  float w[16] = {};
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  expectRefused({4, 4, 16}, nullptr, 4, "null pointer");
  expectRefused({4, 4, 16}, w, 3, "must be at least k = 4");
  expectRefused({4, 4, 16}, w, -4, "must be at least k = 4");
  expectRefused({-1, 4, 16}, w, 4, "n = -1");
  expectRefused({4, -1, 16}, w, 4, "k = -1");
  expectRefused({4, 4, 0}, w, 4, "panel width is 0");
  expectRefused({4, 4, -16}, w, 4, "panel width is -16");
  expectRefused({4, 4, kHuge}, w, 4, "does not fit in memory");
  expectRefused({4, 4, kHuge / 8}, w, 4, "does not fit in memory");
  expectRefused({kHuge, 1, 16}, w, 1, "do not fit in memory");
  expectRefused({2, 4, 16}, w, kHuge, "do not fit in memory");
  expectRefused({24, 40, 16}, w, kHuge / 160, "do not fit in memory");
  expectRefused({4, 4, 16, DType::bf16, 0}, w, 4, "group along k is 0");
  expectRefused({4, 4, 16, DType::bf16, kHuge}, w, 4, "does not fit in memory");
}

TEST(PackedWeightTest, OutOfMemoryIsAnError) {
  float w[4] = {};
  Expected<PackedWeight> packed =
      PackedWeight::pack({1, 1, int64_t(1) << 58}, w, 1);
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code(), ErrorCode::io);
}

} // namespace
