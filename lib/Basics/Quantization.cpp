// How integers stand for numbers in a layer of int8.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/Quantization.h"

#include <limits>

namespace lintel {

std::string_view toString(Granularity granularity) {
  switch (granularity) {
  case Granularity::none:
    return "none";
  case Granularity::tensor:
    return "tensor";
  case Granularity::row:
    return "row";
  case Granularity::column:
    return "column";
  }
  return "unknown";
}

std::optional<DType> typeOfZeroPoint(OperandRole role, const DataTypes &types) {
  switch (role) {
  case OperandRole::xZero:
    return types.activation;
  case OperandRole::wZero:
    return types.weight;
  case OperandRole::resultZero:
    return types.result;
  case OperandRole::ofStage:
  case OperandRole::xScale:
  case OperandRole::wScale:
  case OperandRole::resultScale:
    return std::nullopt;
  }
  return std::nullopt;
}

Quantization Quantization::of(const DataTypes &types) {
  Quantization quantization;
  if (types.activation == DType::u8)
    quantization.xZero = Granularity::tensor;
  if (!isFloat(types.result))
    quantization.resultScale = Granularity::tensor;
  if (types.result == DType::u8)
    quantization.resultZero = Granularity::tensor;
  return quantization;
}

/// Of an element less its zero point.
static int64_t mostMagnitude(DType dtype, Granularity zero) {
  return dtype == DType::u8 || zero != Granularity::none ? 255 : 128;
}

int64_t mostDepth(const DataTypes &types, const Quantization &quantization) {
  return std::numeric_limits<int32_t>::max() /
         (mostMagnitude(types.activation, quantization.xZero) *
          mostMagnitude(types.weight, quantization.wZero));
}

} // namespace lintel
