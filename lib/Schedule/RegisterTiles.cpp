// The register tiles that fit a target and suit a problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/RegisterTiles.h"

#include "Schedule/Partition.h"
#include "Schedule/ProductForm.h"
#include "Schedule/Strips.h"

#include <algorithm>
#include <numeric>

namespace lintel {

/// Wider tiles than this read B faster than any L2 delivers it.
static constexpr int64_t kMaxVectors = 8;
/// Taller tiles than this gain nothing over the load ports' limit (one load per
/// FMA) and leave the register allocator no slack.
static constexpr int64_t kMaxRows = 28;
/// A kernel for a dynamic M holds a micro-kernel for each height that some M
/// asks for. With more accumulators than this in all of them together an object
/// takes over 15 ms.
static constexpr int64_t kMaxAccumulatorsOfDynamicM = 56;
static constexpr size_t kRowChoices = 3;
/// Up to so many columns dot products are always tried. Beyond, where vectors
/// along N would be padded by more than kMaxPadding percent, which take as many
/// more bytes and products: 64 rows of 36 columns take 16 % less as dot
/// products than as 48, and one row of 100 columns 8 % less than as 112.
static constexpr int64_t kMaxColumnsOfDots = 32;
static constexpr int64_t kMaxPadding = 8;
/// Tiles of dot products: wider ones than 6 are taller than wide anyway, and
/// more than 16 rows are more streams than a core prefetches.
static constexpr int64_t kMaxDotColumns = 6;
static constexpr int64_t kMaxDotRows = 16;
/// Registers that tiles of dot products leave free where the signs of x are
/// flipped: LLVM does that for rows to come.
static constexpr int64_t kFreeForFlippedSigns = 1;

int64_t registersOfTile(DType weight, const Target &target, int64_t mr,
                        int64_t vectors, Accumulate accumulate) {
  const ProductForm form = ProductForm::of(weight, target, accumulate);
  const int64_t sums = mr > 1 && vectors > 1 ? 1 : form.parts;
  const int64_t product = target.hasFma() ? 0 : 1;
  const int64_t ahead = vectors == 1 ? form.ahead : 0;
  return mr * vectors * sums + form.parts * (vectors + 1) + form.scratch +
         ahead + product;
}

int64_t maxTileRows(DType weight, const Target &target, int64_t vectors,
                    Accumulate accumulate) {
  int64_t rows = target.vectorRegisters() / vectors;
  while (rows > 0 && registersOfTile(weight, target, rows, vectors,
                                     accumulate) > target.vectorRegisters())
    --rows;
  return rows;
}

/// The tallest strip that some M is cut into: a taller tile than that would
/// only round cache blocks more coarsely.
static int64_t tallestStrip(int64_t mr, const RowRange &rows) {
  return stripHeights(mr, rows).tall.front();
}

/// Rows of the tallest tile that is worth compiling, whose steps take a panel
/// of type `weight`.
static int64_t tallestTile(const Problem &problem, DType weight,
                           const Target &target, int64_t vectors,
                           Accumulate accumulate = Accumulate::f32) {
  const RowRange &rows = problem.rows();
  const auto accumulators = [&](int64_t mr) {
    const std::vector<int64_t> heights = stripHeights(mr, rows).tall;
    return vectors *
           std::accumulate(heights.begin(), heights.end(), int64_t(0));
  };
  int64_t mr =
      std::min(kMaxRows, maxTileRows(weight, target, vectors, accumulate));
  while (!rows.isKnown() && mr > 1 &&
         accumulators(mr) > kMaxAccumulatorsOfDynamicM)
    --mr;
  return mr;
}

static std::vector<int64_t> tileHeights(int64_t tallest, const RowRange &rows) {
  const int64_t shortest = ceilDiv(2 * tallest, 3);
  const int64_t step = std::max<int64_t>(1, tallest / 8);
  std::vector<int64_t> heights;
  for (int64_t mr = tallest; mr >= shortest && heights.size() < kRowChoices;
       mr -= step) {
    const int64_t height = tallestStrip(mr, rows);
    if (heights.empty() || height < heights.back())
      heights.push_back(height);
  }
  return heights;
}

std::vector<RegisterTile> registerTiles(const Problem &problem,
                                        const Target &target,
                                        Accumulate accumulate, Widen widen) {
  const DType weight =
      widen == Widen::panel ? DType::f32 : problem.types().weight;
  const int64_t lanes = ProductForm::of(weight, target, accumulate).lanes;
  const int64_t usefulVectors =
      std::max<int64_t>(1, ceilDiv(problem.n(), lanes));
  std::vector<RegisterTile> tiles;
  for (int64_t vectors = 1; vectors <= std::min(kMaxVectors, usefulVectors);
       ++vectors) {
    const int64_t tallest =
        tallestTile(problem, weight, target, vectors, accumulate);
    if (tallest < 1)
      break;
    for (int64_t mr : tileHeights(tallest, problem.rows()))
      tiles.push_back({mr, vectors * lanes});
  }
  return tiles;
}

int64_t groupOfDots(DType weight, const Target &target) {
  return target.lanes() * depthOfLane(weight, target, Accumulate::f32);
}

static bool dotsMayPay(const Problem &problem, const Target &target) {
  const int64_t lanes =
      ProductForm::of(problem.types().weight, target, Accumulate::f32).lanes;
  const int64_t columns = problem.n();
  const int64_t padding = ceilDiv(columns, lanes) * lanes - columns;
  return columns <= kMaxColumnsOfDots || 100 * padding > kMaxPadding * columns;
}

/// Whether K fills more than half of a step of dot products. 20000x15:15x1 in
/// u8s8 on AVX2 takes 0.5 to 0.7 of the time of tiles along N.
static bool fillsHalfOfDots(const Problem &problem, const Target &target) {
  return 2 * problem.k() > groupOfDots(problem.types().weight, target);
}

/// Rows of the tallest tile of dot products that is worth compiling.
static int64_t tallestDots(const Problem &problem, const Target &target,
                           int64_t width) {
  const DataTypes &types = problem.types();
  const bool flipsSigns =
      types.activation == DType::s8 && target.multipliesQuads();
  const int64_t registers =
      target.vectorRegisters() - (flipsSigns ? kFreeForFlippedSigns : 0);
  int64_t mr = tallestTile(problem, types.weight, target, width);
  while (mr > 1 && registersOfTile(types.weight, target, mr, width,
                                   Accumulate::f32) > registers)
    --mr;
  return mr;
}

std::vector<RegisterTile> dotTiles(const Problem &problem,
                                   const Target &target) {
  std::vector<RegisterTile> tiles;
  if (problem.n() < 1 || !fillsHalfOfDots(problem, target) ||
      !dotsMayPay(problem, target))
    return tiles;
  for (int64_t width = 1; width <= kMaxDotColumns; ++width) {
    // The last panel is as wide as the others, or nearly so.
    const int64_t panels = ceilDiv(problem.n(), width);
    if (ceilDiv(problem.n(), panels) != width)
      continue;
    const int64_t tallest = tallestDots(problem, target, width);
    for (int64_t mr : {tallest, tallest / 2})
      if (mr >= 1)
        tiles.push_back(
            {tallestStrip(std::min(mr, kMaxDotRows), problem.rows()), width});
  }
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  return tiles;
}

} // namespace lintel
