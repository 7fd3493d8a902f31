// Dot products of one row of x with rows of w.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/DType.h"

#include <cstdint>

namespace lintel {

/// Rows of elements: of one float type, or of integers of 8 bits, whose sums 32
/// bits must hold.
struct Rows {
  DType activation = DType::f32, weight = DType::f32;
  const void *x = nullptr; ///< one row
  const void *w = nullptr; ///< row n at element n * ldw
  int64_t ldw = 0;
};

/// out[n] = sum_k x[k] * w[n * ldw + k] for n < columns, k < depth.
void rowProducts(const Rows &rows, int64_t columns, int64_t depth, double *out);
/// out[n] = sum_k |x[k] * w[n * ldw + k]|.
void rowMagnitudes(const Rows &rows, int64_t columns, int64_t depth,
                   double *out);

/// out[n] = sum_k w[n * ldw + k], of integers.
void columnSums(const Rows &rows, int64_t columns, int64_t depth, double *out);
/// sum_k x[k], of integers.
int32_t rowSum(const Rows &rows, int64_t depth);

} // namespace lintel
