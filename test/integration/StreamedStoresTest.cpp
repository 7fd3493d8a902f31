// Outputs that are stored past the caches: aligned, misaligned, ragged,
// aliased. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelTest.h"

using namespace lintel;
using namespace lintel::integration;

namespace {

/// Rows that begin with a cache line, with a vector alone, with neither, and
/// strides that take them out of line. Offsets count elements.
std::vector<Layout> layoutsOnAndOffLines() {
  std::vector<Layout> layouts;
  for (Layout::Rows rows :
       {Layout::Rows::dense, Layout::Rows::apart, Layout::Rows::powerOfTwo})
    for (int64_t offset : {0, 1, 4, 8, 16})
      layouts.push_back({rows, offset, GuardedBuffer::Fit::begin});
  layouts.push_back({Layout::Rows::dense, 0, GuardedBuffer::Fit::end});
  return layouts;
}

/// Tiles of whole cache lines, the widest as wide as the level has registers.
std::vector<Schedule> streamingCodes(IsaLevel isa) {
  std::vector<std::string> tiles = {"tile=2x16"};
  if (isa == IsaLevel::avx2)
    tiles.push_back("tile=6x16");
  if (isa == IsaLevel::avx512)
    tiles.push_back("tile=8x48");
  std::vector<Schedule> codes;
  for (const std::string &tile : tiles)
    for (const char *rest :
         {"", ",epilogue=tile", ",pack=block,kc=7,mc=4",
          ",kc=11,mc=4,epilogue=tile", ",mc=4,nc=48,grid=2x3"})
      codes.push_back(Schedule::parse(tile + ",store=stream" + rest).value());
  return codes;
}

/// Columns: whole tiles, whole cache lines, and neither.
constexpr int64_t kWidths[] = {96, 112, 101};
constexpr int64_t kRows = 13, kDepth = 37;

class StreamedStoresTest : public KernelTest {};

TEST_P(StreamedStoresTest, EveryAlignment) {
  for (int64_t n : kWidths) {
    const Problem layer = problem(kRows, n, kDepth);
    const Workload workload(layer, kRows, Fill::exact, 61);
    for (const Layout &layout : layoutsOnAndOffLines()) {
      GuardedCall call(workload, kRows, layout);
      for (const Schedule &schedule : streamingCodes(target.isa))
        ASSERT_TRUE(right(call, schedule, {.parts = 2}));
    }
  }
}

TEST_P(StreamedStoresTest, DynamicRows) {
  const Problem layer = problem(std::nullopt, kWidths[0], kDepth);
  const Workload workload(layer, kRows, Fill::gaussian, 62);
  for (int64_t rows : {int64_t(1), int64_t(9), kRows})
    for (int64_t offset : {0, 1}) {
      GuardedCall call(
          workload, rows,
          {Layout::Rows::dense, offset, GuardedBuffer::Fit::begin});
      for (const Schedule &schedule : streamingCodes(target.isa))
        ASSERT_TRUE(right(call, schedule));
    }
}

LINTEL_ON(allKernels(), StreamedStoresTest);

/// Each element of the operand is read before the output takes its place.
class StreamedAliasTest : public LevelTest {};

TEST_P(StreamedAliasTest, ResidualInPlace) {
  epilogue = epilogueNamed("residual");
  for (int64_t n : kWidths) {
    const Problem layer = problem(kRows, n, kDepth);
    const Workload workload(layer, kRows, Fill::exact, 63);
    for (const Layout &layout : layoutsOnAndOffLines()) {
      GuardedCall call(workload, kRows, layout, Alias{0, 0});
      for (const Schedule &schedule : streamingCodes(target.isa))
        ASSERT_TRUE(right(call, schedule, {.parts = 2}));
    }
  }
}

LINTEL_ON(allLevels(), StreamedAliasTest);

} // namespace
