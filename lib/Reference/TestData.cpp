// Inputs for checking and timing kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/TestData.h"

#include "Lintel/WholeUnits.h"
#include "Reference/ExactFactors.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

namespace lintel {

/// Rows whose distance differs by this many bytes share a place in L1.
static constexpr int64_t kAliasBytes = 4096;

namespace {

// What numbers are drawn for: the first operand, and others behind it.
constexpr uint64_t kOfX = 0, kOfW = 1, kOfOperands = 2;
/// Which values the elements of K take, of x and w.
constexpr uint64_t kOfSets = uint64_t(1) << 32;

/// Multiples of 1/8 between -1 and 1, without 0.
Choices eighths() {
  Choices choices;
  for (size_t i = 0; i < choices.size(); ++i)
    choices[i] = 0.125f * float(1 + i % 8) * (i < 8 ? 1.0f : -1.0f);
  return choices;
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
  const RandomBits forX(seed, kOfX), forW(seed, kOfW);
  if (problem.types().areIntegers()) {
    fillBytes(xData, forX, run);
    fillBytes(wData, forW, run);
    if (problem.types().accumulate == DType::s16)
      halveBytes(wData, run);
  } else if (exact) {
    fillExact(xData, wData, problem.types(), depth, forX, forW,
              RandomBits(seed, kOfSets), run);
  } else {
    fillGaussian(xData, 1, forX, run);
    fillGaussian(wData, 1 / std::sqrt(float(std::max<int64_t>(depth, 1))), forW,
                 run);
  }
  for (const EpilogueOperand &operand : problem.epilogue().operands()) {
    const RandomBits random(seed, kOfOperands + operandData.size());
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
