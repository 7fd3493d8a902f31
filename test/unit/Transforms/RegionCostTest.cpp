// What the epilogues of lintel.linear cost beside named stages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Problem/LinearModules.h"

#include "Problem/EpilogueCost.h"

#include "mlir/Parser/Parser.h"

using namespace lintel;

namespace {

class RegionCostTest : public LinearModules {
protected:
  /// Of the region that the named stages are.
  double costOfRegion(const char *stages) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        build(problem(std::string("4x8:8x16 ") + stages));
    return costOfLayer(*module);
  }
  double costOfStages(const char *stages) {
    return epilogueCyclesPerVector(
        problem(std::string("4x8:8x16 ") + stages).epilogue());
  }
  /// Of one that computes %y from %acc.
  double costOf(const std::string &body) {
    const std::string source =
        "func.func @f(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>)"
        " -> tensor<4x16xf32> {\n%r = lintel.linear %x, %w :"
        " (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {\n"
        "^bb0(%acc: f32):\n" +
        body + "\nlintel.yield %y : f32\n}\nreturn %r : tensor<4x16xf32>\n}";
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    EXPECT_TRUE(module) << body;
    return costOfLayer(*module);
  }

private:
  static double costOfLayer(mlir::ModuleOp module) {
    Expected<Problem> stated = problemFromModule(module);
    EXPECT_TRUE(stated) << stated.error().message();
    EXPECT_TRUE(stated->epilogue().isRegion());
    return epilogueCyclesPerVector(stated->epilogue());
  }
};

TEST_F(RegionCostTest, ARegionCostsWhatTheSameStagesCost) {
  for (const char *stages : {"none", "bias", "relu", "clamp(-1,1)", "residual",
                             "mul", "bias+relu+residual", "tanh", "gelu_erf"})
    EXPECT_EQ(costOfRegion(stages), costOfStages(stages)) << stages;
  // Their quotients are part of what a named function costs.
  for (const char *stages : {"sigmoid", "silu", "gelu_tanh"}) {
    EXPECT_GE(costOfRegion(stages), costOfStages(stages)) << stages;
    EXPECT_LE(costOfRegion(stages), 1.2 * costOfStages(stages)) << stages;
  }
}

TEST_F(RegionCostTest, FunctionsThatAreInstructionsCostWhatArithmeticCosts) {
  const double arithmetic = costOf("%y = arith.negf %acc : f32");
  for (const char *name : {"absf", "ceil", "floor", "roundeven", "trunc"})
    EXPECT_EQ(costOf(std::string("%y = math.") + name + " %acc : f32"),
              arithmetic)
        << name;
  EXPECT_EQ(costOf("%y = math.copysign %acc, %acc : f32"), arithmetic);
  EXPECT_EQ(costOf("%y = math.fma %acc, %acc, %acc : f32"), arithmetic);
}

TEST_F(RegionCostTest, RootsCostMoreThanArithmetic) {
  const double root = costOf("%y = math.sqrt %acc : f32");
  EXPECT_GT(root, 4 * costOf("%y = math.absf %acc : f32"));
  EXPECT_GT(costOf("%y = math.rsqrt %acc : f32"), root);
  EXPECT_LT(root, costOf("%y = math.exp %acc : f32"));
}

} // namespace
