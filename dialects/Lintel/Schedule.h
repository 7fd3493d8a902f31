// How to compute: the value behind #lintel.schedule, and its text form.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   schedule ::= field { "," field }
//   field    ::= "tile=" MR "x" NR          register tile: rows x columns
//              | "unit=" ("vector" | "amx") what multiplies; default vector
//              | "accumulate=" ("f32" | "f16" | "s16")   what products are
//                                         added to first; default f32
//              | "hint=" ("none" | "a" | "b")   streamed by AMX; default none
//              | "group=" number            side by side along K; default 1
//              | "prefetch=" number         of B, bytes; default 0
//              | "ahead=" number            of B, bytes; default 0
//              | "share=" number            of the next panel, lines; default 0
//              | "streams=" number          parts of a panel read in turn, or
//                                         on tiles asked for; default 1
//              | "pack=" ("none" | "block" | "whole")   A in place, or packed
//                                         per block, or for all of K at once
//              | "embed=" number          rows of packed A that multiply-adds
//                                         broadcast themselves; default 0
//              | "widen=" ("step" | "panel")   narrow w: in each step of the
//                                         k loop, or a panel at a time, on
//                                         tiles f16 into two bf16 each;
//                                         default step
//              | "epilogue=" ("registers" | "tile" | "next")
//              | "store=" ("cached" | "stream")    outputs; default cached
//              | "mc=" size | "nc=" size | "kc=" size   cache blocks
//              | "blocks=" ("mn" | "nm")    outermost loop over blocks
//              | "tiles=" ("mn" | "nm")     outermost loop over tiles
//              | "grid=" TM "x" TN [ "x" TK ]   thread chunks along M, N and K
//              | "deal=" ("static" | "dynamic")   of chunks; default static
//   size     ::= number | "whole"             "whole": the whole dimension
//
//   tile=8x48,pack=none,epilogue=registers,mc=128,nc=384,kc=768,blocks=mn,tiles=nm,grid=1x2
#pragma once

#include "Lintel/Target.h"
#include "lintel/DType.h"
#include "lintel/Error.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace lintel {

enum class PackA : uint8_t {
  none, ///< the micro-kernel reads x with its own row stride
  /// each thread copies an MC x KC block of x into [strip][KC][rows], or,
  /// widened, in the order that Schedule::typeOfRows says
  block,
  whole, ///< each thread copies MC rows of x, all of K, once for all K blocks
};
/// When a weight of f16 or bf16 is widened that products take in f32; on tiles
/// when f16 is split into two bf16 each.
enum class Widen : uint8_t {
  step, ///< as a step of the k loop loads it
  /// each thread widens a panel of a block before the strips pass it
  panel,
};
/// What multiplies.
enum class Unit : uint8_t {
  vector, ///< vector registers, by multiply-adds
  amx,    ///< tile registers of 16 rows of 64 bytes
};
/// What products are added to first.
enum class Accumulate : uint8_t {
  f32, ///< the sums of f32; products of integers go to those of i32
  f16, ///< sums of f16 that are as long as a run (kHalfRun), each added to f32
  s16, ///< of two neighbours along K, saturating, each added to i32
};
/// Which factor AMX loads past the L1 cache, to leave it to the other one.
enum class StreamHint : uint8_t { none, a, b };
enum class EpiloguePlacement : uint8_t {
  registers, ///< on the accumulators, straight-line
  tile, ///< the tile is stored to L1 scratch and the epilogue loops over it
  next, ///< the same, while tile registers multiply for the next tile
};
/// How threads come by the chunks of the grid.
enum class Dealing : uint8_t {
  fixed,   ///< every so many-th, known before the call; "static" in texts
  dynamic, ///< the next one as soon as a thread is free
};
/// How a kernel takes K; compiled in.
enum class Depth : uint8_t {
  whole,  ///< one micro-kernel call finishes a tile's sums
  cut,    ///< in blocks of kc, between which the sums wait in the workspace
  sliced, ///< chunks of the grid share it; a second phase adds their sums up
};
enum class StorePolicy : uint8_t {
  cached, ///< outputs go through the caches, which first read what they lack
  stream, ///< whole cache lines of outputs go past the caches to memory
};
enum class LoopOrder : uint8_t { mn, nm }; ///< first letter: the outer loop

