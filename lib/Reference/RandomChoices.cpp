// Tensors of values that are drawn by position.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reference/RandomChoices.h"

namespace lintel {

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

} // namespace lintel
