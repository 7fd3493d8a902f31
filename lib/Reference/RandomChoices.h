// Tensors of values that are drawn by position.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/WholeUnits.h"
#include "Reference/TestData.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace lintel {

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

/// The sixteen values that four random bits choose from.
using Choices = std::array<float, 16>;

/// The choices, in the type of a tensor.
template <class Element>
std::array<Element, 16> elementsOf(const Choices &choices) {
  std::array<Element, 16> elements;
  std::ranges::transform(choices, elements.begin(), narrowTo<Element>);
  return elements;
}

void fillChoices(TypedTensor &tensor, const Choices &choices, RandomBits random,
                 const RunParts &run);

} // namespace lintel