/// What a schedule asks of the packed weight; schedules that agree on it can
/// share one.
struct PanelShape {
  int64_t columns = 1; ///< of a panel
  int64_t group = 1;   ///< elements of K side by side
  friend auto operator<=>(const PanelShape &, const PanelShape &) = default;
};

/// One way to compute a problem. The first group is compiled into the object;
/// the second only fills the plan of a call, so that one object serves many
/// schedules, but for `tiles` where panels are widened.
struct Schedule {
  int64_t mr = 1; ///< rows of the register tile
  /// Columns, the width of a packed panel: whole vectors, but for dot products,
  /// whose vectors run along K.
  int64_t nr = 1;
  Unit unit = Unit::vector;
  Accumulate accumulate = Accumulate::f32;
  StreamHint hint = StreamHint::none;
  /// Consecutive elements of K that lie side by side in the packed weight: as
  /// many as a lane takes (depthOfLane, on tile registers tileInterleaveOf, but
  /// interleaveOf where f16 is split), or
  /// a whole vector, whose lanes then run along K instead of along N.
  int64_t group = 1;
  /// How far ahead of its use, in bytes, the weight, or the panel that was
  /// widened of it, is prefetched; of a tile on tile registers, how many bytes
  /// of the next panel each step of the k loop asks for. 0: left to the
  /// hardware.
  int64_t prefetch = 0;
  /// How far ahead of its use, in bytes, a weight that passes once on its way
  /// from memory is prefetched into L2. 0: left to the hardware.
  int64_t ahead = 0;
  /// How many cache lines of the next panel each step of the k loop asks for at
  /// most, on vector registers, into L2: the strips of a block share out what
  /// it has. It is the next one where a block takes one panel after the other
  /// (`tiles=nm`, or one panel), and blocks of the same rows or all of them
  /// follow each other (`blocks=mn`, or one block of rows); nothing depends on
  /// it but time. 0: left to the hardware.
  int64_t share = 0;
  /// Into how many parts of equal depth the k loop cuts a panel, to read a step
  /// of each in turn: the hardware's own prefetching follows them all. On tiles
  /// parts of the next panel, of each of which a step asks for some lines. 1:
  /// from the panel's beginning to its end.
  int64_t streams = 1;
  PackA pack = PackA::none;
  /// Of how many rows of a tile each multiply-add broadcasts A from memory
  /// itself, where others share a broadcast in a register: fewer instructions
  /// for more loads.
  int64_t embed = 0;
  Widen widen = Widen::step;
  EpiloguePlacement epilogue = EpiloguePlacement::registers;
  StorePolicy store = StorePolicy::cached;

  int64_t mc = 1; ///< rows of a block
  int64_t nc = 1; ///< columns of a block
  int64_t kc = 1; ///< depth of a block
  LoopOrder blocks = LoopOrder::mn;
  LoopOrder tiles = LoopOrder::mn;
  int64_t gridM = 1;
  int64_t gridN = 1;
  /// Slices of K, which threads sum up side by side.
  int64_t gridK = 1;
  Dealing deal = Dealing::fixed;

  /// Canonical text, every field in the order of the grammar.
  std::string text() const;
  /// The same code with every argument at its default, or at what the code
  /// takes alone: schedules that agree on it share an object.
  Schedule code() const;
  /// Parses the grammar above. "tile" is required; a field that is left out
  /// keeps its default, and block sizes that are left out mean "the whole
  /// dimension" (kWhole). An error names the field and what it takes.
  static Expected<Schedule> parse(std::string_view text);
  /// Sets one field from its text; shared by parse() and the attribute's
  /// parser.
  Status setField(std::string_view name, std::string_view value);
  /// Success if every number is in the range that its field takes; for
  /// schedules that were not made from text.
  Status check() const;

