// An epilogue region as a list of instructions, evaluated in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/ScalarProgram.h"

#include <algorithm>
#include <numbers>

namespace lintel {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
  double slack = a.error + b.error;
  bool certain = slack == 0 || !(std::abs(a.value - b.value) <= slack);
  return truth(relations & relationOf(a.value, b.value), certain);
}

/// Both alternatives are possible where the condition is uncertain.
Number select(Number condition, Number ifTrue, Number ifFalse) {
  Number chosen = condition.value != 0 ? ifTrue : ifFalse;
  if (condition.error != 0)
    chosen.error = std::abs(ifTrue.value - ifFalse.value) +
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
// Functions
//===----------------------------------------------------------------------===//

/// Where a value may be zero, a slope against its reciprocal has no bound.
double reciprocalSlope(Number a) { return 1 / leastMagnitude(a); }

// Upper bounds of the slopes of erf and tanh, from the first terms of the
// series of exp(x^2) and cosh(x): both functions are flat where they saturate.
double erfSlope(Number a) {
  double square = leastMagnitude(a) * leastMagnitude(a);
  return 2 * std::numbers::inv_sqrtpi / (1 + square + square * square / 2);
}
double tanhSlope(Number a) {
  double square = leastMagnitude(a) * leastMagnitude(a);
  double cosh = 1 + square / 2 + square * square / 24;
  return 1 / (cosh * cosh);
}

Number squareRoot(Number a) {
  double value = std::sqrt(a.value);
  // Near zero the slope is infinite, but the change is not.
  return {value,
          a.error == 0 ? 0 : std::min(a.error / value, std::sqrt(2 * a.error))};
}

Number arcTangent2(Number y, Number x) {
  double value = std::atan2(y.value, x.value);
  if (y.error == 0 && x.error == 0)
    return {value, 0};
  if (x.value - x.error < 0 && leastMagnitude(y) == 0)
    return {value, 2 * std::numbers::pi}; // across the cut
  double square = leastMagnitude(x) * leastMagnitude(x) +
                  leastMagnitude(y) * leastMagnitude(y);
  return {value,
          (std::abs(x.value) * y.error + std::abs(y.value) * x.error) / square};
}

Number power(Number a, Number b, Format format) {
  double value = std::pow(a.value, b.value);
  double logarithm = std::log(std::abs(a.value));
  double error = 0;
  if (a.error != 0 || b.error != 0)
    error =
        std::abs(value) * (std::abs(b.value) * a.error * reciprocalSlope(a) +
                           std::abs(logarithm) * b.error);
  // Kernels compute exp(b log a), and an error of the exponent is relative.
  double exponent = std::abs(b.value * logarithm);
  double ulps = kFunctionUlps * (1 + (std::isfinite(exponent) ? exponent : 0));
  return approximated({value, error}, format, ulps);
}

/// Kernels reduce the argument of sin and cos with an error relative to it.
Number circular(double value, Number a, Format format) {
  Number result = sloped(value, a, 1);
  result.error += kFunctionUlps * epsilonOf(format) * (1 + std::abs(a.value));
  return settle(result, format);
}

/// Rounds towards zero; what the integer type cannot hold could be anything.
Number toSigned(Number a, unsigned bits) {
  double limit = std::ldexp(1.0, int(bits) - 1);
  Number result = monotone(a, [](double v) { return std::trunc(v); });
  if (result.value >= -limit && result.value < limit)
    return result;
  return {0, kInfinity};
}

uint64_t bitsOf(double integer) {
  return static_cast<uint64_t>(static_cast<int64_t>(integer));
}

/// The signed integer that the lowest bits are.
double lowest(uint64_t value, unsigned bits) {
  return static_cast<double>(static_cast<int64_t>(value << (64 - bits)) >>
                             (64 - bits));
}

/// Where an integer is not certain it may wrap or not.
Number wrap(Number a, unsigned bits) {
  const double limit = std::ldexp(1.0, int(bits) - 1);
  if (a.error != 0)
    return a.value - a.error >= -limit && a.value + a.error < limit
               ? a
               : Number{0, kInfinity};
  return {lowest(bitsOf(a.value), bits), 0};
}

/// Exact, where a double is not.
Number integerProduct(Number a, Number b, unsigned bits) {
  if (a.error != 0 || b.error != 0)
    return wrap(product(a, b), bits);
  return {lowest(bitsOf(a.value) * bitsOf(b.value), bits), 0};
}

//===----------------------------------------------------------------------===//
// Instructions over lanes
//===----------------------------------------------------------------------===//

/// The operands of one instruction and where its results go.
struct Lanes {
  const Number *a, *b, *c;
  Number *result;
  size_t count;
  Format format;
  bool mayFuse;

  template <class F> void exact(F f) const {
    each([&](size_t i) { return settle(f(a[i], b[i], c[i]), format); });
  }
  template <class F> void correct(F f) const {
    each([&](size_t i) {
      const Number number = f(a[i], b[i], c[i]);
      return mayFuse ? rounded(number, format) : roundedAlone(number, format);
    });
  }
  /// f(value) and the slope of f, given the argument and f of it.
  template <class F, class Slope> void function(F f, Slope slope) const {
    each([&](size_t i) {
      double value = f(a[i].value);
      return approximated(sloped(value, a[i], slope(a[i], value)), format,
                          kFunctionUlps);
    });
  }
  template <class F> void each(F f) const {
    for (size_t i = 0; i < count; ++i)
      result[i] = f(i);
  }
};

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
    return lanes.exact([](Number a, Number, Number) {
      return monotone(a, [](double v) { return std::floor(v); });
    });
  case Opcode::ceil:
    return lanes.exact([](Number a, Number, Number) {
      return monotone(a, [](double v) { return std::ceil(v); });
    });
  case Opcode::round:
    return lanes.exact([](Number a, Number, Number) {
      return monotone(a, [](double v) { return std::round(v); });
    });
  case Opcode::roundEven:
    return lanes.exact([](Number a, Number, Number) {
      return monotone(a, [](double v) { return std::nearbyint(v); });
    });
  case Opcode::truncate:
    return lanes.exact([](Number a, Number, Number) {
      return monotone(a, [](double v) { return std::trunc(v); });
    });
  case Opcode::floatToSigned:
    return lanes.exact([&](Number a, Number, Number) {
      return toSigned(a, instruction.integerBits);
    });
  case Opcode::compare:
    return lanes.exact([&](Number a, Number b, Number) {
      return compare(a, b, instruction.relations);
    });
  case Opcode::select:
    return lanes.exact(
        [](Number a, Number b, Number c) { return select(a, b, c); });
  case Opcode::logicalAnd:
    return lanes.exact(
        [](Number a, Number b, Number) { return logicalAnd(a, b); });
  case Opcode::logicalOr:
    return lanes.exact(
        [](Number a, Number b, Number) { return logicalOr(a, b); });
  case Opcode::logicalXor:
    return lanes.exact(
        [](Number a, Number b, Number) { return logicalXor(a, b); });
  case Opcode::integerAdd:
    return lanes.exact([&](Number a, Number b, Number) {
      return wrap(sum(a, b), instruction.integerBits);
    });
  case Opcode::integerSubtract:
    return lanes.exact([&](Number a, Number b, Number) {
      return wrap(difference(a, b), instruction.integerBits);
    });
  case Opcode::integerMultiply:
    return lanes.exact([&](Number a, Number b, Number) {
      return integerProduct(a, b, instruction.integerBits);
    });
  case Opcode::integerTruncate:
    return lanes.exact([&](Number a, Number, Number) {
      return wrap(a, instruction.integerBits);
    });
  default: // constant
    return lanes.exact([&](Number, Number, Number) {
      return Number{instruction.constant, 0};
    });
  }
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
  case Opcode::remainder:
    return lanes.correct(
        [](Number a, Number b, Number) { return remainder(a, b); });
  case Opcode::fma: // in double it is rounded twice
    return lanes.each([&](size_t i) {
      return rounded(fusedProductSum(lanes.a[i], lanes.b[i], lanes.c[i]),
                     lanes.format);
    });
  case Opcode::sqrt:
    return lanes.correct(
        [](Number a, Number, Number) { return squareRoot(a); });
  case Opcode::signedToFloat: {
    // The one bit of i1 is a sign bit: true is -1.
    double scale = instruction.integerBits == 1 ? -1 : 1;
    return lanes.correct([=](Number a, Number, Number) {
      return Number{scale * a.value, a.error};
    });
  }
  default: // convert, boolToFloat
    return lanes.correct([](Number a, Number, Number) { return a; });
  }
}

