// Problems as lintel.linear ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Problem/LinearModules.h"

#include "mlir/IR/Verifier.h"

#include <gmock/gmock.h>

using namespace lintel;
using mlir::ShapedType;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

using BuildLinearTest = LinearModules;

TEST_F(BuildLinearTest, FunctionTakesXWAndTheOperandsInOrder) {
  auto module = build(problem("4x8:8x16 residual+bias"));
  auto function = module->lookupSymbol<mlir::func::FuncOp>(kLinearFunctionName);
  ASSERT_TRUE(function);
  std::string type;
  llvm::raw_string_ostream(type) << function.getFunctionType();
  EXPECT_EQ(type, "(tensor<4x8xf32>, tensor<16x8xf32>, tensor<4x16xf32>, "
                  "tensor<16xf32>) -> "
                  "tensor<4x16xf32>");
}

TEST_F(BuildLinearTest, DynamicRowsStayDynamic) {
  auto module = build(problem("?x8:8x16 residual"));
  ir::LinearOp op = linearOf(*module);
  EXPECT_EQ(op.getM(), ShapedType::kDynamic);
  EXPECT_EQ(op.getN(), 16);
  EXPECT_EQ(op.getK(), 8);
}

TEST_F(BuildLinearTest, RangesOfRowsAreAnAttributeThatIsReadBack) {
  for (const auto &[text, attribute] :
       {std::pair("65..?x8:8x16", "rows = array<i64: 65, 2147483648>"),
        std::pair("0..64x8:8x16", "rows = array<i64: 0, 64>")}) {
    const Problem original = problem(text);
    auto module = build(original);
    EXPECT_THAT(print(linearOf(*module)), HasSubstr(attribute));
    const Expected<Problem> stated = problemFromModule(*module);
    ASSERT_TRUE(stated) << stated.error().message();
    EXPECT_EQ(stated->rows(), original.rows()) << text;
  }
  for (const char *text : {"?x8:8x16", "4x8:8x16"})
    EXPECT_THAT(print(linearOf(*build(problem(text)))), Not(HasSubstr("rows")))
        << text;
}

TEST_F(BuildLinearTest, SizesOfZeroAreFine) {
  for (const char *text :
       {"0x8:8x16 bias+residual", "4x0:0x16 bias", "4x8:8x0 bias", "0x0:0x0"})
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*build(problem(text))))) << text;
}

TEST_F(BuildLinearTest, EveryNamedStageVerifies) {
  for (const char *stage :
       {"none", "bias", "relu", "gelu_erf", "gelu_tanh", "silu", "sigmoid",
        "tanh", "clamp", "residual", "mul"})
    EXPECT_TRUE(mlir::succeeded(
        mlir::verify(*build(problem("4x8:8x16 " + std::string(stage))))))
        << stage;
}

TEST_F(BuildLinearTest, ReluIsACompareAndSelectThatKeepsNaN) {
  std::string text = print(*build(problem("4x8:8x16 relu")));
  EXPECT_THAT(text, HasSubstr("arith.cmpf olt"));
  EXPECT_THAT(text, HasSubstr("arith.select"));
}

TEST_F(BuildLinearTest, SumsAndProductsMayFuse) {
  std::string text = print(*build(problem("4x8:8x16 mul+bias")));
  EXPECT_THAT(text, HasSubstr("fastmath<contract>"));
  EXPECT_THAT(text, Not(HasSubstr("fastmath<fast>")));
}

TEST_F(BuildLinearTest, TensorsHaveTheTypesOfTheProblem) {
  const auto type = [&](std::string_view types) {
    auto module = build(problem("4x8:8x16 bias", types));
    std::string text;
    llvm::raw_string_ostream(text)
        << module->lookupSymbol<mlir::func::FuncOp>(kLinearFunctionName)
               .getFunctionType();
    return text;
  };
  EXPECT_EQ(type("bf16"), "(tensor<4x8xbf16>, tensor<16x8xbf16>, "
                          "tensor<16xbf16>) -> tensor<4x16xbf16>");
  EXPECT_EQ(type("bf16:f32"), "(tensor<4x8xbf16>, tensor<16x8xbf16>, "
                              "tensor<16xf32>) -> tensor<4x16xf32>");
  EXPECT_EQ(type("f16"), "(tensor<4x8xf16>, tensor<16x8xf16>, "
                         "tensor<16xf16>) -> tensor<4x16xf16>");
}

TEST_F(BuildLinearTest, RegionsComputeInF32AndRoundOnce) {
  const auto region = [&](std::string_view types) {
    return problemFromModule(*build(problem("4x8:8x16 bias+relu+mul", types)))
        ->epilogue()
        .text();
  };
  // Operands are widened first, the result is narrowed last.
  EXPECT_THAT(region("bf16"),
              StartsWith("{ ^bb0(%arg0: f32, %arg1: bf16, %arg2: bf16): "
                         "%0 = \"arith.extf\"(%arg1) : (bf16) -> f32 "
                         "%1 = \"arith.extf\"(%arg2) : (bf16) -> f32 "
                         "%2 = \"arith.addf\"(%arg0, %0)"));
  EXPECT_THAT(region("bf16"),
              HasSubstr(" = \"arith.truncf\"(%6) : (f32) -> bf16 "
                        "\"lintel.yield\"(%7) : (bf16) -> () }"));
  // Nothing to convert: the region of f32.
  EXPECT_EQ(region("bf16:f32"), region("f32"));
  EXPECT_EQ(region("f16:f32"), region("f32"));
}

