// The register tiles that fit a target and suit a problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <vector>

namespace lintel {

/// Rows and columns of accumulators held in registers.
struct RegisterTile {
  int64_t mr = 1;
  int64_t nr = 1;
  friend bool operator==(const RegisterTile &, const RegisterTile &) = default;
};

/// Vector registers that the k loop of a tile of `mr` rows and `vectors`
/// vectors keeps alive: accumulators, one row of B and one broadcast from A,
/// in as many parts as ProductForm has of them, what makes these, and, where
/// there is no FMA, the product. A tile of one row, or of one vector, has an
/// accumulator for each part.
int64_t registersOfTile(DType weight, const Target &target, int64_t mr,
                        int64_t vectors,
                        Accumulate accumulate = Accumulate::f32);

/// Largest mr whose tile fits the registers; 0 if none does.
int64_t maxTileRows(DType weight, const Target &target, int64_t vectors,
                    Accumulate accumulate = Accumulate::f32);

/// Tiles worth considering: for each width of 1 to 8 vectors the tallest that
/// fits and a few lower ones; with Widen::panel those of f32. None is wider
/// than N rounded up to a vector, and none is taller than the tallest strip it
/// makes of a known M.
std::vector<RegisterTile> registerTiles(const Problem &problem,
                                        const Target &target,
                                        Accumulate accumulate = Accumulate::f32,
                                        Widen widen = Widen::step);

/// Elements of K of a vector in a tile of dot products.
int64_t groupOfDots(DType weight, const Target &target);

/// Tiles of dot products, whose vectors run along K, `nr` counting columns: for
/// layers of so few columns that vectors along N would be half empty, or would
/// make A's rows compete for cache sets, and for such as would pad them much.
/// Empty where they cannot pay.
std::vector<RegisterTile> dotTiles(const Problem &problem,
                                   const Target &target);

} // namespace lintel