  /// Block size that covers any dimension.
  static constexpr int64_t kWhole = int64_t(1) << 40;
  PanelShape panel() const { return {nr, group}; }
  Depth depth() const {
    if (gridK > 1)
      return Depth::sliced;
    return kc == kWhole ? Depth::whole : Depth::cut;
  }
  /// True if the tile is made of dot products: each accumulator holds partial
  /// sums of one output, of a weight of this type.
  bool vectorsAlongK(DType weight) const {
    return !onTiles() && group > interleaveOf(weight);
  }
  /// True if K is cut neither into blocks nor into slices: a tile of dot
  /// products leaves no sums that others could add to, and streams of vectors
  /// stand at constant places of a panel.
  bool takesWholeDepth(DType weight) const {
    return vectorsAlongK(weight) || (streams > 1 && !onTiles());
  }
  /// Whether a step on tiles asks for whole lines, as many in each, of
  /// `streams` equal parts of the next panel.
  bool asksForEqualParts() const;
  /// What a step on tiles may ask for: a line of each column.
  int64_t mostPrefetchOnTiles() const;
  bool streamsOutputs() const { return store == StorePolicy::stream; }
  bool packsA() const { return pack != PackA::none; }
  /// The type in which products find the rows of an x of this type: f32 or s16
  /// where a block packs what they would widen again for every panel. Such rows
  /// lie as those of x do, and not transposed. On tiles bf16 that f16 was split
  /// into.
  DType typeOfRows(DType activation, const Target &target) const;
  /// Bytes that an element of such an x takes there.
  int64_t bytesOfRows(DType activation, const Target &target) const;
  /// Whether it is f32 and x is not.
  bool widensRowsToF32(DType activation, const Target &target) const {
    return activation != DType::f32 &&
           typeOfRows(activation, target) == DType::f32;
  }
  bool widensPanels() const { return widen == Widen::panel; }
  /// Whether tile registers multiply f16 as two bf16 each, the higher and the
  /// lower half of its bits, whose sum it is.
  bool splitsHalves() const { return onTiles() && widensPanels(); }
  /// How many numbers products find for an element of either factor; the
  /// products of two elements are as many for each of either.
  int64_t partsOfFactor() const { return splitsHalves() ? 2 : 1; }
  int64_t productsOfPair() const { return partsOfFactor() * partsOfFactor(); }
  /// Elements of K that a step of the k loop on vectors takes.
  int64_t depthOfStep() const { return widensPanels() ? 1 : group; }
  /// The type in which products find a panel of a weight of this type.
  DType typeOfPanels(DType weight) const {
    if (splitsHalves())
      return DType::bf16;
    return widensPanels() ? DType::f32 : weight;
  }
  /// Bytes that an element of such a weight takes there.
  int64_t bytesOfPanels(DType weight) const {
    return partsOfFactor() * bytesOf(typeOfPanels(weight));
  }
  /// Elements of K that a panel is widened to multiples of: whole groups, on
  /// tiles whole steps of the k loop.
  int64_t depthUnitOfPanels(DType weight) const {
    return splitsHalves() ? depthUnitOf(weight) : group;
  }
  bool onTiles() const { return unit == Unit::amx; }
  bool sumsRunsInHalf() const { return accumulate == Accumulate::f16; }
  bool sumsPairsInWords() const { return accumulate == Accumulate::s16; }
  /// Whether products of integers take unsigned ones of x: x + 128 for s8.
  bool takesUnsignedRows(const Target &target) const {
    return !onTiles() && (sumsPairsInWords() || target.multipliesQuads());
  }
  bool prefetchesNextPanel() const {
    return onTiles() ? prefetch > 0 : share > 0;
  }

  friend bool operator==(const Schedule &, const Schedule &) = default;
};

/// Elements of K that a lane of a vector of 32-bit sums takes at once: as many
/// of the weight as fill it (interleaveOf), but two of s8 where products are of
/// integers that were widened to 16 bits.
int64_t depthOfLane(DType weight, const Target &target, Accumulate accumulate);

/// Steps side by side in a turn of the k loop on vectors, for panels of `type`:
/// two where a step of two vectors or more has so few products that what a turn
/// takes beside them counts, in f32 with AVX2. Where another hyperthread takes
/// half of the front end, loops of 6x16, 4x24 and 4x16 in L1 ran 6, 10 and 14 %
/// faster with two (Zen 3), of 8x48 with AVX-512 within 1 % on quiet cores (Zen
/// 5, Emerald Rapids).
int64_t stepsOfTurn(const Schedule &schedule, DType type, const Target &target);

/// Elements of K that such a turn takes.
int64_t depthOfTurn(const Schedule &schedule, DType type, const Target &target);

/// Cache lines that a turn of the k loop on vectors reads of the weight, or
/// that were widened for it.
int64_t linesOfTurn(const Schedule &schedule, DType weight,
                    const Target &target);

} // namespace lintel
