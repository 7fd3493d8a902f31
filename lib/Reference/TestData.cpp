// Inputs for checking and timing kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/TestData.h"

#include "Lintel/WholeUnits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

namespace lintel {

/// Rows whose distance differs by this many bytes share a place in L1.
static constexpr int64_t kAliasBytes = 4096;

namespace {

/// Numbers drawn by position, so that a tensor's contents depend on nothing but
/// the seed and the index (the output function of splitmix64).
class RandomBits {
public:
  RandomBits(uint64_t seed, uint64_t tensor)
      : key(mix(seed + mix(tensor + 1))) {}
  uint64_t at(uint64_t index) const {
    return mix(key + index * 0x9e3779b97f4a7c15u);
  }

private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint64_t key;
};

/// Elements of a part that is filled by itself: enough to be worth a thread,
/// and a multiple of what one number of RandomBits makes.
constexpr size_t kPart = size_t(1) << 20;

/// fill(begin, end) for parts of `size` elements.
template <class F> void inParts(size_t size, const RunParts &run, F fill) {
  run(ceilDiv(size, kPart), [&](size_t part) {
    fill(part * kPart, std::min(size, (part + 1) * kPart));
  });
}

//===----------------------------------------------------------------------===//
// Exact
//===----------------------------------------------------------------------===//

// Sums of products that are integers stay exact in f32 up to 2^24, in any
// order. 2^23 is left to them, and a bit to operands that join the sum.
constexpr int kSumBits = 23;
/// Bits of a product of the smallest factors, ±1..±4.
constexpr int kLeastProductBits = 4;
/// Bits of a product of two bf16 numbers that are not at their limit.
constexpr int kMostProductBits = 14;
/// Bits behind those of a product that its parts have where f16 is split for
/// tiles of bf16, into halves of either factor.
constexpr int kPartBits = 2;

int sumBitsOf(const DataTypes &types) {
  return types.weight == DType::f16 ? kSumBits - kPartBits : kSumBits;
}

/// Products that are not 0 in a sum.
int64_t mostProducts(const DataTypes &types) {
  return int64_t(1) << (sumBitsOf(types) - kLeastProductBits);
}

/// The sixteen values that four random bits choose from.
using Choices = std::array<float, 16>;

/// Integers below 2^bits, or up to it.
struct Factors {
  Choices values;
  int bits;
};

/// ±1..±4 for two bits; more bits are all in use, the lowest too.
Factors factors(int bits) {
  Factors result{{}, std::max(bits, 2)};
  const int top = 1 << (bits - 1);
  for (size_t i = 0; i < result.values.size(); ++i) {
    const int few = 1 + int(i % 4), many = (top + int(i % 8) * top / 8) | 1;
    result.values[i] = float(bits > 2 ? many : few) * (i < 8 ? 1.0f : -1.0f);
  }
  return result;
}

double rootMeanSquare(const Choices &choices) {
  double squares = 0;
  for (float value : choices)
    squares += double(value) * value;
  return std::sqrt(squares / double(choices.size()));
}

Choices scaled(Choices choices, int exponent) {
  for (float &value : choices)
    value = std::ldexp(value, exponent);
  return choices;
}

/// Multiples of 1/8 between -1 and 1, without 0.
Choices eighths() {
  Choices choices;
  for (size_t i = 0; i < choices.size(); ++i)
    choices[i] = 0.125f * float(1 + i % 8) * (i < 8 ? 1.0f : -1.0f);
  return choices;
}

/// The choices, in the type of a tensor.
template <class Element>
std::array<Element, 16> elementsOf(const Choices &choices) {
  std::array<Element, 16> elements;
  std::ranges::transform(choices, elements.begin(), narrowTo<Element>);
  return elements;
}

void fillChoices(TypedTensor &tensor, const Choices &choices, RandomBits random,
                 const RunParts &run) {
  withElement(tensor.dtype(), [&](auto element) {
    const auto elements = elementsOf<decltype(element)>(choices);
    const auto data = tensor.as<decltype(element)>();
    inParts(data.size(), run, [&](size_t first, size_t last) {
      for (size_t begin = first; begin < last; begin += 16) {
        uint64_t bits = random.at(begin / 16);
        const size_t end = std::min(begin + 16, last);
        for (size_t i = begin; i < end; ++i, bits >>= 4)
          data[i] = elements[bits & 15];
      }
    });
  });
}

/// One value that is not 0 at a random place of every `stride` elements of a
/// row.
template <class Element>
void fillSparse(std::span<Element> data, int64_t depth, int64_t stride,
                const Choices &choices, RandomBits random) {
  const auto elements = elementsOf<Element>(choices);
  uint64_t draw = 0;
  for (size_t row = 0; row < data.size(); row += size_t(depth))
    for (int64_t begin = 0; begin < depth; begin += stride) {
      uint64_t bits = random.at(draw++);
      uint64_t width = uint64_t(std::min(stride, depth - begin));
      data[row + size_t(begin) + (bits >> 4) % width] = elements[bits & 15];
    }
}

void fillSparse(TypedTensor &tensor, int64_t depth, int64_t stride,
                const Choices &choices, RandomBits random) {
  withElement(tensor.dtype(), [&](auto element) {
    fillSparse(tensor.as<decltype(element)>(), depth, stride, choices, random);
  });
}

/// Sums of f16 are exact up to 2^11 of the smallest product.
static_assert(kHalfRun << kLeastProductBits <= int64_t(1) << 11);

/// Bits for a product: of f32 and sums of f16 no more than it takes, so that
/// operands that join in stay exact, too. Of narrow types as many as sums have
/// room for: results then have bits that a narrow type does not hold, and its
/// rounding shows.
int productBits(const DataTypes &types, int64_t products) {
  if (types.weight == DType::f32 || types.accumulate == DType::f16)
    return kLeastProductBits;
  return std::clamp(sumBitsOf(types) -
                        int(std::bit_width(uint64_t(products - 1))),
                    kLeastProductBits, kMostProductBits);
}

/// Fills x and w so that sums of `depth` products are exact and about 1: n
/// products add up to about sqrt(n) times their root mean square. A factor is
/// 2^-10 or more, so that it is normal in every type.
void fillExact(TypedTensor &x, TypedTensor &w, const DataTypes &types,
               int64_t depth, RandomBits forX, RandomBits forW,
               const RunParts &run) {
  int64_t stride = std::max<int64_t>(ceilDiv(depth, mostProducts(types)), 1);
  int64_t products = std::max<int64_t>(depth / stride, 1);
  const int bits = productBits(types, products);
  const Factors ofX = factors(bits / 2), ofW = factors(bits - bits / 2);
  double product = rootMeanSquare(ofX.values) * rootMeanSquare(ofW.values);
  int exponent =
      int(std::lround(std::log2(product * std::sqrt(double(products)))));
  fillChoices(x, scaled(ofX.values, -ofX.bits), forX, run);
  Choices weights = scaled(ofW.values, ofX.bits - exponent);
  if (stride == 1)
    fillChoices(w, weights, forW, run);
  else
    fillSparse(w, depth, stride, weights, forW);
}

//===----------------------------------------------------------------------===//
// Gaussian
//===----------------------------------------------------------------------===//

/// Box and Muller's transform of two uniform numbers.
void fillGaussian(TypedTensor &tensor, float deviation, RandomBits random,
                  const RunParts &run) {
  withElement(tensor.dtype(), [&](auto element) {
    using Element = decltype(element);
    const std::span<Element> data = tensor.as<Element>();
    inParts(data.size(), run, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i += 2) {
        uint64_t bits = random.at(i / 2);
        float u = float((bits >> 40) + 1) * 0x1p-24f; // in (0, 1]
        float angle =
            float(bits & 0xffffff) * (0x1p-24f * 2 * std::numbers::pi_v<float>);
        float radius = deviation * std::sqrt(-2 * std::log(u));
        data[i] = narrowTo<Element>(radius * std::cos(angle));
        if (i + 1 < end)
          data[i + 1] = narrowTo<Element>(radius * std::sin(angle));
      }
    });
  });
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Any integers of 8 bits; their root mean square about the middle is 74.
void fillBytes(TypedTensor &tensor, RandomBits random, const RunParts &run) {
  const std::span<uint8_t> bytes = tensor.as<uint8_t>();
  inParts(bytes.size(), run, [&](size_t first, size_t last) {
    for (size_t begin = first; begin < last; begin += 8) {
      uint64_t bits = random.at(begin / 8);
      const size_t end = std::min(begin + 8, last);
      for (size_t i = begin; i < end; ++i, bits >>= 8)
        bytes[i] = static_cast<uint8_t>(bits);
    }
  });
}

/// Integers of 7 bits instead, of half the root mean square: no sum of two
/// products with u8 leaves s16.
void halveBytes(TypedTensor &tensor, const RunParts &run) {
  const std::span<int8_t> bytes = tensor.as<int8_t>();
  inParts(bytes.size(), run, [&](size_t begin, size_t end) {
    for (int8_t &byte : bytes.subspan(begin, end - begin))
      byte = static_cast<int8_t>(byte >> 1);
  });
}

/// 0.5 to 1.44 times `middle`.
Choices around(double middle) {
  Choices choices;
  for (size_t i = 0; i < choices.size(); ++i)
    choices[i] = float(middle * double(8 + i) / 16);
  return choices;
}

/// The integers from middle - 8 on.
Choices near(int middle) {
  Choices choices;
  for (size_t i = 0; i < choices.size(); ++i)
    choices[i] = float(middle - 8 + int(i));
  return choices;
}

/// Values of a scale or zero point of a layer of int8; none for other operands.
std::optional<Choices> quantizationChoices(const Problem &problem,
                                           const EpilogueOperand &operand) {
  const auto middleOf = [](DType dtype) {
    return dtype == DType::u8 ? 128 : 0;
  };
  const double depth = double(std::max<int64_t>(problem.k(), 1));
  switch (operand.role) {
  case OperandRole::ofStage:
    return std::nullopt;
  case OperandRole::xScale:
    return around(1.0 / 74);
  case OperandRole::wScale:
    return around(1 / (74 * std::sqrt(depth)));
  case OperandRole::resultScale:
    return around(1.0 / 64);
  case OperandRole::xZero:
  case OperandRole::wZero:
  case OperandRole::resultZero:
    break;
  }
  return near(middleOf(*typeOfZeroPoint(operand.role, problem.types())));
}

int64_t elementCount(Broadcast broadcast, int64_t rows, int64_t columns,
                     int64_t fullStride) {
  switch (broadcast) {
  case Broadcast::scalar:
    return 1;
  case Broadcast::column:
    return columns;
  case Broadcast::row:
    return rows;
  case Broadcast::full:
    return rows * fullStride;
  }
  return 0;
}

/// Distance between the rows of an operand, as ConstTensorView means it.
int64_t strideOf(Broadcast broadcast, int64_t fullStride) {
  switch (broadcast) {
  case Broadcast::scalar:
  case Broadcast::column:
    return 0;
  case Broadcast::row:
    return 1;
  case Broadcast::full:
    return fullStride;
  }
  return 0;
}

} // namespace

