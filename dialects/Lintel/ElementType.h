// Element types as IR has them and as everything else has them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/DType.h"

#include "mlir/IR/Types.h"

#include <cstdint>
#include <optional>

namespace lintel::ir {

/// Empty for types that no layer computes with. Tensors of i8 hold signed
/// integers, those of ui8 unsigned ones.
std::optional<DType> dtypeOf(mlir::Type type);
/// Its inverse; i16 for s16, which no layer computes with.
mlir::Type typeOf(mlir::MLIRContext *context, DType dtype);
/// True for f32, bf16 and f16.
bool isFloatOfLayers(mlir::Type type);
/// True for bf16 and f16, which few CPUs compute in.
bool isNarrowFloat(mlir::Type type);
/// The scalar that stands for an element in an epilogue: integers have no sign
/// there, as everywhere in arith.
mlir::Type scalarOf(mlir::Type element);

/// Elements of K that stand side by side in one 32-bit lane of a packed weight
/// of this type; 1 for types that no layer computes with.
int64_t interleaveOf(mlir::Type type);
/// The same of a weight that tile registers multiply.
int64_t tileInterleaveOf(mlir::Type type);

/// Elements of K that a packed weight of this type is padded to a multiple of;
/// 1 for types that no layer computes with.
int64_t depthUnitOf(mlir::Type type);

} // namespace lintel::ir
