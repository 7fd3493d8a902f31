// Modules with one lintel.linear op, made of problems.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"
#include "Problem/BuildLinear.h"
#include "Problem/ReadLinear.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace lintel {

/// A context for modules with one lintel.linear op.
class LinearModules : public testing::Test {
protected:
  LinearModules() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<ir::LintelDialect, mlir::arith::ArithDialect,
                        mlir::func::FuncDialect, mlir::math::MathDialect>();
  }

  Problem problem(std::string_view text, std::string_view types = "f32") {
    Expected<Problem> parsed =
        Problem::parse(text, DataTypes::parse(types).value());
    EXPECT_TRUE(parsed) << parsed.error().message();
    return *parsed;
  }
  mlir::OwningOpRef<mlir::ModuleOp> build(const Problem &problem) {
    Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
        buildModule(context, problem);
    EXPECT_TRUE(module) << module.error().message();
    return module ? std::move(*module) : nullptr;
  }
  static ir::LinearOp linearOf(mlir::ModuleOp module) {
    ir::LinearOp found;
    module.walk([&](ir::LinearOp op) { found = op; });
    return found;
  }
  static std::string print(mlir::Operation *op) {
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    return text;
  }

  mlir::MLIRContext context;
};

} // namespace lintel
