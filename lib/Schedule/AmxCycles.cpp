// How long products on tile registers take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/AmxTile.h"
#include "Schedule/AmxSchedules.h"

#include <algorithm>

namespace lintel {

// Cycles on Emerald Rapids (measured, decision 77). A product takes a row a
// cycle, also when it adds to the sums of the one before: these are ready in
// 16 cycles. Whether sooner, where there are fewer rows, was not measured.
static constexpr double kSumsReady = 16;
static constexpr double kLoadCyclesFromL1 = 8;
static constexpr double kLoadCyclesFromL2 = 21;
/// A product on a core whose other hyperthread works for somebody else, with
/// four registers in use, and what each further register adds. Loads from L2
/// come on top there.
static constexpr double kBusyProductCycles = 28;
static constexpr double kBusyRegisterCycles = 8;

double amxCyclesPerK(const Schedule &schedule, DType weight, double rows,
                     SharesInL1 inL1, double busyCores) {
  const AmxTile tile = AmxTile::of(schedule.mr, schedule.nr);
  const auto productsOfPair = static_cast<double>(schedule.productsOfPair());
  // Where factors are split, each of four passes over the sums takes another
  // part of one of them. Tiles of B are loaded twice, but for one that is
  // there; the second time they come from L1.
  const bool splits = schedule.splitsHalves();
  const auto rowTiles = static_cast<double>(tile.rowTiles);
  const auto columnTiles = static_cast<double>(tile.columnTiles);
  const double products = productsOfPair * rows * columnTiles;
  const double loadsOfA = splits ? 2 * rowTiles : rowTiles;
  const double loadsOfB = splits ? 2 * columnTiles : columnTiles;
  const double loadsAgain = splits ? 2 * columnTiles - 1 : 0;
  const double loadsFromL1 = inL1.a * loadsOfA + inL1.b * loadsOfB + loadsAgain;
  const double loadsFromL2 = (1 - inL1.a) * loadsOfA + (1 - inL1.b) * loadsOfB;
  const double cyclesFromL2 = loadsFromL2 * kLoadCyclesFromL2;
  const double alone =
      std::max({products, productsOfPair * kSumsReady,
                loadsFromL1 * kLoadCyclesFromL1 + cyclesFromL2});
  const auto further = static_cast<double>(
      std::max<int64_t>(0, tile.registers() - kFrugalTile.registers()));
  const double shared =
      productsOfPair * static_cast<double>(tile.sums()) *
          (kBusyProductCycles + kBusyRegisterCycles * further) +
      cyclesFromL2;
  // What cores of both kinds get done together.
  const double cycles =
      1 / ((1 - busyCores) / alone + busyCores / std::max(alone, shared));
  return cycles / static_cast<double>(depthUnitOf(weight));
}

} // namespace lintel
