// Sums of integers of 8 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/DType.h"

#include <cstdint>

namespace lintel {

/// sums[row] = sum_k data[row * stride + k] for row < rows, k < depth, modulo
/// 2^32; of s8 or u8.
void sumRows(DType dtype, const void *data, int64_t stride, int64_t rows,
             int64_t depth, int32_t *sums);

} // namespace lintel
