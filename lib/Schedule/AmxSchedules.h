// Schedules on the tile registers of AMX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/AmxTile.h"
#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <vector>

namespace lintel {

/// A tile that leaves half of the registers alone, which a core that shares
/// itself with another hyperthread is faster with.
inline constexpr AmxTile kFrugalTile = {1, 2};

/// The factor that the inner loop over tiles goes through, while a tile of the
/// other one stays: what the hint is for.
StreamHint passingFactor(const Schedule &schedule);

/// Bytes of the next panel that each step of the k loop of `schedule` asks for,
/// so that the `strips` strips of a block together ask for all of it, or, with
/// `streams`, for as much as pays.
int64_t nextPanelPrefetch(const Schedule &schedule, int64_t strips);

/// Whether so many strips have enough to ask for, each, that they may do so in
/// the streams of the schedule.
bool streamsSuit(const Schedule &schedule, int64_t strips);

/// How the lines that a step asks for lie in the next panel: some side by side
/// in each of as many equal parts of it as the schedule has `streams`, and
/// those of the next steps behind them. Memory is read faster in several places
/// at once, which the hardware follows by itself. Emerald Rapids, one thread,
/// bf16, four strips of 32x32, GFLOP/s in one place, two, four and eight: from
/// memory 1147, 1290, 1363 and 1358, from L3 1361, 1465, 1467 and 1483; from
/// seven strips on one is as good.
struct AskedLines {
  int64_t ofStep; ///< lines of a part that a step asks for
  int64_t ofPart; ///< lines of a part for each step there is

  static AskedLines of(const Schedule &schedule);
};

/// Success if the `streams` of a schedule of unit amx are equal parts of the
/// next panel, and of what a step asks for of it. Whether the rest of the
/// schedule is legal is not looked at.
Status checkAmxStreams(const Schedule &schedule);

/// Success if the tile registers of `target` can compute `schedule`, of unit
/// amx. The message names the field and what it takes.
Status checkAmxTile(const Schedule &schedule, const Problem &problem,
                    const Target &target);

/// Tile, packing and hint of every kernel on tile registers worth considering
/// for so many threads; none where the target cannot multiply such tiles.
std::vector<Schedule> amxVariants(const Problem &problem, const Target &target,
                                  int threads);

/// The share of each factor's registers (0 to 1) that a tile loads from L1; the
/// others come from L2.
struct SharesInL1 {
  double a = 0, b = 0;
};

/// Cycles of one element of K for a tile of `rows` rows, where `busyCores` of
/// all cores (0 to 1) have a hyperthread that works for somebody else.
double amxCyclesPerK(const Schedule &schedule, DType weight, double rows,
                     SharesInL1 inL1, double busyCores);

} // namespace lintel
