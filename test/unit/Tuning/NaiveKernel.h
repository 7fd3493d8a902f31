// A right kernel written by hand, and ways to break it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/Element.h"
#include "Reference/Oracle.h"
#include "lintel/Problem.h"

#include "Lintel/KernelABI.h"

#include <cstdint>

namespace lintel {

inline Problem problemOf(std::string_view text) {
  return Problem::parse(text).value();
}

/// Writes x times the transpose of w (no epilogue) to `outputs`, in elements
/// of the given types.
template <class Input, class Output>
void computeLinearOf(const LinearInputs &inputs, const Problem &problem,
                     int64_t rows, const KernelTensor *outputs) {
  const auto *x = static_cast<const Input *>(inputs.x.data);
  const auto *w = static_cast<const Input *>(inputs.w.data);
  auto *out = static_cast<Output *>(outputs[0].data);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < problem.n(); ++column) {
      float sum = 0;
      for (int64_t k = 0; k < problem.k(); ++k)
        sum += widen(x[row * inputs.x.stride + k]) *
               widen(w[column * inputs.w.stride + k]);
      out[row * outputs[0].stride + column] = narrowTo<Output>(sum);
    }
}

/// The same, in the problem's types.
inline void computeLinear(const LinearInputs &inputs, const Problem &problem,
                          int64_t rows, const KernelTensor *outputs) {
  withElement(problem.types().activation, [&](auto input) {
    withElement(problem.types().result, [&](auto output) {
      computeLinearOf<decltype(input), decltype(output)>(inputs, problem, rows,
                                                         outputs);
    });
  });
}

} // namespace lintel
