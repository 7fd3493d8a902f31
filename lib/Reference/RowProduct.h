// Dot products of one row of x with rows of w, in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace lintel {

/// out[n] = sum_k x[k] * w[n * ldw + k] for n < columns, k < depth.
void rowProducts(const float *x, const float *w, int64_t ldw, int64_t columns,
                 int64_t depth, double *out);
/// out[n] = sum_k |x[k] * w[n * ldw + k]|.
void rowMagnitudes(const float *x, const float *w, int64_t ldw, int64_t columns,
                   int64_t depth, double *out);

} // namespace lintel