/// What buildModule says of a region epilogue.
class RegionRefusalTest : public LinearModules {
protected:
  Error regionRefusal(std::string region, int numResults = 1) {
    Expected<Problem> problem = Problem::create(
        4, 16, 8, DataTypes(),
        Epilogue::fromRegion(std::move(region), {}, numResults));
    EXPECT_TRUE(problem);
    Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
        buildModule(context, *problem);
    EXPECT_FALSE(module);
    return module.error();
  }
};

TEST_F(RegionRefusalTest, TextThatTheParserWouldRunOutOfStackOn) {
  const auto layerWith = [](const std::string &attribute) {
    return "{ ^bb0(%a: f32): %r = \"arith.addf\"(%a, %a) {x = " + attribute +
           "} : (f32, f32) -> f32 \"lintel.yield\"(%r) : (f32) -> () }";
  };
  const std::string deep = std::string(20'000, '[') + std::string(20'000, ']');
  EXPECT_THAT(regionRefusal(layerWith(deep)).message(),
              StartsWith("epilogue region: brackets nest 20002 deep"));
  EXPECT_THAT(
      regionRefusal(layerWith("affine_map<(d0) -> (d0 + 1 + 1)>")).message(),
      StartsWith("epilogue region: holds an affine_map"));
}

TEST_F(RegionRefusalTest, TextThatTheParserWouldCrashOn) {
  EXPECT_THAT(regionRefusal("{ ^bb0(%a: f32): \"lintel.yield\"(%a) {x = "
                            "array < index : 1 >} : (f32) -> () }")
                  .message(),
              StartsWith("epilogue region: holds an array of index"));
}

TEST_F(RegionRefusalTest, TextThatTheParserWouldRunOutOfMemoryOn) {
  EXPECT_THAT(
      regionRefusal("{ ^bb0(%a: f32): \"lintel.yield\"(%a#2147483648) : "
                    "(f32) -> () }")
          .message(),
      StartsWith("epilogue region: picks a result by a number of more "
                 "than 4 digits"));
}

TEST_F(RegionRefusalTest, TextThatIsNoRegion) {
  for (const char *text :
       {"", "bias", "{ ^bb0(%a: f32): \"lintel.yield\"(%b) : (f32) -> () }",
        "{ ^bb0(%a: f32): \"lintel.yield\"(%a) : (f32) -> ()",
        "{ ^bb0(%a: f32): \"no.such\"(%a) : (f32) -> () }"}) {
    Error error = regionRefusal(text);
    EXPECT_EQ(error.code(), ErrorCode::parse) << text;
    EXPECT_THAT(error.message(), StartsWith("epilogue region:1:")) << text;
    EXPECT_THAT(error.message(), HasSubstr("a region reads { ^bb0(%acc: f32):"))
        << text;
  }
  // Places are in the text, also where MLIR names the end of the line before.
  EXPECT_THAT(regionRefusal("bias").message(),
              StartsWith("epilogue region:1:1: "));
}

TEST_F(RegionRefusalTest, RegionsThatAreNoEpilogue) {
  for (const char *text :
       {"{ }", "{ ^bb0: \"lintel.yield\"() : () -> () }",
        "{ ^bb0(%a: f32, %b: f32): \"lintel.yield\"(%a) : (f32) -> () }",
        "{ ^bb0(%a: f32): \"lintel.yield\"(%a, %a) : (f32, f32) -> () }",
        "{ ^bb0(%a: f32): \"func.return\"(%a) : (f32) -> () }",
        "{ ^bb0(%a: f32): \"func.call\"() <{callee = @linear}> : () -> () "
        "\"lintel.yield\"(%a) : (f32) -> () }",
        "{ ^bb0(%a: f64): \"lintel.yield\"(%a) : (f64) -> () }",
        // Text that ends the wrapper early must not smuggle in other
        // operations.
        "{}) : () -> () \"builtin.module\"() ({}"}) {
    Error error = regionRefusal(text);
    EXPECT_EQ(error.code(), ErrorCode::invalidArgument) << text << "\n"
                                                        << error.message();
    EXPECT_THAT(error.message(), StartsWith("the epilogue is not valid: "))
        << text;
  }
}

TEST_F(RegionRefusalTest, WrongNumberOfResults) {
  Error error =
      regionRefusal("{ ^bb0(%a: f32): \"lintel.yield\"(%a) : (f32) -> () }", 2);
  EXPECT_THAT(error.message(), HasSubstr("yield"));
}

} // namespace
