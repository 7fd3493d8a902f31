// An epilogue region as a list of instructions, evaluated in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/Number.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lintel {

enum class Opcode : uint8_t {
  constant,
  // rounded correctly
  add,
  subtract,
  multiply,
  divide,
  fma,
  sqrt,
  convert,
  integerToFloat,
  // exact
  negate,
  abs,
  copysign,
  maximum,
  minimum,
  maxnum,
  minnum,
  floor,
  ceil,
  round,
  roundEven,
  truncate,
  floatToSigned,
  integerDivide, ///< towards zero
  floorDivide,
  ceilDivide,
  integerRemainder, ///< of integerDivide
  shiftLeft,
  shiftRight, ///< of the number
  bitAnd,
  bitOr,
  bitXor,
  compare,
  select,
  logicalAnd,
  logicalOr,
  logicalXor,
  integerAdd, ///< and all of integers, modulo 2^bits
  integerSubtract,
  integerMultiply,
  integerTruncate,
  signExtend, ///< and the other: the number that the bits of an integer are
  zeroExtend,
  // approximated by kernels
  exp,
  exp2,
  expm1,
  log,
  log2,
  log1p,
  log10,
  rsqrt,
  tanh,
  erf,
  erfc,
  sin,
  cos,
  atan,
  sinh,
  cosh,
  asinh,
  acosh,
  atanh,
  atan2,
  pow,
};

/// The relations that make a comparison true, as bits to be or-ed.
struct Relation {
  enum : uint8_t { less = 1, equal = 2, greater = 4, unordered = 8 };
};

/// Writes the slot after those of the arguments and of all earlier
/// instructions.
struct Instruction {
  Opcode opcode;
  Format format = Format::f32;        ///< of the result
  std::array<uint32_t, 3> operands{}; ///< slots
  uint8_t relations = 0;              ///< of compare: Relation bits
  /// Of the integer read or written by conversions, extended, or computed.
  uint8_t integerBits = 0;
  bool mayFuse = false; ///< with an operation before or after it
  double constant = 0;  ///< of constant; true is 1
};

/// Straight-line code over numbered slots. Slot 0 is the accumulator, the
/// epilogue operands follow.
class ScalarProgram {
public:
  /// Elements that one run can evaluate.
  static constexpr size_t kLanes = 128;

  explicit ScalarProgram(uint32_t arguments) : arguments(arguments) {}
  /// Appends an instruction that reads existing slots; returns its slot.
  uint32_t append(const Instruction &instruction);
  void addResult(uint32_t slot) { resultSlots.push_back(slot); }

  size_t slotCount() const { return arguments + instructions.size(); }
  const std::vector<uint32_t> &results() const { return resultSlots; }
  /// Whether results may come back to what they were while an argument moves
  /// on: some operation is periodic, has steps, or chooses.
  bool mayRecur() const;
  /// Evaluates lanes [0, lanes) of `slots`, slotCount() * kLanes numbers: those
  /// of the arguments are read, all others written.
  void run(Number *slots, size_t lanes) const;

private:
  uint32_t arguments;
  std::vector<Instruction> instructions;
  std::vector<uint32_t> resultSlots;
};

} // namespace lintel
