// How long vectors may be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>
#include <optional>

namespace lintel::ir {

/// Far above the registers of any CPU. MLIR lowers some operations element by
/// element, and a type may say any length.
inline constexpr int64_t kMostVectorBytes = 65536;

/// The bits of an integer, a float or an index; none of other types.
std::optional<int64_t> bitsOfElement(mlir::Type element);

/// Whether the elements, of all dimensions, take more than so many bytes. Those
/// that are neither integer, float nor index count as pointers.
bool isLongerThan(int64_t bytes, mlir::VectorType vector);

} // namespace lintel::ir
