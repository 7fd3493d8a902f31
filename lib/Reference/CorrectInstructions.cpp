// Instructions that IEEE 754 rounds correctly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reference/Lanes.h"

#include <algorithm>

namespace lintel {

static Number squareRoot(Number a) {
  double value = std::sqrt(a.value);
  if (a.error == 0)
    return {value, 0};
  // NaN or a number, depending on the sign.
  if (isUnknown(a) || (a.value < a.error && -a.value <= a.error))
    return {value, kInfiniteError};
  // Near zero the slope is infinite, but the change is not.
  return {value, std::min(a.error / value, std::sqrt(2 * a.error))};
}

/// CPUs without FMA round the product before they add to it.
static Number productSum(Number a, Number b, Number c, Format format) {
  const Number fused = rounded(fusedProductSum(a, b, c), format);
  const Number apart = rounded(sum(rounded(product(a, b), format), c), format);
  const double distance = distanceBetween(fused.value, apart.value);
  return {fused.value, std::max(fused.error, distance + apart.error)};
}

void runCorrect(const Instruction &instruction, const Lanes &lanes) {
  switch (instruction.opcode) {
  case Opcode::add:
    return lanes.correct([](Number a, Number b, Number) { return sum(a, b); });
  case Opcode::subtract:
    return lanes.correct(
        [](Number a, Number b, Number) { return difference(a, b); });
  case Opcode::multiply:
    return lanes.correct(
        [](Number a, Number b, Number) { return product(a, b); });
  case Opcode::divide:
    return lanes.correct(
        [](Number a, Number b, Number) { return quotient(a, b); });
  case Opcode::fma: // in double it is rounded twice
    return lanes.each([&](size_t i) {
      return productSum(lanes.a[i], lanes.b[i], lanes.c[i], lanes.format);
    });
  case Opcode::sqrt:
    return lanes.correct(
        [](Number a, Number, Number) { return squareRoot(a); });
  default: // convert, integerToFloat
    return lanes.correct([](Number a, Number, Number) { return a; });
  }
}

} // namespace lintel
