// Instructions whose result is exact: choices, truth values, integers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reference/Lanes.h"

#include <algorithm>

namespace lintel {

namespace {

//===----------------------------------------------------------------------===//
// Truth values: 0 or 1, with error 1 where rounding could decide otherwise
//===----------------------------------------------------------------------===//

Number truth(bool value, bool certain) {
  return {value ? 1.0 : 0.0, certain ? 0.0 : 1.0};
}

uint8_t relationOf(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return Relation::unordered;
  return a < b ? Relation::less : a > b ? Relation::greater : Relation::equal;
}

Number compare(Number a, Number b, uint8_t relations) {
  const bool certain = areCertain(a, b) || areApart(a, b);
  return truth(relations & relationOf(a.value, b.value), certain);
}

/// Both alternatives are possible where the condition is uncertain.
Number select(Number condition, Number ifTrue, Number ifFalse) {
  Number chosen = condition.value != 0 ? ifTrue : ifFalse;
  if (condition.error != 0)
    chosen.error = distanceBetween(ifTrue.value, ifFalse.value) +
                   std::max(ifTrue.error, ifFalse.error);
  return chosen;
}

Number logicalNot(Number a) { return {1 - a.value, a.error}; }

Number logicalAnd(Number a, Number b) {
  bool surelyFalse =
      (a.value == 0 && a.error == 0) || (b.value == 0 && b.error == 0);
  return truth(a.value != 0 && b.value != 0,
               surelyFalse || a.error + b.error == 0);
}

Number logicalOr(Number a, Number b) {
  return logicalNot(logicalAnd(logicalNot(a), logicalNot(b)));
}

Number logicalXor(Number a, Number b) {
  return truth(a.value != b.value, a.error + b.error == 0);
}

//===----------------------------------------------------------------------===//
// Whole numbers
//===----------------------------------------------------------------------===//

/// Rounds towards zero; what the integer type cannot hold could be anything.
/// The one bit of i1 is a sign bit: -1 is true.
Number toSigned(Number a, unsigned bits) {
  double limit = std::ldexp(1.0, int(bits) - 1);
  Number result = monotone(a, [](double v) { return std::trunc(v); });
  if (!(result.value - result.error >= -limit &&
        result.value + result.error < limit))
    return {0, kInfiniteError};
  // An integer has no -0.
  return {(bits == 1 ? -result.value : result.value) + 0.0, result.error};
}

/// Floats to whole numbers, which are floats as well, or integers.
void runRounding(const Instruction &instruction, const Lanes &lanes) {
  const auto rounded = [&](double (*round)(double)) {
    lanes.exact([&](Number a, Number, Number) { return monotone(a, round); });
  };
  switch (instruction.opcode) {
  case Opcode::floor:
    return rounded([](double v) { return std::floor(v); });
  case Opcode::ceil:
    return rounded([](double v) { return std::ceil(v); });
  case Opcode::round:
    return rounded([](double v) { return std::round(v); });
  case Opcode::roundEven:
    return rounded([](double v) { return std::nearbyint(v); });
  case Opcode::truncate:
    return rounded([](double v) { return std::trunc(v); });
  default: // floatToSigned
    return lanes.exact([&](Number a, Number, Number) {
      return toSigned(a, instruction.integerBits);
    });
  }
}

/// What makes or takes truth values.
void runTruth(const Instruction &instruction, const Lanes &lanes) {
  switch (instruction.opcode) {
  case Opcode::compare:
    return lanes.exact([&](Number a, Number b, Number) {
      return compare(a, b, instruction.relations);
    });
  case Opcode::logicalAnd:
    return lanes.exact(
        [](Number a, Number b, Number) { return logicalAnd(a, b); });
  case Opcode::logicalOr:
    return lanes.exact(
        [](Number a, Number b, Number) { return logicalOr(a, b); });
  case Opcode::logicalXor:
    return lanes.exact(
        [](Number a, Number b, Number) { return logicalXor(a, b); });
  default: // select
    return lanes.exact(
        [](Number a, Number b, Number c) { return select(a, b, c); });
  }
}

} // namespace

void runExact(const Instruction &instruction, const Lanes &lanes) {
  switch (instruction.opcode) {
  case Opcode::negate:
    return lanes.exact([](Number a, Number, Number) { return negated(a); });
  case Opcode::abs:
    return lanes.exact([](Number a, Number, Number) { return magnitude(a); });
  case Opcode::copysign:
    return lanes.exact(
        [](Number a, Number b, Number) { return withSign(a, b); });
  case Opcode::maximum:
    return lanes.exact(
        [](Number a, Number b, Number) { return maximum(a, b); });
  case Opcode::minimum:
    return lanes.exact(
        [](Number a, Number b, Number) { return minimum(a, b); });
  case Opcode::maxnum:
    return lanes.exact([](Number a, Number b, Number) { return maxnum(a, b); });
  case Opcode::minnum:
    return lanes.exact([](Number a, Number b, Number) { return minnum(a, b); });
  case Opcode::floor:
  case Opcode::ceil:
  case Opcode::round:
  case Opcode::roundEven:
  case Opcode::truncate:
  case Opcode::floatToSigned:
    return runRounding(instruction, lanes);
  case Opcode::compare:
  case Opcode::select:
  case Opcode::logicalAnd:
  case Opcode::logicalOr:
  case Opcode::logicalXor:
    return runTruth(instruction, lanes);
  case Opcode::constant:
    return lanes.exact([&](Number, Number, Number) {
      return Number{instruction.constant, 0};
    });
  default:
    return runInteger(instruction, lanes);
  }
}

} // namespace lintel
