// Products of integers of 8 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/ProductStep.h"

namespace lintel::ir {

/// The fastest way to multiply i8 of B with ui8 or i8 of A, depthOfLane of each
/// in every lane, and to add the products to a sum in i32: with Accumulate::s16
/// one whose sums of pairs saturate, else an exact one. What multiplies
/// unsigned integers with signed ones takes a + 128 for an A of i8.
std::unique_ptr<ProductStep>
createIntegerProducts(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Type element, const Target &target,
                      Accumulate accumulate, mlir::Value left);

} // namespace lintel::ir
