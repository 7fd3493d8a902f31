// Element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   types  ::= inputs [ ":" result ]
//   inputs ::= "f32" | "bf16" | "f16"     activations and weights alike
//            | "u8s8" | "s8s8"            activations, then weights
//   result ::= "f32" | "bf16" | "f16" | "u8" | "s8"
//
//   bf16      u8s8      u8s8:u8      bf16:f32
#pragma once

#include "lintel/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lintel {

enum class DType : uint8_t { f32, bf16, f16, s8, u8, s32 };

/// "f32".
std::string_view toString(DType dtype);
/// Bytes of one element.
size_t byteSize(DType dtype);
/// Inverse of toString; an unknown name is ErrorCode::invalidArgument.
Expected<DType> parseDType(std::string_view name);
/// True for f32, bf16 and f16.
bool isFloat(DType dtype);
/// Elements of K that stand side by side in one 32-bit lane of a packed weight:
/// 2 for bf16 and 4 for int8, whose instructions multiply that many at once; 1
/// for f32, and for f16, which is widened a vector at a time.
int64_t interleaveOf(DType weight);
/// A packed weight is padded with zeros to a multiple of so many elements of K:
/// those of a cache line where instructions multiply tiles of the type, bf16
/// and int8, whose rows are read whole; else 1.
int64_t depthUnitOf(DType weight);

/// The element types of a layer.
struct DataTypes {
  DType activation = DType::f32;
  DType weight = DType::f32;
  DType result = DType::f32;

  /// Parses the grammar above. A result that is left out is of the activation's
  /// type, f32 for int8. An error lists what is legal.
  static Expected<DataTypes> parse(std::string_view text);
  /// Names of inputs with a weight of this type: "u8s8 or s8s8".
  static std::string namesWithWeight(DType weight);
  /// Success for types that some layer has; an error names them.
  Status check() const;
  /// Canonical text: a result that is the default is left out.
  std::string text() const;
  /// What products are summed in: f32, or s32 for int8.
  DType accumulator() const;
  /// The type of epilogue operands that a name stands for: the result's where
  /// it is a float type, else f32.
  DType operand() const;
  /// x and w are of 8-bit integers.
  bool areIntegers() const { return !isFloat(activation); }
  friend bool operator==(const DataTypes &, const DataTypes &) = default;
};

} // namespace lintel
