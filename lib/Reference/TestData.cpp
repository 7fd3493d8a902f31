// Inputs for checking and timing kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/TestData.h"

#include <array>
#include <cmath>
#include <numbers>
#include <sys/mman.h>

namespace lintel {

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

//===----------------------------------------------------------------------===//
// Exact
//===----------------------------------------------------------------------===//

// Factors are ±1..±4 units, so a product is at most 16. With at most 2^19
// products that are not 0, sums stay below 2^23 units, which leaves f32 a bit
// for operands that join the sum.
constexpr int64_t kMaxProducts = int64_t(1) << 19;

/// The sixteen values that four random bits choose from.
using Choices = std::array<float, 16>;

Choices factors(float unit) {
  Choices choices;
  for (size_t i = 0; i < choices.size(); ++i)
    choices[i] = unit * float(1 + i % 4) * (i < 8 ? 1.0f : -1.0f);
  return choices;
}

/// Multiples of 1/8 between -1 and 1, without 0.
Choices eighths() {
  Choices choices;
  for (size_t i = 0; i < choices.size(); ++i)
    choices[i] = 0.125f * float(1 + i % 8) * (i < 8 ? 1.0f : -1.0f);
  return choices;
}

void fillChoices(std::vector<float> &data, const Choices &choices,
                 RandomBits random) {
  for (size_t begin = 0; begin < data.size(); begin += 16) {
    uint64_t bits = random.at(begin / 16);
    size_t end = std::min(begin + 16, data.size());
    for (size_t i = begin; i < end; ++i, bits >>= 4)
      data[i] = choices[bits & 15];
  }
}

/// One value that is not 0 at a random place of every `stride` elements of a
/// row.
void fillSparse(std::vector<float> &data, int64_t depth, int64_t stride,
                const Choices &choices, RandomBits random) {
  uint64_t draw = 0;
  for (size_t row = 0; row < data.size(); row += size_t(depth))
    for (int64_t begin = 0; begin < depth; begin += stride) {
      uint64_t bits = random.at(draw++);
      uint64_t width = uint64_t(std::min(stride, depth - begin));
      data[row + size_t(begin) + (bits >> 4) % width] = choices[bits & 15];
    }
}

/// Fills x and w so that sums of `depth` products are exact and about 1: a
/// product has variance 7.5^2 units, so n of them add up to about 7.5 sqrt(n)
/// units.
void fillExact(std::vector<float> &x, std::vector<float> &w, int64_t depth,
               RandomBits forX, RandomBits forW) {
  int64_t stride =
      std::max<int64_t>((depth + kMaxProducts - 1) / kMaxProducts, 1);
  double products = double(std::max<int64_t>(depth / stride, 1));
  int exponent = int(std::lround(std::log2(7.5 * std::sqrt(products))));
  constexpr int exponentOfX = 2;
  fillChoices(x, factors(std::ldexp(1.0f, -exponentOfX)), forX);
  Choices weights = factors(std::ldexp(1.0f, exponentOfX - exponent));
  if (stride == 1)
    fillChoices(w, weights, forW);
  else
    fillSparse(w, depth, stride, weights, forW);
}

//===----------------------------------------------------------------------===//
// Gaussian
//===----------------------------------------------------------------------===//

/// Box and Muller's transform of two uniform numbers.
void fillGaussian(std::vector<float> &data, float deviation,
                  RandomBits random) {
  for (size_t i = 0; i < data.size(); i += 2) {
    uint64_t bits = random.at(i / 2);
    float u = float((bits >> 40) + 1) * 0x1p-24f; // in (0, 1]
    float angle =
        float(bits & 0xffffff) * (0x1p-24f * 2 * std::numbers::pi_v<float>);
    float radius = deviation * std::sqrt(-2 * std::log(u));
    data[i] = radius * std::cos(angle);
    if (i + 1 < data.size())
      data[i + 1] = radius * std::sin(angle);
  }
}

/// Zeros, on huge pages where there are many and the system grants them: a
/// weight may have a hundred thousand small ones.
std::vector<float> manyFloats(size_t count) {
  constexpr size_t kHugePage = size_t(2) << 20;
  std::vector<float> floats;
  floats.reserve(count);
  const size_t bytes = count * sizeof(float);
  if (bytes >= 4 * kHugePage) {
    const auto begin = reinterpret_cast<uintptr_t>(floats.data());
    const uintptr_t aligned = (begin + kHugePage - 1) / kHugePage * kHugePage;
    // A wish, and nobody else's pages: none is touched yet.
    madvise(reinterpret_cast<void *>(aligned), begin + bytes - aligned,
            MADV_HUGEPAGE);
  }
  floats.resize(count);
  return floats;
}

int64_t elementCount(Broadcast broadcast, int64_t rows, int64_t columns) {
  switch (broadcast) {
  case Broadcast::scalar:
    return 1;
  case Broadcast::column:
    return columns;
  case Broadcast::row:
    return rows;
  case Broadcast::full:
    return rows * columns;
  }
  return 0;
}

/// Distance between the rows of a dense operand, as ConstTensorView means it.
int64_t denseStride(Broadcast broadcast, int64_t columns) {
  switch (broadcast) {
  case Broadcast::scalar:
  case Broadcast::column:
    return 0;
  case Broadcast::row:
    return 1;
  case Broadcast::full:
    return columns;
  }
  return 0;
}

} // namespace

TestData::TestData(const Problem &problem, int64_t m, Fill fill, uint64_t seed)
    : rows(m), columns(problem.n()), depth(problem.k()),
      exact(fill == Fill::exact), xData(manyFloats(size_t(rows * depth))),
      wData(manyFloats(size_t(columns * depth))) {
  RandomBits forX(seed, 0), forW(seed, 1);
  if (exact) {
    fillExact(xData, wData, depth, forX, forW);
  } else {
    fillGaussian(xData, 1, forX);
    fillGaussian(wData, 1 / std::sqrt(float(std::max<int64_t>(depth, 1))),
                 forW);
  }
  for (const EpilogueOperand &operand : problem.epilogue().operands()) {
    RandomBits random(seed, 2 + operandData.size());
    std::vector<float> data =
        manyFloats(size_t(elementCount(operand.broadcast, rows, columns)));
    if (exact)
      fillChoices(data, eighths(), random);
    else
      fillGaussian(data, 1, random);
    operandData.push_back(std::move(data));
    operandStrides.push_back(denseStride(operand.broadcast, columns));
  }
}

LinearInputs TestData::inputs() const {
  LinearInputs inputs{rows, {xData.data(), depth}, {wData.data(), depth}, {}};
  for (size_t i = 0; i < operandData.size(); ++i)
    inputs.operands.push_back({operandData[i].data(), operandStrides[i]});
  return inputs;
}

} // namespace lintel
