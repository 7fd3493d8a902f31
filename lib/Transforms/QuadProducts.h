// Products of integers of 8 bits, four in a lane.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/ProductStep.h"

namespace lintel::ir {

/// The fastest way to multiply four i8 of B with four ui8 or i8 of A in every
/// lane and to add the products to a sum in i32: with Accumulate::s16 one whose
/// sums of pairs saturate, else an exact one. What multiplies unsigned integers
/// with signed ones takes a + 128 for an A of i8.
std::unique_ptr<ProductStep>
createQuadProducts(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Type element, const Target &target,
                   Accumulate accumulate, mlir::Value left);

/// The even and the odd elements of quads of bytes, each widened to i16.
struct WidenedHalves {
  mlir::Value even, odd;
};

/// Of a vector of i16 that holds two bytes in each, as they lie in memory.
WidenedHalves widenHalves(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value bytes, bool areSigned);

} // namespace lintel::ir
