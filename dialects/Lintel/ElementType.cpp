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
  if (type.isUnsignedInteger(8))
    return DType::u8;
  if (type.isSignlessInteger(32))
    return DType::s32;
  return std::nullopt;
}

mlir::Type typeOf(mlir::MLIRContext *context, DType dtype) {
  switch (dtype) {
  case DType::f32:
    return mlir::Float32Type::get(context);
  case DType::bf16:
    return mlir::BFloat16Type::get(context);
  case DType::f16:
    return mlir::Float16Type::get(context);
  case DType::s8:
    return mlir::IntegerType::get(context, 8);
  case DType::u8:
    return mlir::IntegerType::get(context, 8, mlir::IntegerType::Unsigned);
  case DType::s32:
    return mlir::IntegerType::get(context, 32);
  case DType::s16:
    return mlir::IntegerType::get(context, 16);
  }
  return {};
}

bool isFloatOfLayers(mlir::Type type) {
  const std::optional<DType> dtype = dtypeOf(type);
  return dtype && isFloat(*dtype);
}

bool isNarrowFloat(mlir::Type type) { return type.isBF16() || type.isF16(); }

mlir::Type scalarOf(mlir::Type element) {
  if (!element.isUnsignedInteger())
    return element;
  return mlir::IntegerType::get(element.getContext(),
                                element.getIntOrFloatBitWidth());
}

int64_t interleaveOf(mlir::Type type) {
  const std::optional<DType> dtype = dtypeOf(type);
  return dtype ? lintel::interleaveOf(*dtype) : 1;
}

int64_t tileInterleaveOf(mlir::Type type) {
  const std::optional<DType> dtype = dtypeOf(type);
  return dtype ? lintel::tileInterleaveOf(*dtype) : 1;
}

int64_t depthUnitOf(mlir::Type type) {
  const std::optional<DType> dtype = dtypeOf(type);
  return dtype ? lintel::depthUnitOf(*dtype) : 1;
}

} // namespace lintel::ir
