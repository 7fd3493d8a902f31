// Element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   types  ::= inputs [ ":" result ] [ ",accumulate=" sums ]
//   inputs ::= "f32" | "bf16" | "f16"     activations and weights alike
//            | "u8s8" | "s8s8"            activations, then weights
//   result ::= "f32" | "bf16" | "f16" | "u8" | "s8"
//   sums   ::= "f16"                     of products of f16
//            | "s16"                     of pairs of products of integers
//
//   bf16      u8s8      u8s8:u8      bf16:f32      f16:f32,accumulate=f16
#pragma once

#include "lintel/Error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lintel {

/// Kernels widen bytes to s16 for products, and may sum pairs of products in
/// it; tensors are of the others.
enum class DType : uint8_t { f32, bf16, f16, s8, u8, s32, s16 };

/// "f32".
std::string_view toString(DType dtype);
/// Bytes of one element.
size_t byteSize(DType dtype);
/// The same, signed, as sizes of matrices and strides are.
inline int64_t bytesOf(DType dtype) {
  return static_cast<int64_t>(byteSize(dtype));
}
/// What DataTypes::accumulate may be, by its name; another one is
/// ErrorCode::invalidArgument.
Expected<DType> parseAccumulate(std::string_view name);
/// True for f32, bf16 and f16.
bool isFloat(DType dtype);
/// Elements of K that fill one 32-bit lane of a packed weight: 2 for bf16 and 4
/// for int8, whose instructions multiply that many at once (where they do not,
/// 2 are widened); 1 for f32, and for f16, which is widened a vector at a time.
int64_t interleaveOf(DType weight);
/// The same of a weight that tile registers multiply as it is, which take whole
/// lanes of every type: 2 for bf16 and f16, 4 for int8.
int64_t tileInterleaveOf(DType weight);
/// A packed weight is padded with zeros to a multiple of so many elements of K:
/// those of a cache line where instructions multiply tiles of the type, bf16,
/// f16 and int8, whose rows are read whole; else 1.
int64_t depthUnitOf(DType weight);
/// Elements of K that a packed weight has for a column, padding included: K
/// rounded up to whole depthUnitOf(weight), then to whole groups. Empty where
/// 64 bits cannot count them.
std::optional<int64_t> paddedDepthOf(DType weight, int64_t depth,
                                     int64_t group);

/// Products that may be summed in f16 before f16 loses too much: the sums of
/// such runs of K are added in f32. An element of a run is off by at most
/// (1 + 2^-11)^kHalfRun - 1 < 1/31 of its magnitudes, while the numbers are far
/// from 65504; adding a run to f32 takes an eighth of the time of its
/// multiply-adds.
inline constexpr int64_t kHalfRun = 64;

/// The element types of a layer.
struct DataTypes {
  DType activation = DType::f32;
  DType weight = DType::f32;
  DType result = DType::f32;
  /// What products may be summed in before they are added to f32 or s32. Other
  /// types than f32 permit something, and ask for nothing: f16, where x and w
  /// are f16, sums of f16 over runs of kHalfRun elements of K; s16, of
  /// integers, sums of s16 of the products of elements 2i and 2i + 1 of K,
  /// which saturate, an x of s8 counting as x + 128. None does where w is
  /// within -64 to 63, and of u8s8 where x is at most 127.
  DType accumulate = DType::f32;

  /// Parses the grammar above. A result that is left out is of the activation's
  /// type, f32 for int8. An error lists what is legal.
  static Expected<DataTypes> parse(std::string_view text);
  /// Names of inputs with a weight of this type: "u8s8 or s8s8".
  static std::string namesWithWeight(DType weight);
  /// Success for types that some layer has; an error names them.
  Status check() const;
  /// Canonical text: a result and an accumulate that are the default are left
  /// out.
  std::string text() const;
  /// What products are summed in, in the end: f32, or s32 for int8.
  DType accumulator() const;
  /// The type of epilogue operands that a name stands for: the result's where
  /// it is a float type, else f32.
  DType operand() const;
  /// x and w are of 8-bit integers.
  bool areIntegers() const { return !isFloat(activation); }
  friend bool operator==(const DataTypes &, const DataTypes &) = default;
};

} // namespace lintel
