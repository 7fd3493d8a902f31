// Outputs stored past the caches: aligned, misaligned, ragged, aliased.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

#include "Lintel/AmxTile.h"
#include "Schedule/Partition.h"
#include "Schedule/RegisterTiles.h"

#include <algorithm>
#include <iterator>

using namespace lintel;
using namespace lintel::integration;

namespace {

/// Rows that begin with a cache line, with a vector alone, with neither, and
/// strides that take them out of line. Offsets count elements.
std::vector<Layout> layoutsOnAndOffLines() {
  std::vector<Layout> layouts;
  for (Layout::Rows rows :
       {Layout::Rows::dense, Layout::Rows::apart, Layout::Rows::powerOfTwo})
    for (int64_t offset : {0, 1, 4, 8, 16, 32})
      layouts.push_back({rows, offset, GuardedBuffer::Fit::begin});
  layouts.push_back({Layout::Rows::dense, 0, GuardedBuffer::Fit::end});
  return layouts;
}

/// The same on tile registers, whose epilogue is on a tile and whose rows of
/// any K are packed.
Schedule onTiles(Schedule schedule, DType weight, const Target &target) {
  placeOnTiles(schedule, weight, target);
  schedule.mr = 8;
  schedule.epilogue = EpiloguePlacement::tile;
  schedule.mc = std::min<int64_t>(schedule.mc, 2 * schedule.mr);
  const int64_t line = depthUnitOf(weight);
  if (schedule.kc != Schedule::kWhole)
    schedule.kc = ceilDiv(schedule.kc, line) * line;
  return schedule;
}

/// The same with runs of K summed in f16, where columns are whole vectors of
/// it.
Schedule inRuns(Schedule schedule, const Target &target) {
  if (schedule.nr % (2 * target.lanes()) != 0)
    return schedule;
  schedule.accumulate = Accumulate::f16;
  schedule.epilogue = EpiloguePlacement::tile;
  return schedule;
}

/// Tiles of one and of three cache lines of the results, where the level has
/// the registers for them.
std::vector<Schedule> streamingCodes(const Target &target,
                                     const DataTypes &types) {
  const int64_t line = Target::kLineBytes / bytesOf(types.result);
  const int64_t group = depthOfLane(types.weight, target, Accumulate::f32);
  std::vector<Schedule> codes;
  for (int64_t columns : {line, 3 * line}) {
    const int64_t tallest =
        maxTileRows(types.weight, target, columns / target.lanes());
    for (const char *rest :
         {"", ",epilogue=tile", ",pack=block,kc=7,mc=4",
          ",kc=11,mc=4,epilogue=tile", ",mc=4,nc=48,grid=2x3"}) {
      Schedule schedule =
          Schedule::parse(std::string("tile=1x16,store=stream") + rest).value();
      schedule.mr = std::min<int64_t>(8, tallest);
      schedule.nr = columns;
      schedule.group = group;
      schedule.kc = ceilDiv(schedule.kc, group) * group;
      if (takesTiles(types.weight, target))
        schedule = onTiles(schedule, types.weight, target);
      else if (types.accumulate == DType::f16 &&
               target.has(Extension::avx512Fp16))
        schedule = inRuns(schedule, target);
      if (schedule.mr > 0 &&
          (!schedule.onTiles() || AmxTile::of(schedule.mr, schedule.nr).fits()))
        codes.push_back(schedule);
    }
  }
  return codes;
}

/// Columns: whole tiles, whole cache lines, and neither.
constexpr int64_t kWidths[] = {128, 96, 112, 101};
constexpr int64_t kRows = 13, kDepth = 37;

class StreamedStoresTest : public KernelTest {};

/// The kernels of which a tile that fits the registers is a cache line wide.
std::vector<KernelCase> streamingKernels() {
  std::vector<KernelCase> cases;
  for (const auto &some : {allKernels(), narrowKernels(), integerKernels(),
                           amxKernels(), halfSumKernels()})
    std::ranges::copy_if(
        some, std::back_inserter(cases), [](const KernelCase &instance) {
          Target target;
          target.isa = instance.isa;
          target.extensions = instance.extensions;
          return !streamingCodes(target, *DataTypes::parse(instance.types))
                      .empty();
        });
  return cases;
}

TEST_P(StreamedStoresTest, EveryAlignment) {
  for (int64_t n : kWidths) {
    const Problem layer = problem(kRows, n, kDepth);
    const Workload workload(layer, kRows, Fill::exact, 61);
    for (const Layout &layout : layoutsOnAndOffLines()) {
      GuardedCall call(workload, kRows, layout);
      for (const Schedule &schedule : streamingCodes(target, types))
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
      for (const Schedule &schedule : streamingCodes(target, types))
        ASSERT_TRUE(right(call, schedule));
    }
}

LINTEL_ON(streamingKernels(), StreamedStoresTest);

/// Each element of the operand is read before the output takes its place.
class StreamedAliasTest : public LevelTest {};

TEST_P(StreamedAliasTest, ResidualInPlace) {
  epilogue = epilogueNamed("residual");
  for (int64_t n : kWidths) {
    const Problem layer = problem(kRows, n, kDepth);
    const Workload workload(layer, kRows, Fill::exact, 63);
    for (const Layout &layout : layoutsOnAndOffLines()) {
      GuardedCall call(workload, kRows, layout, Alias{0, 0});
      for (const Schedule &schedule : streamingCodes(target, types))
        ASSERT_TRUE(right(call, schedule, {.parts = 2}));
    }
  }
}

LINTEL_ON(allLevels(), StreamedAliasTest);

} // namespace