int64_t strideOfSlice(int64_t columns, int64_t wholeColumns, DType type) {
  const int64_t aliases = kAliasBytes / static_cast<int64_t>(byteSize(type));
  return columns + std::max<int64_t>(0, wholeColumns - columns) % aliases;
}

void runPartsInOrder(size_t parts, const std::function<void(size_t)> &work) {
  for (size_t part = 0; part < parts; ++part)
    work(part);
}

TestData::TestData(const Problem &problem, int64_t m, Fill fill, uint64_t seed,
                   int64_t wholeColumns, const RunParts &run)
    : rows(m), columns(problem.n()), depth(problem.k()),
      exact(fill == Fill::exact),
      xData(problem.types().activation, size_t(rows * depth)),
      wData(problem.types().weight, size_t(columns * depth)) {
  RandomBits forX(seed, 0), forW(seed, 1);
  if (problem.types().areIntegers()) {
    fillBytes(xData, forX, run);
    fillBytes(wData, forW, run);
    if (problem.types().accumulate == DType::s16)
      halveBytes(wData, run);
  } else if (exact) {
    fillExact(xData, wData, problem.types(), depth, forX, forW, run);
  } else {
    fillGaussian(xData, 1, forX, run);
    fillGaussian(wData, 1 / std::sqrt(float(std::max<int64_t>(depth, 1))), forW,
                 run);
  }
  for (const EpilogueOperand &operand : problem.epilogue().operands()) {
    RandomBits random(seed, 2 + operandData.size());
    const int64_t stride = strideOfSlice(columns, wholeColumns, operand.dtype);
    TypedTensor data(operand.dtype, size_t(elementCount(operand.broadcast, rows,
                                                        columns, stride)));
    if (const auto choices = quantizationChoices(problem, operand))
      fillChoices(data, *choices, random, run);
    else if (operand.dtype == DType::s32)
      fillChoices(data, near(0), random, run);
    else if (exact)
      fillChoices(data, eighths(), random, run);
    else
      fillGaussian(data, 1, random, run);
    operandData.push_back(std::move(data));
    operandStrides.push_back(strideOf(operand.broadcast, stride));
  }
}

LinearInputs TestData::inputs() const {
  LinearInputs inputs{rows, {xData.data(), depth}, {wData.data(), depth}, {}};
  for (size_t i = 0; i < operandData.size(); ++i)
    inputs.operands.push_back({operandData[i].data(), operandStrides[i]});
  return inputs;
}

} // namespace lintel
