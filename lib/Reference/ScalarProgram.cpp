// An epilogue region as a list of instructions, evaluated in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reference/ScalarProgram.h"

#include "Reference/Lanes.h"

#include <algorithm>

namespace lintel {

uint32_t ScalarProgram::append(const Instruction &instruction) {
  instructions.push_back(instruction);
  return uint32_t(slotCount() - 1);
}

bool ScalarProgram::mayRecur() const {
  return std::ranges::any_of(instructions, [](const Instruction &instruction) {
    const Opcode opcode = instruction.opcode;
    return opcode == Opcode::sin || opcode == Opcode::cos ||
           (opcode >= Opcode::floor && opcode <= Opcode::compare);
  });
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
             instruction.opcode <= Opcode::integerToFloat)
      runCorrect(instruction, view);
    else
      runExact(instruction, view);
    result += kLanes;
  }
}

} // namespace lintel
