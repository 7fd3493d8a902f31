// Programs of epilogues that tests write as generic IR, run on one element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"
#include "Problem/BuildLinear.h"
#include "Reference/CompileEpilogue.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace lintel {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A problem whose region has the accumulator %a, operands %b and %c, and
/// `body` whose result is %r.
inline Expected<ScalarProgram> compile(const std::string &body) {
  std::vector<EpilogueOperand> operands = {{"operand0", Broadcast::full},
                                           {"operand1", Broadcast::full}};
  std::string region = "{ ^bb0(%a: f32, %b: f32, %c: f32): " + body +
                       " \"lintel.yield\"(%r) : (f32) -> () }";
  Expected<Problem> problem = Problem::create(
      1, 1, 1, DataTypes(), Epilogue::fromRegion(region, operands, 1));
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      buildModule(context, *problem);
  if (!module)
    return module.error();
  ir::LinearOp linear;
  (*module)->walk([&](ir::LinearOp op) { linear = op; });
  return compileEpilogue(linear.getEpilogue());
}

inline Number evaluate(const ScalarProgram &program, Number a, Number b = {},
                       Number c = {}) {
  constexpr size_t stride = ScalarProgram::kLanes;
  std::vector<Number> slots(program.slotCount() * stride);
  slots[0] = a;
  slots[stride] = b;
  slots[2 * stride] = c;
  program.run(slots.data(), 1);
  return slots[program.results().front() * stride];
}

inline Number evaluate(const std::string &body, Number a, Number b = {},
                       Number c = {}) {
  Expected<ScalarProgram> program = compile(body);
  EXPECT_TRUE(program) << program.error().message();
  return program ? evaluate(*program, a, b, c) : Number{kNaN, 0};
}

} // namespace lintel