void runFunction(const Instruction &instruction, const Lanes &lanes) {
  using std::numbers::ln10, std::numbers::ln2;
  const Format format = lanes.format;
  switch (instruction.opcode) {
  case Opcode::exp:
    return lanes.function([](double v) { return std::exp(v); },
                          [](Number, double value) { return value; });
  case Opcode::exp2:
    return lanes.function([](double v) { return std::exp2(v); },
                          [](Number, double value) { return value * ln2; });
  case Opcode::expm1:
    return lanes.function([](double v) { return std::expm1(v); },
                          [](Number, double value) { return value + 1; });
  case Opcode::log:
    return lanes.function([](double v) { return std::log(v); },
                          [](Number a, double) { return reciprocalSlope(a); });
  case Opcode::log2:
    return lanes.function(
        [](double v) { return std::log2(v); },
        [](Number a, double) { return reciprocalSlope(a) / ln2; });
  case Opcode::log10:
    return lanes.function(
        [](double v) { return std::log10(v); },
        [](Number a, double) { return reciprocalSlope(a) / ln10; });
  case Opcode::log1p:
    return lanes.function(
        [](double v) { return std::log1p(v); },
        [](Number a, double) { return reciprocalSlope(sum(a, {1, 0})); });
  case Opcode::rsqrt:
    return lanes.function(
        [](double v) { return 1 / std::sqrt(v); },
        [](Number a, double value) { return value * reciprocalSlope(a); });
  case Opcode::tanh:
    return lanes.function([](double v) { return std::tanh(v); },
                          [](Number a, double) { return tanhSlope(a); });
  case Opcode::erf:
    return lanes.function([](double v) { return std::erf(v); },
                          [](Number a, double) { return erfSlope(a); });
  case Opcode::atan:
    return lanes.function([](double v) { return std::atan(v); },
                          [](Number, double) { return 1.0; });
  case Opcode::erfc: // kernels may compute 1 - erf
    return lanes.each([&](size_t i) {
      Number a = lanes.a[i];
      Number result = sloped(std::erfc(a.value), a, erfSlope(a));
      result.error += kFunctionUlps * epsilonOf(format);
      return settle(result, format);
    });
  case Opcode::sin:
    return lanes.each([&](size_t i) {
      return circular(std::sin(lanes.a[i].value), lanes.a[i], format);
    });
  case Opcode::cos:
    return lanes.each([&](size_t i) {
      return circular(std::cos(lanes.a[i].value), lanes.a[i], format);
    });
  case Opcode::atan2:
    return lanes.each([&](size_t i) {
      return approximated(arcTangent2(lanes.a[i], lanes.b[i]), format,
                          kFunctionUlps);
    });
  default: // pow
    return lanes.each(
        [&](size_t i) { return power(lanes.a[i], lanes.b[i], format); });
  }
}

} // namespace

uint32_t ScalarProgram::append(const Instruction &instruction) {
  instructions.push_back(instruction);
  return uint32_t(slotCount() - 1);
}

void ScalarProgram::run(Number *slots, size_t lanes) const {
  Number *result = slots + arguments * kLanes;
  for (const Instruction &instruction : instructions) {
    const auto &operands = instruction.operands;
    Lanes view{slots + operands[0] * kLanes,
               slots + operands[1] * kLanes,
               slots + operands[2] * kLanes,
               result,
               lanes,
               instruction.format,
               instruction.mayFuse};
    if (instruction.opcode >= Opcode::exp)
      runFunction(instruction, view);
    else if (instruction.opcode >= Opcode::add &&
             instruction.opcode <= Opcode::boolToFloat)
      runCorrect(instruction, view);
    else
      runExact(instruction, view);
    result += kLanes;
  }
}

} // namespace lintel
