// Element types as IR has them and as everything else has them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/ElementType.h"

#include "mlir/IR/BuiltinTypes.h"

namespace lintel::ir {

std::optional<DType> dtypeOf(mlir::Type type) {
  if (type.isF32())
    return DType::f32;
  if (type.isBF16())
    return DType::bf16;
  if (type.isF16())
    return DType::f16;
  if (type.isSignlessInteger(8))
    return DType::s8;
  if (type.isSignlessInteger(32))
    return DType::s32;
  return std::nullopt;
}

int64_t interleaveOf(mlir::Type type) {
  const std::optional<DType> dtype = dtypeOf(type);
  return dtype ? lintel::interleaveOf(*dtype) : 1;
}

int64_t depthUnitOf(mlir::Type type) {
  const std::optional<DType> dtype = dtypeOf(type);
  return dtype ? lintel::depthUnitOf(*dtype) : 1;
}

} // namespace lintel::ir
