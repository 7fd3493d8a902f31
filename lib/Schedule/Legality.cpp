// Which schedules can be compiled and run right.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Legality.h"

#include "Schedule/Accumulation.h"
#include "Schedule/AmxSchedules.h"
#include "Schedule/Partition.h"
#include "Schedule/Prefetching.h"
#include "Schedule/ProductForm.h"
#include "Schedule/RegisterTiles.h"
#include "Schedule/Workspace.h"

#include <string>

namespace lintel {

static constexpr int64_t kMaxWorkspaceBytes = int64_t(256) << 20;

static Error illegal(std::string_view field, int64_t value,
                     const std::string &legal) {
  return Error(ErrorCode::invalidArgument, std::string(field) + " is " +
                                               std::to_string(value) + "; " +
                                               legal);
}

static std::string legalGroups(const DataTypes &types, const Target &target) {
  const auto beside = [&](Accumulate sums) {
    return std::to_string(depthOfLane(types.weight, target, sums));
  };
  std::string groups = beside(Accumulate::f32) + " and, on " +
                       std::string(toString(target.isa)) + ", " +
                       std::to_string(groupOfDots(types.weight, target));
  if (types.accumulate == DType::s16 && target.sumsPairsInWords())
    groups += ", or " + beside(Accumulate::s16) +
              " with accumulate=s16 in the schedule";
  return "a weight of " + std::string(toString(types.weight)) + " takes " +
         groups;
}

/// Dot products take a vector of K side by side, and leave sums that only the
/// epilogue on a tile can take.
static Status checkGroup(const Schedule &schedule, const Problem &problem,
                         const Target &target) {
  const DType weight = problem.types().weight;
  if (schedule.group != depthOfLane(weight, target, schedule.accumulate) &&
      schedule.group != groupOfDots(weight, target))
    return illegal("group (elements of K side by side)", schedule.group,
                   legalGroups(problem.types(), target));
  const bool plain =
      schedule.pack == PackA::none && schedule.kc == Schedule::kWhole &&
      schedule.epilogue == EpiloguePlacement::tile && schedule.prefetch == 0 &&
      schedule.ahead == 0 && schedule.share == 0 && !schedule.streamsOutputs();
  if (schedule.vectorsAlongK(weight) && !plain)
    return Error(ErrorCode::invalidArgument,
                 "group is " + std::to_string(schedule.group) +
                     ", which takes pack=none, epilogue=tile and kc=whole, and "
                     "neither prefetch, ahead, share nor store=stream");
  return {};
}

/// Strips of a block share out what a turn reads of the panel that follows;
/// streams read a panel from several places.
static Status checkShare(const Schedule &schedule, DType weight,
                         const Target &target) {
  if (schedule.share == 0)
    return {};
  if (schedule.onTiles() || schedule.streams > 1)
    return Error(ErrorCode::invalidArgument,
                 "share is " + std::to_string(schedule.share) +
                     ", which takes unit=vector and streams=1");
  const int64_t most = linesOfTurn(schedule, weight, target);
  if (schedule.share <= most)
    return {};
  return illegal("share (lines of the next panel)", schedule.share,
                 "a turn of " + std::to_string(schedule.nr) + " columns of " +
                     std::string(toString(weight)) + " has " +
                     std::to_string(most));
}

/// Streams of vectors stand at constant places of a whole panel, and are the k
/// loop of vectors along N alone; with pairs in s16 LLVM spills what they
/// carry. Those of tiles are for asking.
static Status checkStreams(const Schedule &schedule, DType weight) {
  if (schedule.streams == 1)
    return {};
  if (schedule.onTiles())
    return checkAmxStreams(schedule);
  const bool plain = schedule.accumulate == Accumulate::f32 &&
                     !schedule.vectorsAlongK(weight) &&
                     schedule.depth() == Depth::whole;
  if (plain)
    return {};
  return Error(ErrorCode::invalidArgument,
               "streams is " + std::to_string(schedule.streams) +
                   ", which with unit=vector takes accumulate=f32, kc=whole, "
                   "no slices of K in grid and no dot products");
}

/// What of a schedule has no widened panels, or nothing.
static std::string oddBesideWidenedPanels(const Schedule &schedule,
                                          DType weight) {
  if (schedule.sumsRunsInHalf())
    return "accumulate is f16";
  if (schedule.vectorsAlongK(weight))
    return "group makes dot products";
  if (schedule.pack != PackA::block)
    return schedule.packsA() ? "pack is whole" : "pack is none";
  if (schedule.tiles != LoopOrder::nm)
    return "tiles is mn";
  if (schedule.ahead > 0)
    return "ahead is " + std::to_string(schedule.ahead);
  if (schedule.streams > 1)
    return "streams is " + std::to_string(schedule.streams);
  return {};
}

/// Whether there is anything to widen panels for: rows that are.
static bool mayWidenPanels(const DataTypes &types, const Target &target) {
  Schedule packing;
  packing.pack = PackA::block;
  return packing.widensRowsToF32(types.activation, target);
}

/// On vectors a panel is widened for the strips of a block, whose rows are
/// widened too, and which then all pass it. The space keeps it in L2, so that
/// there is nothing to ask for into that.
static Status checkWiden(const Schedule &schedule, const DataTypes &types,
                         const Target &target) {
  if (!schedule.widensPanels() || schedule.onTiles())
    return {};
  if (!mayWidenPanels(types, target))
    return Error(ErrorCode::invalidArgument,
                 "widen is panel, but products of \"" + types.text() +
                     "\" take w as it is on the target " + target.text() +
                     "; f16 is widened, and bf16 where there is no avx512bf16");
  const std::string odd = oddBesideWidenedPanels(schedule, types.weight);
  if (odd.empty())
    return {};
  return Error(ErrorCode::invalidArgument,
               "widen is panel, which takes unit=vector, accumulate=f32, "
               "pack=block, tiles=nm, no dot products and neither ahead nor "
               "streams, but " +
                   odd);
}

/// What of a schedule has no rows for multiply-adds to broadcast.
static std::string oddBesideEmbeddedRows(const Schedule &schedule,
                                         const DataTypes &types,
                                         const Target &target) {
  if (!target.hasMaskRegisters())
    return "the target is " + std::string(toString(target.isa));
  if (schedule.onTiles())
    return "unit is amx";
  if (schedule.sumsRunsInHalf())
    return "accumulate is f16";
  if (schedule.vectorsAlongK(types.weight))
    return "group makes dot products";
  if (schedule.pack != PackA::block)
    return schedule.packsA() ? "pack is whole" : "pack is none";
  if (schedule.typeOfPanels(types.weight) != DType::f32)
    return "panels are of " + std::string(toString(types.weight));
  if (schedule.widensPanels() && schedule.depth() != Depth::whole)
    return "K is cut, and widened rows lie as far apart as a block is deep";
  if (schedule.nr <= target.lanes())
    return "the tile is one vector wide, where every row is";
  return {};
}

/// Rows that multiply-adds broadcast are read by pointers at known distances.
static Status checkEmbed(const Schedule &schedule, const DataTypes &types,
                         const Target &target) {
  if (schedule.embed == 0)
    return {};
  const std::string odd = oddBesideEmbeddedRows(schedule, types, target);
  if (!odd.empty())
    return Error(ErrorCode::invalidArgument,
                 "embed is " + std::to_string(schedule.embed) +
                     ", which takes avx512, unit=vector, accumulate=f32, "
                     "pack=block, panels of f32, of which widened ones take "
                     "kc=whole, and tiles of several vectors, but " +
                     odd);
  if (schedule.embed <= schedule.mr)
    return {};
  return illegal("embed (rows that multiply-adds broadcast)", schedule.embed,
                 "the tile has " + std::to_string(schedule.mr) + " rows");
}

/// Blocks of K begin where a group does. Dot products, whose groups are longer,
/// leave K whole.
static Status checkDepth(const Schedule &schedule, const Problem &problem) {
  if (schedule.kc % schedule.group == 0 || schedule.kc >= problem.k())
    return {};
  return illegal("kc (the depth of a block)", schedule.kc,
                 std::string(toString(problem.types().weight)) +
                     " takes multiples of " + std::to_string(schedule.group));
}

/// A line that two tiles write would go to memory twice, in part each time.
static Status checkStore(const Schedule &schedule, DType result) {
  const int64_t columns = Target::kLineBytes / bytesOf(result);
  if (schedule.streamsOutputs() && schedule.nr % columns != 0)
    return illegal("nr (the tile's columns)", schedule.nr,
                   "store=stream of " + std::string(toString(result)) +
                       " takes multiples of " + std::to_string(columns) +
                       ", whole cache lines");
  return {};
}

/// What would leave a tile more registers, for messages.
static std::string withoutWidenedPanels(const Schedule &schedule,
                                        const DataTypes &types,
                                        const Target &target) {
  Schedule widened = schedule;
  widened.widen = Widen::panel;
  widened.pack = PackA::block;
  widened.tiles = LoopOrder::nm;
  return !schedule.widensPanels() && checkWiden(widened, types, target)
             ? ", without widen=panel (which takes pack=block and tiles=nm),"
             : "";
}

static Status checkTile(const Schedule &schedule, const Problem &problem,
                        const Target &target) {
  const DataTypes &types = problem.types();
  const DType weight = types.weight;
  if (schedule.hint != StreamHint::none)
    return Error(ErrorCode::invalidArgument,
                 "hint takes unit=amx; vector loads have none");
  if (schedule.epilogue == EpiloguePlacement::next)
    return Error(ErrorCode::invalidArgument,
                 "epilogue is next, which takes unit=amx");
  if (types.areIntegers() && target.emulatesVectors())
    return Error(ErrorCode::invalidArgument,
                 "unit is vector, but avx512-emulation has no products of "
                 "integers; take unit=amx");
  if (Status group = checkGroup(schedule, problem, target); !group)
    return group;
  const Accumulate accumulate = schedule.accumulate;
  const DType panel = schedule.typeOfPanels(weight);
  const int64_t lanes = schedule.vectorsAlongK(weight)
                            ? 1
                            : ProductForm::of(panel, target, accumulate).lanes;
  const std::string isa =
      std::string(toString(target.isa)) +
      (accumulate == Accumulate::f32
           ? ""
           : " with accumulate=" + std::string(toString(types.accumulate)));
  if (schedule.nr < lanes || schedule.nr % lanes != 0)
    return illegal("nr (the tile's columns)", schedule.nr,
                   isa + " takes multiples of " + std::to_string(lanes));
  const int64_t tallest =
      maxTileRows(panel, target, schedule.nr / lanes, accumulate);
  if (tallest < 1) {
    int64_t widest = lanes;
    while (maxTileRows(panel, target, widest / lanes + 1, accumulate) >= 1)
      widest += lanes;
    return illegal("nr (the tile's columns)", schedule.nr,
                   "the registers of " + isa +
                       withoutWidenedPanels(schedule, types, target) +
                       " hold tiles of at most " + std::to_string(widest) +
                       " columns");
  }
  if (schedule.mr < 1 || schedule.mr > tallest)
    return illegal(
        "mr (the tile's rows)", schedule.mr,
        "with " + std::to_string(schedule.nr) +
            (schedule.nr == 1 ? " column" : " columns") + " the registers of " +
            isa + withoutWidenedPanels(schedule, types, target) + " hold " +
            (tallest == 1 ? "1 row"
                          : "1 to " + std::to_string(tallest) + " rows"));
  return {};
}

/// Counts are saturated: of the largest only that it is one is known.
static std::string memoryText(int64_t bytes) {
  return bytes == INT64_MAX ? "more than 2^63 bytes"
                            : std::to_string(bytes >> 20) + " MiB";
}

/// How the largest part of a workspace gets smaller.
static std::string_view waysToShrink(const Workspace &workspace,
                                     const Schedule &schedule) {
  if (workspace.accumulators >= workspace.packedRows &&
      workspace.accumulators >= workspace.panel)
    return "for sums; lower mc or nc";
  if (workspace.panel >= workspace.packedRows)
    return "for a widened panel; lower kc";
  return schedule.pack == PackA::whole
             ? "for packed rows; lower mc, or take pack=block with a kc"
             : "for packed rows; lower mc or kc";
}

static Status checkWorkspace(const Schedule &schedule, const Problem &problem,
                             const Target &target) {
  // A kernel for a dynamic M must run with any M.
  const Workspace workspace =
      workspacePerThread(schedule, problem, target, problem.rows().most);
  if (workspace.bytes() <= kMaxWorkspaceBytes)
    return {};
  return Error(ErrorCode::invalidArgument,
               "one thread needs a workspace of " +
                   memoryText(workspace.bytes()) + ", more than " +
                   memoryText(kMaxWorkspaceBytes) +
                   (problem.m() ? "" : " when M is large") + ", most of it " +
                   std::string(waysToShrink(workspace, schedule)));
}

/// Slices leave their sums in memory for all rows, from where the epilogue on a
/// tile takes them.
static Status checkSlices(const Schedule &schedule, const Problem &problem) {
  if (schedule.depth() != Depth::sliced)
    return {};
  const auto refused = [&](const std::string &reason) {
    return Error(ErrorCode::invalidArgument,
                 "grid has " + std::to_string(schedule.gridK) +
                     " slices of K, " + reason);
  };
  if (schedule.pack != PackA::none || schedule.kc != Schedule::kWhole ||
      schedule.epilogue != EpiloguePlacement::tile ||
      schedule.vectorsAlongK(problem.types().weight))
    return refused("which take pack=none, epilogue=tile, kc=whole and no "
                   "dot products");
  if (!problem.rows().isBounded())
    return refused("whose sums need memory for every row, but M has no bound; "
                   "give a range of rows, e.g. 1..64, or lower the slices to "
                   "1");
  const int64_t bytes = saturatingProduct(
      {partialFloats(schedule, problem.rows().most, problem.n()), kSumBytes});
  if (bytes > kMaxWorkspaceBytes)
    return refused("whose sums take " + memoryText(bytes) + ", more than " +
                   memoryText(kMaxWorkspaceBytes) + "; lower the slices");
  return {};
}

/// Threads count the chunks that they take.
static Status checkDealing(const Schedule &schedule) {
  const int64_t chunks = chunksOf(schedule);
  if (schedule.deal == Dealing::fixed || chunks <= INT32_MAX)
    return {};
  return Error(ErrorCode::invalidArgument,
               "deal is dynamic, which takes a grid of at most " +
                   std::to_string(INT32_MAX) + " chunks; it has " +
                   std::to_string(chunks));
}

Status checkSchedule(const Schedule &schedule, const Problem &problem,
                     const Target &target) {
  // First, as others divide by what it has seen to be no zero.
  if (Status fields = schedule.check(); !fields)
    return Error(ErrorCode::invalidArgument, fields.error().message());
  const DataTypes &types = problem.types();
  if (Status sums = checkAccumulate(schedule, types, target); !sums)
    return sums;
  if (Status widen = checkWiden(schedule, types, target); !widen)
    return widen;
  const Status tile = schedule.onTiles()
                          ? checkAmxTile(schedule, problem, target)
                          : checkTile(schedule, problem, target);
  if (!tile)
    return tile;
  if (Status embed = checkEmbed(schedule, types, target); !embed)
    return embed;
  if (Status share = checkShare(schedule, types.weight, target); !share)
    return share;
  if (Status streams = checkStreams(schedule, types.weight); !streams)
    return streams;
  if (Status store = checkStore(schedule, types.result); !store)
    return store;
  if (Status dealt = checkDealing(schedule); !dealt)
    return dealt;
  if (Status depth = checkDepth(schedule, problem); !depth)
    return depth;
  if (Status slices = checkSlices(schedule, problem); !slices)
    return slices;
  return checkWorkspace(schedule, problem, target);
}

} // namespace lintel
