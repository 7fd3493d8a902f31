// How long vectors may be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/VectorLength.h"

#include <algorithm>

namespace lintel::ir {

static constexpr int64_t kPointerBits = 64; // on every target

std::optional<int64_t> bitsOfElement(mlir::Type element) {
  if (element.isIndex())
    return kPointerBits;
  if (element.isIntOrFloat())
    return element.getIntOrFloatBitWidth();
  return std::nullopt;
}

bool isLongerThan(int64_t bytes, mlir::VectorType vector) {
  const int64_t bits =
      bitsOfElement(vector.getElementType()).value_or(kPointerBits);
  // Divided, since products of what a type may say overflow.
  int64_t room = bytes * 8 / std::max<int64_t>(bits, 1);
  for (int64_t size : vector.getShape())
    room /= size;
  return room == 0;
}

} // namespace lintel::ir
