// Which schedules on tile registers are legal, worth considering, and how fast.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/AmxSchedules.h"

#include "Lintel/AmxTile.h"
#include "Schedule/ColdWeight.h"
#include "Schedule/CoreModel.h"
#include "Schedule/Partition.h"
#include "Schedule/Prefetching.h"
#include "Schedule/Strips.h"

#include <algorithm>
#include <optional>
#include <string>

namespace lintel {

/// Wider tiles read more of B for each of x, and leave L1 to fewer of K.
static constexpr int64_t kWidestTiles = 4;
/// From here on A is worth a copy that is made once for all blocks of K.
static constexpr int64_t kRowsWorthPacking = 64;

/// Strips that have so many lines of the next panel to ask for in a step do so
/// in streams.
static constexpr int64_t kFewestLinesInStreams = 6;

static Error refused(const std::string &message) {
  return Error(ErrorCode::invalidArgument, "unit is amx, " + message);
}

StreamHint passingFactor(const Schedule &schedule) {
  return schedule.tiles == LoopOrder::mn ? StreamHint::b : StreamHint::a;
}

/// One line of each stream, where several strips ask; one strip asks for half
/// of the panel. Of the rest, the hardware, which follows the streams, brings
/// more than asking for it would: GFLOP/s of 32x32 in bf16 with two strips, 16
/// lines a step and eight, from memory 847 and 880 (unasked 592), from L3 974
/// and 1097 (961); with one strip, 32, 16 and eight lines, from memory 517, 557
/// and 503 (385), from L3 574, 661 and 759 (635) (Emerald Rapids, one thread).
static int64_t linesInStreams(const Schedule &schedule, int64_t strips) {
  const int64_t ofEach =
      strips > 1 ? 1 : std::max<int64_t>(1, schedule.nr / 2 / schedule.streams);
  return ofEach * schedule.streams;
}

int64_t nextPanelPrefetch(const Schedule &schedule, int64_t strips) {
  // A step of the k loop uses a cache line of each column.
  const int64_t lines = schedule.streams > 1 ? linesInStreams(schedule, strips)
                                             : ceilDiv(schedule.nr, strips);
  return lines * Target::kLineBytes;
}

bool streamsSuit(const Schedule &schedule, int64_t strips) {
  return schedule.streams == 1 ||
         ceilDiv(schedule.nr, strips) >= kFewestLinesInStreams;
}

AskedLines AskedLines::of(const Schedule &schedule) {
  return {schedule.prefetch / Target::kLineBytes / schedule.streams,
          schedule.nr / schedule.streams};
}

/// "1, 2, 4, 8, 16": what divides nr, as far as a schedule's text goes.
static std::string streamsThatDivide(int64_t nr) {
  constexpr int64_t kMostStreams = 16;
  std::string divisors;
  for (int64_t streams = 1; streams <= kMostStreams; ++streams)
    if (nr % streams == 0)
      divisors += (divisors.empty() ? "" : ", ") + std::to_string(streams);
  return divisors;
}

Status checkAmxStreams(const Schedule &schedule) {
  if (schedule.asksForEqualParts())
    return {};
  if (schedule.nr % schedule.streams != 0)
    return refused("which takes streams (equal parts of the next panel) that "
                   "divide nr = " +
                   std::to_string(schedule.nr) + " (" +
                   streamsThatDivide(schedule.nr) + "), not " +
                   std::to_string(schedule.streams));
  return refused(
      "which with " + std::to_string(schedule.streams) +
      " streams (equal parts of the next panel) takes prefetch in multiples "
      "of " +
      std::to_string(schedule.streams * Target::kLineBytes) +
      " bytes, a line of each, not " + std::to_string(schedule.prefetch));
}

static Status checkShape(const Schedule &schedule) {
  if (schedule.nr < AmxTile::kColumns || schedule.nr % AmxTile::kColumns != 0)
    return refused("which takes nr (the tile's columns) in multiples of " +
                   std::to_string(AmxTile::kColumns) + ", not " +
                   std::to_string(schedule.nr));
  if (schedule.mr < 1 || !AmxTile::of(schedule.mr, schedule.nr).fits())
    return refused("whose 8 registers of 16 rows hold no tile of " +
                   std::to_string(schedule.mr) + "x" +
                   std::to_string(schedule.nr) +
                   "; the largest are 32x32, 16x96 and 48x16");
  return {};
}

/// Rows of x in place must be there, and whole cache lines.
static Status checkPacking(const Schedule &schedule, const Problem &problem) {
  if (schedule.packsA())
    return {};
  const int64_t line = depthUnitOf(problem.types().weight);
  const bool inPlace = problem.rows().isKnown() && problem.k() % line == 0;
  if (!inPlace && schedule.depth() == Depth::sliced)
    return refused("whose slices of K take an M that is known and a K that is "
                   "a multiple of " +
                   std::to_string(line) + "; lower the slices to 1");
  if (!problem.rows().isKnown())
    return refused("which reads rows beyond M; with M not known it takes "
                   "pack=block or pack=whole");
  if (problem.k() % line != 0)
    return refused("which reads whole cache lines of x; K = " +
                   std::to_string(problem.k()) + ", no multiple of " +
                   std::to_string(line) + ", takes pack=block or pack=whole");
  return {};
}

/// What has the tile registers multiply elements of this type; of f32 nothing.
static std::optional<Extension> extensionFor(DType weight) {
  for (Extension extension :
       {Extension::amxBf16, Extension::amxFp16, Extension::amxInt8}) {
    Target target;
    target.extensions = {extension};
    if (target.multipliesTilesOf(weight))
      return extension;
  }
  return {};
}

/// Emulation is for machines without tiles, and takes AVX2.
static Error refusedWithoutExtension(DType weight, const Target &target) {
  std::string lack = ", nor has any other";
  if (target.multipliesSplitTilesOf(weight))
    lack = ": it lacks the extension amx-fp16; widen=panel splits f16 into "
           "two bf16 each, which it has";
  else if (const std::optional<Extension> extension = extensionFor(weight))
    lack = ": it lacks the extension " + std::string(toString(*extension)) +
           "; 'lintel doctor' says why" +
           (target.has(Extension::amxTile) || target.isa == IsaLevel::x86_64
                ? ""
                : ", and LINTEL_EMULATE_AMX=1 emulates it");
  return refused("which the target does not have for " +
                 std::string(toString(weight)) + lack);
}

/// Elements of K side by side in the packed weight: as tiles take them, or as
/// vectors do, from where panels are split.
static int64_t groupOnTiles(const Schedule &schedule, DType weight) {
  return schedule.splitsHalves() ? interleaveOf(weight)
                                 : tileInterleaveOf(weight);
}

/// A panel is split for the strips of a block, whose packed rows are split too,
/// and which then all pass it.
static Status checkSplit(const Schedule &schedule, DType weight,
                         const Target &target) {
  if (!target.multipliesSplitTilesOf(weight))
    return refused("which with widen=panel takes x and w of f16 and a target "
                   "with amx-bf16, not " +
                   std::string(toString(weight)) + " and " + target.text());
  if (schedule.pack != PackA::block || schedule.tiles != LoopOrder::nm ||
      schedule.ahead > 0)
    return refused("which with widen=panel takes pack=block, tiles=nm and no "
                   "ahead");
  return {};
}

static Status checkProducts(const Schedule &schedule, DType weight,
                            const Target &target) {
  if (schedule.splitsHalves()) {
    if (Status split = checkSplit(schedule, weight, target); !split)
      return split;
  } else if (!target.multipliesTilesOf(weight)) {
    return refusedWithoutExtension(weight, target);
  }
  const int64_t group = groupOnTiles(schedule, weight);
  if (schedule.group == group)
    return {};
  return refused("which takes group=" + std::to_string(group) + " for " +
                 std::string(toString(weight)) +
                 (schedule.splitsHalves() ? " with widen=panel" : "") +
                 ", not " + std::to_string(schedule.group));
}

Status checkAmxTile(const Schedule &schedule, const Problem &problem,
                    const Target &target) {
  const DType weight = problem.types().weight;
  if (Status products = checkProducts(schedule, weight, target); !products)
    return products;
  if (schedule.epilogue == EpiloguePlacement::registers)
    return refused("which takes epilogue=tile or epilogue=next");
  if (schedule.epilogue == EpiloguePlacement::next && schedule.streamsOutputs())
    return refused("which with epilogue=next takes store=cached");
  if (Status shape = checkShape(schedule); !shape)
    return shape;
  if (schedule.prefetch % Target::kLineBytes != 0 ||
      schedule.prefetch > schedule.mostPrefetchOnTiles())
    return refused("which takes prefetch (of the next panel, in each step) in "
                   "multiples of " +
                   std::to_string(Target::kLineBytes) + " bytes up to " +
                   std::to_string(schedule.mostPrefetchOnTiles()) + ", not " +
                   std::to_string(schedule.prefetch));
  if (schedule.ahead % Target::kLineBytes != 0)
    return refused("which takes ahead (of the use of the weight) in multiples "
                   "of " +
                   std::to_string(Target::kLineBytes) + " bytes, not " +
                   std::to_string(schedule.ahead));
  const int64_t line = depthUnitOf(weight);
  if (schedule.kc % line != 0 && schedule.kc < problem.k())
    return refused("which takes kc (the depth of a block) in multiples of " +
                   std::to_string(line) + ", not " +
                   std::to_string(schedule.kc));
  return checkPacking(schedule, problem);
}

/// The same, but while rows stream past a panel of B, the next one is on its
/// way. blockedSchedules shares it out among the strips of a block.
static Schedule askingForNextPanel(Schedule schedule, int64_t streams) {
  schedule.streams = streams;
  schedule.prefetch = nextPanelPrefetch(schedule, /*strips=*/1);
  return schedule;
}

/// In how many places at once cores of this kind read a weight faster; in one
/// where it stays in L2, or where so many threads draw all that memory has.
/// With 16 threads two places took 4 to 16 % longer for 128x768:768x3072 and
/// 1024x1024:1024x1024 in bf16 (Emerald Rapids).
static int64_t streamsOf(const Problem &problem, const Target &target,
                         int threads) {
  const CoreModel core = CoreModel::of(target);
  const bool staysInL2 = weightBytes(problem) <= target.l2 / 2;
  return staysInL2 || threads * core.memory > core.allMemory
             ? 1
             : core.reading.streams;
}

/// The schedule, packed so or so. It asks for the next panel, too, in one place
/// and in `streams`, if these are more: many rows where they stream past a
/// panel. Few wait for memory, whatever is hinted, and in one place they had
/// better ask far ahead.
static void addPackings(std::vector<Schedule> &variants, Schedule schedule,
                        const Problem &problem, int64_t streams) {
  const bool inPlace = checkPacking(schedule, problem).operator bool();
  const bool reused = problem.rows().typical > 1 && problem.n() > schedule.nr;
  const bool fewRows = problem.rows().typical < kRowsWorthPacking;
  std::vector<PackA> packings, asking;
  if (inPlace)
    packings.push_back(PackA::none);
  if (inPlace && fewRows)
    asking.push_back(PackA::none);
  if (!inPlace || reused) {
    packings.push_back(PackA::block);
    asking.push_back(PackA::whole);
    if (!fewRows) {
      packings.push_back(PackA::whole);
      asking.push_back(PackA::block);
    }
  }
  for (PackA pack : packings) {
    schedule.pack = pack;
    variants.push_back(schedule);
  }
  const StreamHint hint = fewRows ? StreamHint::none : StreamHint::a;
  if (schedule.ahead > 0 || schedule.hint != hint)
    return;
  for (PackA pack : asking) {
    schedule.pack = pack;
    if (!fewRows)
      variants.push_back(askingForNextPanel(schedule, /*streams=*/1));
    if (streams > 1)
      variants.push_back(askingForNextPanel(schedule, streams));
  }
}

/// Tiles that cover the columns of an output.
static int64_t usefulColumnTiles(const Problem &problem) {
  return std::max<int64_t>(1, ceilDiv(problem.n(), AmxTile::kColumns));
}

/// The tallest tiles of so many column tiles, then lower ones, as long as
/// threads outnumber the tiles of the output, and down to the frugal one, or to
/// one as low where the output is no wider than a tile: rows in place that meet
/// in the same sets of L1 are the slower the more of them a tile has (128 rows
/// of 2 KiB in bf16 for 16 columns, Emerald Rapids: 12.2 us with 43x16, 9.3
/// with 32x16, 10.1 with 16x16).
static std::vector<Schedule> tilesOfWidth(int64_t columnTiles, Widen widen,
                                          const Problem &problem, int threads) {
  const int64_t frugalColumns =
      std::min(kFrugalTile.columnTiles, usefulColumnTiles(problem));
  AmxTile tile{1, columnTiles};
  while (AmxTile{tile.rowTiles + 1, columnTiles}.fits())
    ++tile.rowTiles;
  std::vector<Schedule> tiles;
  for (; tile.rowTiles >= 1; --tile.rowTiles) {
    Schedule schedule;
    schedule.unit = Unit::amx;
    schedule.mr = stripHeights(tile.rowTiles * AmxTile::kRows, problem.rows())
                      .tall.front();
    schedule.nr = columnTiles * AmxTile::kColumns;
    schedule.widen = widen;
    schedule.group = groupOnTiles(schedule, problem.types().weight);
    schedule.epilogue = EpiloguePlacement::tile;
    if (tiles.empty() || schedule.mr < tiles.back().mr)
      tiles.push_back(schedule);
    const Partition parts =
        partition(schedule, problem.rows().typical, problem.n(), problem.k());
    const bool lowEnough =
        columnTiles != frugalColumns || tile.rowTiles <= kFrugalTile.rowTiles;
    if (lowEnough && saturatingProduct({parts.strips, parts.panels}) >= threads)
      break;
  }
  return tiles;
}

/// Tiles that multiply f16 as two bf16 each: strips pass a panel that was split
/// for them, and ask for the next one or do not. Panels are as vectors have
/// them, so that kernels for few rows can share the packed weight.
static std::vector<Schedule> splitVariants(const Problem &problem,
                                           const Target &target, int threads) {
  std::vector<Schedule> variants;
  const int64_t widest = std::min(kWidestTiles, usefulColumnTiles(problem));
  for (int64_t columns = 1; columns <= widest; ++columns)
    for (Schedule schedule :
         tilesOfWidth(columns, Widen::panel, problem, threads)) {
      schedule.pack = PackA::block;
      schedule.tiles = LoopOrder::nm;
      variants.push_back(schedule);
      if (weightBytes(problem) > target.l2)
        variants.push_back(askingForNextPanel(schedule, /*streams=*/1));
    }
  return variants;
}

std::vector<Schedule> amxVariants(const Problem &problem, const Target &target,
                                  int threads) {
  const DType weight = problem.types().weight;
  std::vector<Schedule> variants;
  if (!target.multipliesTilesOf(weight))
    return target.multipliesSplitTilesOf(weight)
               ? splitVariants(problem, target, threads)
               : variants;
  const int64_t widest = std::min(kWidestTiles, usefulColumnTiles(problem));
  const int64_t streams = streamsOf(problem, target, threads);
  for (int64_t columns = 1; columns <= widest; ++columns)
    for (Schedule schedule :
         tilesOfWidth(columns, Widen::step, problem, threads))
      for (const Prefetching &way : waysToPrefetch(problem, target, Unit::amx))
        for (StreamHint hint :
             {StreamHint::none, StreamHint::a, StreamHint::b}) {
          schedule.ahead = way.toL2;
          schedule.hint = hint;
          addPackings(variants, schedule, problem, streams);
        }
  return variants;
}

} // namespace lintel
