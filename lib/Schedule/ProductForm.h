// How a target multiplies elements of a type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/DType.h"

#include <cstdint>

namespace lintel {

/// One step of a micro-kernel's k loop, as lib/Transforms/ProductStep.cpp emits
/// it: it loads vectors of B, and a vector for each row of A.
struct ProductForm {
  int64_t lanes = 1; ///< columns of a vector
  int64_t depth = 1; ///< elements of K
  /// Vectors that a loaded one becomes; as many multiply-adds go into each
  /// accumulator, which is as many registers in tiles of one row or one vector.
  int64_t parts = 1;
  int64_t conversions = 0; ///< instructions for that
  /// Multiply-adds that the units could do in the time of one conversion.
  double conversionTime = 0.5;
  int64_t scratch = 0; ///< registers that they need beside the parts
  /// Registers that tiles one vector wide leave free: LLVM fills some ahead of
  /// their use there, or finds none for an address.
  int64_t ahead = 0;
  /// Instructions on the units that multiply which broadcasting an element of A
  /// takes, unless that is part of its only product.
  int64_t shuffles = 0;
  /// Multiply-adds that the units could do in the time of one product.
  int64_t multiplies = 1;
  /// Instructions of one product, where multiplying and adding take one.
  int64_t uops = 1;
  /// Cycles from one product to the next that needs its sum.
  double latency = 4;
  /// A product may take its element of A from memory, in every lane.
  bool broadcastsInProduct = false;

  static ProductForm of(DType weight, const Target &target,
                        Accumulate accumulate = Accumulate::f32);
};

} // namespace lintel
