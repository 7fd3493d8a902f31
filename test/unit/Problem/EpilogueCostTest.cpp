// What epilogues cost in the estimate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Problem/LinearModules.h"

#include "Problem/EpilogueCost.h"

#include <gmock/gmock.h>
#include <string>
#include <utility>
#include <vector>

using namespace lintel;

namespace {

TEST(EpilogueCost, CountsFunctionsOfNamedStagesAndRegions) {
  EXPECT_EQ(epilogueCyclesPerVector(Epilogue()), 0);
  EXPECT_LT(epilogueCyclesPerVector(*Epilogue::parse("bias+relu")),
            epilogueCyclesPerVector(*Epilogue::parse("sigmoid")));
  // Making numbers of sums costs something, integers of results some more.
  const auto ofIntegers = [](const char *types) {
    return epilogueCyclesPerVector(
        Epilogue().forTypes(DataTypes::parse(types).value()).value());
  };
  EXPECT_GT(ofIntegers("s8s8"), 0);
  EXPECT_GT(ofIntegers("u8s8"), ofIntegers("s8s8"));
  EXPECT_GT(ofIntegers("s8s8:s8"), 2 * ofIntegers("s8s8"));
  const Epilogue region = Epilogue::fromRegion(
      "\"math.exp\"(%0) \"arith.addf\"(%1) \"math.erf\"(%2)", {}, 1);
  EXPECT_GT(epilogueCyclesPerVector(region),
            epilogueCyclesPerVector(*Epilogue::parse("sigmoid")));
}

/// Whoever writes a region may leave out the quotes of the generic form.
TEST(EpilogueCost, FindsOperationsInEitherForm) {
  const auto cycles = [](const char *text) {
    return epilogueCyclesPerVector(Epilogue::fromRegion(text, {}, 1));
  };
  const double generic =
      cycles("{ ^bb0(%a: f32): %0 = \"arith.addf\"(%a, %a) <{fastmath = "
             "#arith.fastmath<none>}> : (f32, f32) -> f32 %1 = "
             "\"math.exp\"(%0) : (f32) -> f32 }");
  EXPECT_GT(generic, kFunctionCycles);
  EXPECT_EQ(cycles("{\n^bb0(%a: f32):\n%0 = arith.addf %a, %a : f32\n"
                   "%1 = math.exp %0 : f32 }"),
            generic);
}

TEST(EpilogueCost, FindsNoOperationsInNamesAndComments) {
  const auto cycles = [](const char *text) {
    return epilogueCyclesPerVector(Epilogue::fromRegion(text, {}, 1));
  };
  EXPECT_EQ(cycles("{\n^math.exp(%math.exp: f32): // math.exp, once\n"
                   "%math.log = arith.addf %math.exp, %math.exp : f32\n"
                   "// math.exp\n lintel.yield %math.log : f32 }"),
            cycles("\"arith.addf\"()"));
  EXPECT_EQ(cycles("{ ^bb0(%a$math.exp: f32): "
                   "%b-math.log = arith.addf %a$math.exp, %a$math.exp : f32 "
                   "lintel.yield %b-math.log : f32 }"),
            cycles("\"arith.addf\"()"));
  // What begins like one in a text does not hide the rest.
  EXPECT_GT(cycles("\"a.b\"() {text = \"//\"} %0 = math.exp %a : f32"),
            kFunctionCycles / 2);
}

/// Loading a vector of an operand is an instruction; one of a column's waits in
/// a register.
TEST(EpilogueCost, CountsTheLoadsOfFullOperands) {
  const auto region = [](const char *text,
                         std::vector<EpilogueOperand> operands) {
    return epilogueCyclesPerVector(
        Epilogue::fromRegion(text, std::move(operands), 1));
  };
  const auto named = [](const char *text) {
    return epilogueCyclesPerVector(*Epilogue::parse(text));
  };
  const char *product = "\"arith.mulf\"(%0, %1)";
  const EpilogueOperand full = {"operand0", Broadcast::full},
                        column = {"operand1", Broadcast::column};
  EXPECT_EQ(region(product, {full}), named("mul"));
  EXPECT_EQ(region(product, {full}), named("residual"));
  EXPECT_EQ(region(product, {column}), named("bias"));
  EXPECT_EQ(region("", {full, column, full}), named("mul"));
}

/// Else a layer in MLIR would have another search space than by name.
class RegionOfStages : public LinearModules {
protected:
  void expectOneCost(const std::string &stages, std::string_view types) {
    const Problem named = problem("4x8:8x16 " + stages, types);
    const Expected<Problem> stated = problemFromModule(*build(named));
    ASSERT_TRUE(stated) << stated.error().message();
    ASSERT_TRUE(stated->epilogue().isRegion());
    EXPECT_EQ(epilogueCyclesPerVector(stated->epilogue()),
              epilogueCyclesPerVector(named.epilogue()))
        << types << " " << stages;
  }
};

TEST_F(RegionOfStages, CostsWhatTheyCost) {
  const char *stages[] = {"none",      "bias",     "relu", "gelu_erf",
                          "gelu_tanh", "silu",     "tanh", "sigmoid",
                          "clamp",     "residual", "mul",  "bias+silu+mul"};
  for (const char *types :
       {"f32", "bf16", "bf16:f32", "f16", "u8s8", "s8s8:bf16", "s8s8:s8",
        "s8s8:u8", "u8s8:s8", "u8s8:u8"})
    for (const char *text : stages)
      expectOneCost(text, types);
}

TEST_F(RegionOfStages, CostsWhatTheirZeroPointsCost) {
  for (const char *types : {"u8s8", "s8s8:f16", "u8s8:u8"})
    for (const char *text :
         {"dequant(xzero=none)", "dequant(xzero=row)", "dequant(wzero=column)",
          "dequant(xzero=none,wzero=tensor)", "dequant(x=row,w=tensor)+bias"})
      expectOneCost(text, types);
  for (const char *text : {"quant(zero=none)", "silu+quant(zero=tensor)"})
    expectOneCost(text, "u8s8:s8");
}

/// Those that the layer's types ask for are part of its loads and stores.
TEST_F(RegionOfStages, CostsWhatItsOwnConversionsCost) {
  const auto cycles = [](const std::string &text) {
    return epilogueCyclesPerVector(Epilogue::fromRegion(
        text, {{"operand0", Broadcast::column, DType::f16}}, 1));
  };
  const std::string widen = "\"arith.extf\"(%0) ",
                    narrow = "\"arith.truncf\"(%0) ";
  EXPECT_EQ(cycles(widen + narrow), 0);
  EXPECT_EQ(cycles(widen + widen + narrow), cycles("\"arith.addf\"(%0)"));
  EXPECT_EQ(cycles(widen + narrow + narrow), cycles("\"arith.addf\"(%0)"));
}

/// As they take on Zen 3: 25 cycles a vector for exp, 5, 35, 94 and 119 for the
/// others.
TEST(EpilogueCost, TellsLongFunctionsFromShortOnes) {
  const auto cycles = [](const std::string &function) {
    return epilogueCyclesPerVector(
        Epilogue::fromRegion("\"math." + function + "\"(%0)", {}, 1));
  };
  EXPECT_LT(cycles("round"), cycles("exp") / 4);
  EXPECT_EQ(cycles("clampf"), 2 * cycles("floor"));
  EXPECT_EQ(cycles("copysign"), cycles("floor"));
  EXPECT_EQ(cycles("sqrt"), 8 * cycles("floor"));
  EXPECT_EQ(cycles("rsqrt"), 2 * cycles("sqrt"));
  EXPECT_LT(cycles("rsqrt"), cycles("exp"));
  EXPECT_GT(cycles("log"), cycles("exp"));
  EXPECT_GT(cycles("expm1"), 3 * cycles("exp"));
  EXPECT_GT(cycles("sinh"), cycles("expm1"));
}

} // namespace
