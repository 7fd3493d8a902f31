// x and w whose products add up exactly in any order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reference/ExactFactors.h"

#include <bit>
#include <cmath>
#include <vector>

namespace lintel {

namespace {

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
/// One more than bf16 has: of parts of such a factor each is another number, so
/// that a kernel which takes the wrong one shows. The other factor has two.
constexpr int kLeastUnevenBits = 9 + 2;
/// Bits of the longer of two uneven factors, of eleven that f16 has.
constexpr int kMostLongBits = 10;
/// Bits of a product of uneven factors.
constexpr int kMostUnevenBits = kMostLongBits + 7;

/// Factors of f16 that kernels may split into bf16: at half of the elements of
/// K x has more bits than w, at the others it is the other way round.
bool areUneven(const DataTypes &types) {
  return types.weight == DType::f16 && types.accumulate != DType::f16;
}

int sumBitsOf(const DataTypes &types) {
  return types.weight == DType::f16 ? kSumBits - kPartBits : kSumBits;
}

/// Products that are not 0 in a sum.
int64_t mostProducts(const DataTypes &types) {
  return int64_t(1) << (sumBitsOf(types) - (areUneven(types)
                                                ? kLeastUnevenBits
                                                : kLeastProductBits));
}

/// Integers below 2^bits, or up to it.
struct Factors {
  Choices values;
  int bits;
};

/// ±1..±4 for two bits; more bits are all in use, the lowest always.
Factors factors(int bits) {
  Factors result{{}, std::max(bits, 2)};
  const int top = 1 << (bits - 1);
  for (size_t i = 0; i < result.values.size(); ++i) {
    const int eighth = int(i % 8), few = 1 + int(i % 4);
    const int below = 3 * eighth % std::max(1, top / 8);
    const int many = (top + eighth * top / 8 + below) | 1;
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

/// Values of x or w by element of K.
struct FactorChoices {
  /// Where w is the longer factor, and where x is.
  std::array<Choices, 2> sets;
  /// Which of them an element of K takes.
  const std::vector<uint8_t> &setOf;
};

template <class Element>
std::array<std::array<Element, 16>, 2> setsOf(const FactorChoices &choices) {
  return {elementsOf<Element>(choices.sets[0]),
          elementsOf<Element>(choices.sets[1])};
}

void fillDense(TypedTensor &tensor, const FactorChoices &choices,
               RandomBits random, const RunParts &run) {
  if (std::ranges::count(choices.setOf, 0) == std::ssize(choices.setOf))
    return fillChoices(tensor, choices.sets[0], random, run);
  withElement(tensor.dtype(), [&](auto element) {
    const auto sets = setsOf<decltype(element)>(choices);
    const auto data = tensor.as<decltype(element)>();
    const size_t depth = choices.setOf.size();
    inParts(data.size(), run, [&](size_t first, size_t last) {
      size_t k = first % depth;
      for (size_t begin = first; begin < last; begin += 16) {
        uint64_t bits = random.at(begin / 16);
        const size_t end = std::min(begin + 16, last);
        for (size_t i = begin; i < end; ++i, bits >>= 4) {
          data[i] = sets[choices.setOf[k]][bits & 15];
          k = k + 1 == depth ? 0 : k + 1;
        }
      }
    });
  });
}

/// One value that is not 0 at a random place of every `stride` elements of a
/// row.
void fillSparse(TypedTensor &tensor, int64_t stride,
                const FactorChoices &choices, RandomBits random) {
  withElement(tensor.dtype(), [&](auto element) {
    const auto sets = setsOf<decltype(element)>(choices);
    const auto data = tensor.as<decltype(element)>();
    const auto depth = int64_t(choices.setOf.size());
    uint64_t draw = 0;
    for (size_t row = 0; row < data.size(); row += size_t(depth))
      for (int64_t begin = 0; begin < depth; begin += stride) {
        const uint64_t bits = random.at(draw++);
        const auto width = uint64_t(std::min(stride, depth - begin));
        const size_t k = size_t(begin) + (bits >> 4) % width;
        data[row + k] = sets[choices.setOf[k]][bits & 15];
      }
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
  const int room =
      sumBitsOf(types) - int(std::bit_width(uint64_t(products - 1)));
  return areUneven(types)
             ? std::clamp(room, kLeastUnevenBits, kMostUnevenBits)
             : std::clamp(room, kLeastProductBits, kMostProductBits);
}

/// Bits of the factor that has no more than the other.
int bitsOfShorter(const DataTypes &types, int ofProduct) {
  return areUneven(types) ? std::max(2, ofProduct - kMostLongBits)
                          : ofProduct / 2;
}

/// The set, by element of K: that where w is longer, or, of uneven factors, one
/// of both by chance.
std::vector<uint8_t> setsByDepth(const DataTypes &types, int64_t depth,
                                 RandomBits random) {
  std::vector<uint8_t> sets(static_cast<size_t>(depth));
  if (areUneven(types))
    for (size_t k = 0; k < sets.size(); ++k)
      sets[k] = random.at(k) & 1;
  return sets;
}

} // namespace

void fillExact(TypedTensor &x, TypedTensor &w, const DataTypes &types,
               int64_t depth, RandomBits forX, RandomBits forW,
               RandomBits ofSets, const RunParts &run) {
  if (depth == 0)
    return;
  const int64_t stride = ceilDiv(depth, mostProducts(types));
  const int64_t products = ceilDiv(depth, stride);
  const int bits = productBits(types, products);
  const int few = bitsOfShorter(types, bits);
  const Factors shorter = factors(few), longer = factors(bits - few);
  const double product =
      rootMeanSquare(shorter.values) * rootMeanSquare(longer.values);
  const int exponent =
      int(std::lround(std::log2(product * std::sqrt(double(products)))));
  // Products are integers times 2^-exponent with either set.
  const auto xOf = [](const Factors &ofX) {
    return scaled(ofX.values, -ofX.bits);
  };
  const auto wOf = [&](const Factors &ofW, const Factors &ofX) {
    return scaled(ofW.values, ofX.bits - exponent);
  };
  const std::vector<uint8_t> setOf = setsByDepth(types, depth, ofSets);
  const FactorChoices ofX{{xOf(shorter), xOf(longer)}, setOf};
  const FactorChoices ofW{{wOf(longer, shorter), wOf(shorter, longer)}, setOf};
  fillDense(x, ofX, forX, run);
  if (stride == 1)
    fillDense(w, ofW, forW, run);
  else
    fillSparse(w, stride, ofW, forW);
}

} // namespace lintel
