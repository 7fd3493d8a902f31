// f16 as the sum of two bf16.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Transforms/KernelWriter.h"

namespace lintel::ir {

/// Vectors of 32-bit integers, the bits of f32 whose lower 16 are zero, but for
/// those of a NaN: the upper ones are a bf16.
struct HighAndLow {
  mlir::Value high, low;
};

/// Two bf16 for each f16 of a vector, which is their sum exactly: its upper
/// eight significant bits, the high part, and the three that are left, the low
/// one. Both have its sign, and neither is zero unless it is, so that products
/// of parts of infinities and NaN add up to those of the whole; where no bits
/// are left, both are half of it. Neither is denormal in bf16.
HighAndLow splitHalves(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value elements);

/// The bf16 of such a vector, as integers of 16 bits.
mlir::Value upperBits(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value bits);

/// Those of two vectors in turn, one of `even`, one of `odd`, which sums are to
/// add up: what a NaN has below may reach the number in front of it.
mlir::Value interleavedUpperBits(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value even, mlir::Value odd);

/// Builds @name_widen(args, from, depth, to): splits what stands at element
/// `from` of w, `depth` of K of one panel, to bf16 at element `to` of the
/// workspace, whole steps of the k loop on tiles:
/// [step][high, low][pair of K][nr][2].
void buildSplitPanel(KernelWriter &writer);

} // namespace lintel::ir
