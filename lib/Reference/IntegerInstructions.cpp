// Instructions on integers, whose results are exact as well.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reference/Lanes.h"

#include <cmath>
#include <functional>

namespace lintel {

namespace {

constexpr Number kAnything = {0, kInfiniteError};

uint64_t bitsOf(double integer) {
  return static_cast<uint64_t>(static_cast<int64_t>(integer));
}

/// The signed integer that the lowest bits are; of a truth value 0 or 1.
double lowest(uint64_t value, unsigned bits) {
  if (bits == 1)
    return static_cast<double>(value & 1);
  return static_cast<double>(static_cast<int64_t>(value << (64 - bits)) >>
                             (64 - bits));
}

/// The lowest bits of an integer that may be off. Whether it wraps is known if
/// all that it may be do so alike.
Number wrapped(uint64_t integer, double error, unsigned bits) {
  const double limit = std::ldexp(1.0, int(bits) - 1);
  const double value = lowest(integer, bits);
  if (error != 0 && !(value - error >= -limit && value + error < limit))
    return kAnything;
  return {value, error};
}

Number wrap(Number a, unsigned bits) {
  return wrapped(bitsOf(a.value), a.error, bits);
}

/// Exact, where a double is not.
Number integerProduct(Number a, Number b, unsigned bits) {
  return wrapped(bitsOf(a.value) * bitsOf(b.value), productError(a, b), bits);
}

/// The one bit of i1 is a sign bit: true is -1.
Number signExtended(Number a, unsigned bits) {
  return bits == 1 ? Number{-a.value + 0.0, a.error} : a;
}

/// Where it is not certain that an integer is negative it may be any.
Number zeroExtended(Number a, unsigned bits) {
  if (bits == 1)
    return a;
  if (a.error != 0 && a.value - a.error < 0 && a.value + a.error >= 0)
    return kAnything;
  return {a.value < 0 ? a.value + std::ldexp(1.0, int(bits)) : a.value,
          a.error};
}

/// How far an integer is shifted; nothing defines it for all its bits and more.
bool isShift(Number amount, unsigned bits) {
  return amount.error == 0 && amount.value >= 0 && amount.value < bits;
}

Number shiftedLeft(Number a, Number amount, unsigned bits) {
  return isShift(amount, bits)
             ? integerProduct(a, {std::exp2(amount.value), 0}, bits)
             : kAnything;
}

Number shiftedRight(Number a, Number amount, unsigned bits) {
  const auto shifted = [&](double v) {
    return std::floor(std::ldexp(v, -int(amount.value)));
  };
  return isShift(amount, bits) ? wrap(monotone(a, shifted), bits) : kAnything;
}

/// A quotient of integers of 32 bits that is none itself differs from the
/// nearest by 2^-32 of it, 2^21 times what a double may be off.
template <class Round>
Number integerQuotient(Number a, Number b, unsigned bits, Round round) {
  if (b.error != 0 || b.value == 0)
    return kAnything;
  return wrap(monotone(a, [&](double v) { return round(v / b.value); }), bits);
}

/// Of the sign of a, or 0, and less than b.
Number remainder(Number a, Number b, unsigned bits) {
  if (b.error != 0 || b.value == 0)
    return kAnything;
  const double value = std::fmod(a.value, b.value);
  const auto turns = [&](double v) { return std::trunc(v / b.value); };
  const bool isOneTurn = turns(a.value - a.error) == turns(a.value + a.error);
  const double most = std::abs(b.value) - 1 + std::abs(value);
  return wrap({value, isOneTurn ? a.error : most}, bits);
}

template <class Combine>
Number ofBits(Number a, Number b, unsigned bits, Combine combine) {
  return areCertain(a, b)
             ? Number{lowest(combine(bitsOf(a.value), bitsOf(b.value)), bits),
                      0}
             : kAnything;
}

/// `compute` of two operands and the bits of their type.
template <class Compute>
void runBinary(const Lanes &lanes, unsigned bits, Compute compute) {
  lanes.exact([&](Number a, Number b, Number) { return compute(a, b, bits); });
}

void runDivision(const Instruction &instruction, const Lanes &lanes) {
  const auto rounded = [&](double (*round)(double)) {
    runBinary(lanes, instruction.integerBits,
              [&](Number a, Number b, unsigned bits) {
                return integerQuotient(a, b, bits, round);
              });
  };
  switch (instruction.opcode) {
  case Opcode::integerDivide:
    return rounded([](double v) { return std::trunc(v); });
  case Opcode::floorDivide:
    return rounded([](double v) { return std::floor(v); });
  case Opcode::ceilDivide:
    return rounded([](double v) { return std::ceil(v); });
  default: // integerRemainder
    return runBinary(lanes, instruction.integerBits, remainder);
  }
}

void runBits(const Instruction &instruction, const Lanes &lanes) {
  const auto combined = [&](auto combine) {
    runBinary(lanes, instruction.integerBits,
              [&](Number a, Number b, unsigned bits) {
                return ofBits(a, b, bits, combine);
              });
  };
  switch (instruction.opcode) {
  case Opcode::bitAnd:
    return combined(std::bit_and<uint64_t>());
  case Opcode::bitOr:
    return combined(std::bit_or<uint64_t>());
  case Opcode::bitXor:
    return combined(std::bit_xor<uint64_t>());
  case Opcode::shiftLeft:
    return runBinary(lanes, instruction.integerBits, shiftedLeft);
  default: // shiftRight
    return runBinary(lanes, instruction.integerBits, shiftedRight);
  }
}

} // namespace

void runInteger(const Instruction &instruction, const Lanes &lanes) {
  const unsigned bits = instruction.integerBits;
  switch (instruction.opcode) {
  case Opcode::integerAdd:
    return lanes.exact(
        [&](Number a, Number b, Number) { return wrap(sum(a, b), bits); });
  case Opcode::integerSubtract:
    return lanes.exact([&](Number a, Number b, Number) {
      return wrap(difference(a, b), bits);
    });
  case Opcode::integerMultiply:
    return runBinary(lanes, bits, integerProduct);
  case Opcode::integerTruncate:
    return lanes.exact([&](Number a, Number, Number) { return wrap(a, bits); });
  case Opcode::signExtend:
    return lanes.exact(
        [&](Number a, Number, Number) { return signExtended(a, bits); });
  case Opcode::zeroExtend:
    return lanes.exact(
        [&](Number a, Number, Number) { return zeroExtended(a, bits); });
  case Opcode::integerDivide:
  case Opcode::floorDivide:
  case Opcode::ceilDivide:
  case Opcode::integerRemainder:
    return runDivision(instruction, lanes);
  default:
    return runBits(instruction, lanes);
  }
}

} // namespace lintel
