// How integers stand for numbers in a layer of int8.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   number = scale * (integer - zero)
//
// The first stage of an epilogue makes numbers of the sums of products, the
// last makes integers of the results. What differs from the default is named:
//
//   dequant ::= "dequant" [ "(" factor { "," factor } ")" ]
//   factor  ::= "x=" ( "tensor" | "row" )              scale of x
//             | "xzero=" ( "none" | "tensor" | "row" )     zero point of x
//             | "w=" ( "tensor" | "column" )           scale of w
//             | "wzero=" ( "none" | "tensor" | "column" )  zero point of w
//   quant   ::= "quant" [ "(zero=" ( "none" | "tensor" ) ")" ]
//
//   dequant(x=row)+bias+relu      bias+quant(zero=none)
//
// The default is one scale for x, one for each column of w and one for the
// result; one zero point for x and for the result where they are u8.
#pragma once

#include "lintel/DType.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lintel {

/// What has a scale or a zero point of its own.
enum class Granularity : uint8_t {
  none,   ///< there is none: zero points are 0
  tensor, ///< one for all elements
  row,    ///< of x, one for each
  column, ///< of the output: one for each row n of w [N, K]
};
/// "none", "tensor", "row" or "column".
std::string_view toString(Granularity granularity);

/// The scales and zero points of a layer of int8.
struct Quantization {
  Granularity xScale = Granularity::tensor;
  Granularity xZero = Granularity::none;
  Granularity wScale = Granularity::column;
  Granularity wZero = Granularity::none;
  Granularity resultScale = Granularity::none; ///< tensor for integers
  Granularity resultZero = Granularity::none;

  /// The default for these types of integers.
  static Quantization of(const DataTypes &types);
  friend bool operator==(const Quantization &, const Quantization &) = default;
};

/// What an operand of an epilogue is for.
enum class OperandRole : uint8_t {
  ofStage, ///< read by a named stage or by a region
  xScale,
  xZero,
  wScale,
  wZero,
  resultScale,
  resultZero,
};
constexpr bool isScale(OperandRole role) {
  return role == OperandRole::xScale || role == OperandRole::wScale ||
         role == OperandRole::resultScale;
}
/// The type of the elements that a zero point belongs to; none for the other
/// operands.
std::optional<DType> typeOfZeroPoint(OperandRole role, const DataTypes &types);

/// The largest K whose sums of products 32 bits hold, whatever the elements,
/// zero points being in the range of the elements that they belong to.
int64_t mostDepth(const DataTypes &types, const Quantization &quantization);

/// Sums that epilogues of integers may need beside those of products.
struct InputSums {
  bool ofColumns = false; ///< sum_k w[n, k], which the packed weight holds
  bool ofRows = false;    ///< sum_k x[m, k], which a call works out first
  /// What taking zero points away needs.
  static InputSums of(const Quantization &quantization) {
    return {quantization.xZero != Granularity::none,
            quantization.wZero != Granularity::none};
  }
  friend bool operator==(const InputSums &, const InputSums &) = default;
};

} // namespace lintel
