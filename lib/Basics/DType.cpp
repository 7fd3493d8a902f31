// Names, sizes and combinations of element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/DType.h"

#include "Basics/MessageText.h"
#include "Basics/OtherNames.h"

#include <algorithm>
#include <array>
#include <span>

namespace lintel {
namespace {

struct Description {
  DType dtype;
  std::string_view name;
  size_t bytes;
};
constexpr std::array<Description, 7> kTypes = {{
    {DType::f32, "f32", 4},
    {DType::bf16, "bf16", 2},
    {DType::f16, "f16", 2},
    {DType::s8, "s8", 1},
    {DType::u8, "u8", 1},
    {DType::s32, "s32", 4},
    {DType::s16, "s16", 2},
}};

/// A number that a caller made an enumerator of is no type.
constexpr Description kNoType = {DType::f32, "?", 0};

const Description &describe(DType dtype) {
  const auto index = static_cast<size_t>(dtype);
  return index < kTypes.size() ? kTypes[index] : kNoType;
}

/// A pair of input types and the results that it may have, the default first.
struct Combination {
  std::string_view name;
  DType activation, weight;
  std::array<DType, 5> results;
  size_t resultCount;

  std::span<const DType> legalResults() const {
    return {results.data(), resultCount};
  }
};
constexpr std::array<DType, 5> kInt8Results = {
    DType::f32, DType::bf16, DType::f16, DType::u8, DType::s8};
constexpr std::array<Combination, 5> kCombinations = {{
    {"f32", DType::f32, DType::f32, {DType::f32}, 1},
    {"bf16", DType::bf16, DType::bf16, {DType::bf16, DType::f32}, 2},
    {"f16", DType::f16, DType::f16, {DType::f16, DType::f32}, 2},
    {"u8s8", DType::u8, DType::s8, kInt8Results, 5},
    {"s8s8", DType::s8, DType::s8, kInt8Results, 5},
}};

/// "f32, bf16, bf16:f32, ...".
std::string supportedTypes() {
  std::string list;
  for (const Combination &combination : kCombinations)
    for (DType result : combination.legalResults())
      list +=
          (list.empty() ? "" : ", ") +
          DataTypes{combination.activation, combination.weight, result}.text();
  return list;
}

/// Those that are known by the same name were written in large letters.
constexpr OtherName kOtherTypes[] = {
    {"bfloat16", "bf16"}, {"f32", "f32"},    {"bf16", "bf16"},
    {"f16", "f16"},       {"float", "f32"},  {"float16", "f16"},
    {"float32", "f32"},   {"fp16", "f16"},   {"fp32", "f32"},
    {"half", "f16"},      {"i8", "s8s8"},    {"int8", "u8s8 or s8s8"},
    {"s8", "s8s8"},       {"single", "f32"}, {"u8", "u8s8"},
    {"uint8", "u8s8"},
};

Error unknownInputs(std::string_view name) {
  return Error(ErrorCode::invalidArgument,
               "unknown element types \"" + shortened(name) + "\"" +
                   nameHere(name, kOtherTypes) + "; supported are " +
                   supportedTypes());
}

constexpr std::string_view kAccumulate = "accumulate=";

Error illegalAccumulate(std::string_view name) {
  return Error(ErrorCode::invalidArgument,
               "accumulate takes f32, f16 or s16, not \"" + shortened(name) +
                   "\"");
}

/// Sums of f16 are of products of f16, those of s16 of integers.
Status checkAccumulate(const DataTypes &types) {
  if (types.accumulate == DType::f32)
    return {};
  const bool inHalf = types.accumulate == DType::f16;
  if (!inHalf && types.accumulate != DType::s16)
    return illegalAccumulate(toString(types.accumulate));
  if (inHalf ? types.weight == DType::f16 : types.weight == DType::s8)
    return {};
  DataTypes plain = types;
  plain.accumulate = DType::f32;
  return Error(ErrorCode::invalidArgument,
               (inHalf ? "accumulate=f16 takes x and w of f16, not types \""
                       : "accumulate=s16 takes u8s8 or s8s8, not types \"") +
                   plain.text() + "\"");
}

Error illegalResult(const Combination &combination, std::string_view name) {
  std::string legal;
  for (DType result : combination.legalResults())
    legal += (legal.empty() ? "" : ", ") + std::string(toString(result));
  return Error(ErrorCode::invalidArgument,
               "a layer of " + std::string(combination.name) +
                   " cannot have results of \"" + shortened(name) +
                   "\"; legal: " + legal);
}

const Combination *combinationOf(DType activation, DType weight) {
  const auto *found = std::find_if(
      kCombinations.begin(), kCombinations.end(), [&](const Combination &one) {
        return one.activation == activation && one.weight == weight;
      });
  return found == kCombinations.end() ? nullptr : found;
}

} // namespace

std::string_view toString(DType dtype) { return describe(dtype).name; }

size_t byteSize(DType dtype) { return describe(dtype).bytes; }

Expected<DType> parseAccumulate(std::string_view name) {
  for (DType sums : {DType::f32, DType::f16, DType::s16})
    if (name == toString(sums))
      return sums;
  return illegalAccumulate(name);
}

bool isFloat(DType dtype) {
  return dtype == DType::f32 || dtype == DType::bf16 || dtype == DType::f16;
}

int64_t interleaveOf(DType weight) {
  switch (weight) {
  case DType::bf16:
    return 2;
  case DType::s8:
  case DType::u8:
    return 4;
  case DType::f32:
  case DType::f16:
  case DType::s32:
  case DType::s16:
    return 1;
  }
  return 1;
}

int64_t tileInterleaveOf(DType weight) {
  constexpr int64_t kLaneBytes = 4;
  return kLaneBytes / bytesOf(weight);
}

int64_t depthUnitOf(DType weight) {
  constexpr int64_t kLineBytes = 64;
  return tileInterleaveOf(weight) == 1 ? 1 : kLineBytes / bytesOf(weight);
}

std::optional<int64_t> paddedDepthOf(DType weight, int64_t depth,
                                     int64_t group) {
  int64_t padded = depth;
  for (int64_t unit : {depthUnitOf(weight), group}) {
    const int64_t units = padded / unit + (padded % unit != 0);
    if (__builtin_mul_overflow(units, unit, &padded))
      return std::nullopt;
  }
  return padded;
}

/// "f16:f32"
static Expected<DataTypes> parseElements(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view inputs = text.substr(0, colon);
  const auto *found =
      std::find_if(kCombinations.begin(), kCombinations.end(),
                   [&](const Combination &one) { return one.name == inputs; });
  if (found == kCombinations.end())
    return unknownInputs(inputs);
  DataTypes types{found->activation, found->weight, found->results[0]};
  if (colon == std::string_view::npos)
    return types;
  const std::string_view result = text.substr(colon + 1);
  for (DType legal : found->legalResults())
    if (toString(legal) == result) {
      types.result = legal;
      return types;
    }
  return illegalResult(*found, result);
}

Expected<DataTypes> DataTypes::parse(std::string_view text) {
  const size_t comma = text.find(',');
  Expected<DataTypes> types = parseElements(text.substr(0, comma));
  if (!types || comma == std::string_view::npos)
    return types;
  const std::string_view rest = text.substr(comma + 1);
  if (!rest.starts_with(kAccumulate))
    return Error(
        ErrorCode::invalidArgument,
        "element types end in \",accumulate=f16\", \",accumulate=s16\" or "
        "nothing, not \"," +
            shortened(rest) + "\"");
  Expected<DType> sums = parseAccumulate(rest.substr(kAccumulate.size()));
  if (!sums)
    return sums.error();
  types->accumulate = *sums;
  if (Status legal = checkAccumulate(*types); !legal)
    return legal.error();
  return types;
}

std::string DataTypes::namesWithWeight(DType weight) {
  std::string names;
  for (const Combination &combination : kCombinations)
    if (combination.weight == weight)
      names += (names.empty() ? "" : " or ") + std::string(combination.name);
  return names.empty() ? "a type that layers have" : names;
}

Status DataTypes::check() const {
  const Combination *combination = combinationOf(activation, weight);
  const bool known =
      combination && std::ranges::find(combination->legalResults(), result) !=
                         combination->legalResults().end();
  if (known)
    return checkAccumulate(*this);
  return Error(ErrorCode::unsupported,
               "no layer has x of " + std::string(toString(activation)) +
                   ", w of " + std::string(toString(weight)) +
                   " and a result of " + std::string(toString(result)) +
                   "; supported are " + supportedTypes());
}

std::string DataTypes::text() const {
  const Combination *combination = combinationOf(activation, weight);
  if (!combination)
    return std::string(toString(activation)) + "x" +
           std::string(toString(weight)) + ":" + std::string(toString(result));
  std::string text(combination->name);
  if (result != combination->results[0])
    text += ":" + std::string(toString(result));
  if (accumulate != DType::f32)
    text += "," + std::string(kAccumulate) + std::string(toString(accumulate));
  return text;
}

DType DataTypes::accumulator() const {
  return isFloat(activation) ? DType::f32 : DType::s32;
}

DType DataTypes::operand() const {
  return isFloat(result) ? result : DType::f32;
}

} // namespace lintel
