// What micro-kernels take when their data are in the caches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/AmxTile.h"
#include "Schedule/AmxSchedules.h"
#include "Schedule/CostModel.h"
#include "Schedule/Partition.h"

#include <algorithm>
#include <cmath>

namespace lintel {

/// Adding up the lanes of one accumulator, by a tree of shuffles.
static constexpr double kReductionCycles = 3;
/// A call on tile registers, and zeroing or loading and storing each register
/// of sums: together 230 for 32x32.
static constexpr double kTileCallCycles = 30;
static constexpr double kTileSumCycles = 50;
/// Adding the sums of f16 in one register to those of f32 in memory: two
/// conversions, each with a load, an addition and a store; seven instructions
/// on two ports.
static constexpr double kRunEndCycles = 4;
/// Slowdown for each row of A beyond those whose addresses fit the integer
/// registers, when A is read in place.
static constexpr double kRowPointer = 0.005;
static constexpr double kFreeRowPointers = 8;
/// Of a strip as large as L1, what panels that are loaded past L1 leave there;
/// of a larger one as many bytes. Without the hint bf16 took 19 to 22 % longer
/// with strips of 64 KiB (1024x1024:1024x512), 24 to 29 % with 48 KiB (K = 768)
/// on Emerald Rapids (decision 102). Panels that rows pass gain less from the
/// hint for rows, and are charged L2.
static constexpr double kPassedShare = 0.6;

/// Cycles from one step to the next that adds to the same sums. `chained`: the
/// products of its parts follow each other.
static double latencyOfStep(const ProductForm &form, bool chained) {
  return form.latency * static_cast<double>(chained ? form.parts : 1);
}

/// The shares of strips and panels that tiles still find in L1.
SharesInL1 CostModel::sharesInL1(const Schedule &schedule,
                                 const Chunk &chunk) const {
  const ReuseDistances reuse = reuseDistances(schedule, chunk);
  const auto ofLevel = [&](double distance) {
    return levelOf(distance) == l1Level ? 1.0 : 0.0;
  };
  SharesInL1 shares{.a = ofLevel(reuse.strip), .b = ofLevel(reuse.panel)};
  const bool panelsPassL1 =
      schedule.tiles == LoopOrder::mn && schedule.hint == StreamHint::b;
  if (panelsPassL1 && shares.a == 0)
    shares.a = kPassedShare * l1 / reuse.strip;
  return shares;
}

const ProductForm &CostModel::formOf(const Schedule &schedule) const {
  if (schedule.widensPanels())
    return wideProduct;
  switch (schedule.accumulate) {
  case Accumulate::f32:
    return product;
  case Accumulate::f16:
    return halfProduct;
  case Accumulate::s16:
    return wordProduct;
  }
  return product;
}

/// Of each row of x in each step.
bool CostModel::flipsSigns(const Schedule &schedule) const {
  return activation == DType::s8 && !schedule.packsA() &&
         schedule.takesUnsignedRows(target);
}

/// Cycles of one element of K: those of a step of the loop, the busiest of the
/// multipliers, the load ports, the front end and the chain of sums, over the
/// elements that it takes.
double CostModel::cyclesPerK(const Schedule &schedule,
                             const Chunk &chunk) const {
  if (schedule.onTiles())
    return amxCyclesPerK(schedule, weight, chunk.rows,
                         sharesInL1(schedule, chunk), busyCores) *
           tileRowsInPlaceFactor(schedule, chunk);
  if (schedule.vectorsAlongK(weight))
    return dotCyclesPerK(schedule, chunk);
  const ProductForm &form = formOf(schedule);
  const auto parts = static_cast<double>(form.parts);
  const auto vectors = static_cast<double>(ceilDiv(schedule.nr, form.lanes));
  const double products = chunk.rows * vectors * parts;
  const double flips = flipsSigns(schedule) ? chunk.rows : 0;
  const bool widens = form.conversions > 0 && !widensRows(schedule);
  const double conversions = static_cast<double>(form.conversions) *
                                 (vectors + (widens ? chunk.rows : 0)) +
                             flips;
  // A broadcast with a single use is part of its FMA, a load of full width.
  const bool folded = vectors == 1 && !widens && form.broadcastsInProduct;
  // Of a widened row each part is an element of its own.
  const double ofRows = widens ? chunk.rows : chunk.rows * parts;
  const double embedded = static_cast<double>(schedule.embed) * chunk.rows /
                          static_cast<double>(schedule.mr);
  const double elements = ofRows + embedded * (vectors - 1);
  const double loads = folded ? (1 + chunk.rows) / core.vectorLoads
                              : vectors / core.vectorLoads + elements / 2;
  const double multiplies = products * static_cast<double>(form.multiplies);
  const double multiplyUops =
      products * (fusedMultiplyAdd ? static_cast<double>(form.uops) : 3);
  const double broadcasts = folded ? 0 : ofRows - embedded;
  const double shuffles = broadcasts * static_cast<double>(form.shuffles);
  const double prefetches =
      ((schedule.prefetch > 0) + (schedule.ahead > 0)) * vectors;
  const double ofTurn = static_cast<double>(schedule.share) + 3;
  const auto steps = static_cast<double>(
      stepsOfTurn(schedule, schedule.typeOfPanels(weight), target));
  const double uops = multiplyUops + conversions + vectors + broadcasts +
                      shuffles + prefetches + ofTurn / steps;
  const bool chained = chunk.rows > 1 && vectors > 1;
  const double multipliers =
      multiplies + shuffles + conversions * form.conversionTime;
  const double step =
      std::max({multipliers / core.fmas, loads, uops / core.uops,
                latencyOfStep(form, chained)});
  const double runEnds =
      schedule.sumsRunsInHalf() ? products * kRunEndCycles / kHalfRun : 0;
  return (step + runEnds) * readInPlaceFactor(schedule, chunk) /
         static_cast<double>(form.depth);
}

/// A step of dot products takes a vector of K at once; each row is loaded once,
/// each column once, and every pair of them is a product of all their parts.
double CostModel::dotCyclesPerK(const Schedule &schedule,
                                const Chunk &chunk) const {
  const auto width = static_cast<double>(schedule.nr);
  const double products =
      chunk.rows * width * static_cast<double>(product.parts);
  const double vectors = chunk.rows + width;
  const double loads = vectors / core.vectorLoads;
  const double flips = flipsSigns(schedule) ? chunk.rows : 0;
  const double conversions =
      static_cast<double>(product.conversions) * vectors + flips;
  const double multiplies = products * static_cast<double>(product.multiplies);
  const double multiplyUops =
      products * (fusedMultiplyAdd ? static_cast<double>(product.uops) : 3);
  const double uops = multiplyUops + conversions + vectors + 3;
  const bool chained = chunk.rows > 1 && width > 1;
  const double multipliers = multiplies + conversions * product.conversionTime;
  return std::max({multipliers / core.fmas, loads, uops / core.uops,
                   latencyOfStep(product, chained)}) /
         static_cast<double>(schedule.group);
}

/// Adding up the lanes of the accumulators: three instructions for each but the
/// last of a vector's worth.
double CostModel::reductionCycles(const Schedule &schedule,
                                  const Chunk &chunk) const {
  if (!schedule.vectorsAlongK(weight))
    return 0;
  return kReductionCycles * chunk.rows * static_cast<double>(schedule.nr);
}

/// What so many rows, `stride` bytes apart, cost that are read again and again
/// for the sets of L1 that they share: rows that lie a multiple of 2 KiB apart
/// meet in few, and evict each other when there are more of them than ways.
static double sharedSetsFactor(double rows, int64_t stride, double l1) {
  if (stride % 2048 != 0)
    return 0;
  const double setsSpan = stride % 4096 == 0 ? 4096 : 2048;
  const double excess = std::max(0.0, rows - l1 / setsSpan);
  return std::min(1.0, 0.006 * excess * excess);
}

/// What reading A in place costs: addresses of many rows, and sets of L1.
double CostModel::readInPlaceFactor(const Schedule &schedule,
                                    const Chunk &chunk) const {
  if (schedule.packsA())
    return 1;
  const double pointers =
      kRowPointer * std::max(0.0, chunk.rows - kFreeRowPointers);
  const int64_t stride = depth * static_cast<int64_t>(activationBytes);
  return 1 + pointers + sharedSetsFactor(chunk.rows, stride, l1);
}

/// The same of tiles, for which rows are an address and a distance. Strips that
/// pass a panel do not stay in L1, but each comes from other lines and pages
/// than the one before: charged as addresses are on vectors, which fits. Of a
/// strip that stays all sets are in use, unless K is cut: with K = 1024 in
/// bf16, strips of 32 rows and 512 of K took 15 to 18 % longer than with all of
/// K (Emerald Rapids, decision 102).
double CostModel::tileRowsInPlaceFactor(const Schedule &schedule,
                                        const Chunk &chunk) const {
  if (schedule.packsA())
    return 1;
  if (passesPanelByPanel(schedule, chunk))
    return chunk.blockStrips == 1
               ? 1
               : 1 + kRowPointer * std::max(0.0, chunk.rows - kFreeRowPointers);
  const int64_t stride = depth * static_cast<int64_t>(activationBytes);
  return chunk.depthBlocks == 1 ? 1
                                : 1 + sharedSetsFactor(chunk.rows, stride, l1);
}

static double tileCallCycles(int64_t rows, int64_t columns) {
  return kTileCallCycles +
         kTileSumCycles *
             static_cast<double>(AmxTile::of(rows, columns).sums());
}

/// Widening the panels of each block of rows: of a vector of floats its share
/// of a load and of the conversions, and a store; or splitting them.
double CostModel::wideningCycles(const Schedule &schedule,
                                 const Chunk &chunk) const {
  if (!schedule.widensPanels())
    return 0;
  const double vectors = chunk.stripBlocks * chunk.panels * chunk.depth *
                         static_cast<double>(schedule.nr) / lanes;
  if (schedule.splitsHalves())
    return vectors * kSplitCycles;
  const double conversions = static_cast<double>(product.conversions) *
                             product.conversionTime /
                             static_cast<double>(product.parts);
  return vectors * (1 + conversions / core.fmas);
}

double CostModel::computeCycles(const Schedule &schedule,
                                const Chunk &chunk) const {
  const double tiles = chunk.strips * chunk.panels;
  const double call = schedule.onTiles()
                          ? tileCallCycles(schedule.mr, schedule.nr)
                          : kCallCycles;
  // The last vector of dot products takes as long as the others.
  const auto group = static_cast<double>(schedule.group);
  const double steps = schedule.vectorsAlongK(weight)
                           ? std::ceil(chunk.depth / group) * group
                           : chunk.depth;
  return tiles * (steps * cyclesPerK(schedule, chunk) +
                  chunk.depthBlocks * call + reductionCycles(schedule, chunk)) +
         wideningCycles(schedule, chunk);
}

} // namespace lintel
