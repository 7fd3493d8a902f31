// lintel.linear ops as problems, also those that were built from one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Problem/LinearModules.h"

#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>

using namespace lintel;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

class ReadLinearTest : public LinearModules {
protected:
  mlir::OwningOpRef<mlir::ModuleOp> read(llvm::StringRef text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context,
                                                   "input.mlir");
  }
  Error refusal(llvm::StringRef text) {
    mlir::OwningOpRef<mlir::ModuleOp> module = read(text);
    EXPECT_TRUE(module) << "the input must parse";
    Expected<Problem> problem = problemFromModule(*module);
    EXPECT_FALSE(problem);
    return problem.error();
  }
};

TEST_F(ReadLinearTest, NamedEpilogueSurvivesAsARegion) {
  const char *texts[] = {"4x8:8x16", "?x8:8x16 bias+gelu_erf+residual",
                         "4x8:8x16 clamp(-inf,0.1)",
                         "4x0:0x16 gelu_tanh+silu+sigmoid+tanh+mul"};
  for (const char *text : texts) {
    Problem original = problem(text);
    Expected<Problem> extracted = problemFromModule(*build(original));
    ASSERT_TRUE(extracted) << extracted.error().message();
    EXPECT_EQ(extracted->m(), original.m());
    EXPECT_EQ(extracted->n(), original.n());
    EXPECT_EQ(extracted->k(), original.k());
    EXPECT_TRUE(extracted->epilogue().isRegion());
    EXPECT_EQ(extracted->epilogue().operands().size(),
              original.epilogue().operands().size());
    EXPECT_THAT(extracted->epilogue().text(), Not(HasSubstr("\n")));

    auto rebuilt = build(*extracted);
    EXPECT_EQ(print(linearOf(*rebuilt)), print(linearOf(*build(original))));
    Expected<Problem> again = problemFromModule(*rebuilt);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *extracted);
  }
}

TEST_F(ReadLinearTest, RegionTextIsOneGenericLine) {
  Expected<Problem> extracted =
      problemFromModule(*build(problem("4x8:8x16 bias")));
  ASSERT_TRUE(extracted);
  EXPECT_EQ(extracted->epilogue().text(),
            "{ ^bb0(%arg0: f32, %arg1: f32): %0 = \"arith.addf\"(%arg0, %arg1) "
            "<{fastmath = "
            "#arith.fastmath<contract>}> : (f32, f32) -> f32 "
            "\"lintel.yield\"(%0) : (f32) -> () }");
}

TEST_F(ReadLinearTest, TypesSurviveAsARegion) {
  for (const char *types :
       {"bf16", "bf16:f32", "f16", "f16:f32", "f16,accumulate=f16"}) {
    const Problem original = problem("?x8:8x16 bias+silu+residual", types);
    Expected<Problem> extracted = problemFromModule(*build(original));
    ASSERT_TRUE(extracted) << extracted.error().message();
    EXPECT_EQ(extracted->types(), original.types());
    EXPECT_EQ(extracted->epilogue().operands()[1].dtype,
              original.types().operand());
    EXPECT_EQ(print(linearOf(*build(*extracted))),
              print(linearOf(*build(original))));
  }
}

TEST_F(ReadLinearTest, SumsOfS16SurviveAsARegion) {
  for (const char *types :
       {"u8s8", "u8s8,accumulate=s16", "s8s8:f16,accumulate=s16"}) {
    const Problem original = problem("?x8:8x16 bias", types);
    Expected<Problem> extracted = problemFromModule(*build(original));
    ASSERT_TRUE(extracted) << extracted.error().message();
    EXPECT_EQ(extracted->types(), original.types());
    EXPECT_EQ(print(linearOf(*build(*extracted))),
              print(linearOf(*build(original))));
  }
}

TEST_F(ReadLinearTest, EveryBroadcastAndSeveralResultsAreRead) {
  auto module = read(R"(
    func.func @f(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %s: tensor<f32>, %c: tensor<16xf32>,
                 %r: tensor<4x1xf32>, %f: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
      %0:2 = lintel.linear %x, %w epilogue(%s, %c, %r, %f :
               tensor<f32>, tensor<16xf32>, tensor<4x1xf32>, tensor<4x16xf32>)
          : (tensor<4x8xf32>, tensor<16x8xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
      ^bb0(%acc: f32, %a: f32, %b: f32, %d: f32, %e: f32):
        %1 = arith.mulf %acc, %a : f32
        %2 = math.fma %b, %d, %e : f32
        lintel.yield %1, %2 : f32, f32
      }
      return %0#0, %0#1 : tensor<4x16xf32>, tensor<4x16xf32>
    })");
  ASSERT_TRUE(module);
  Expected<Problem> problem = problemFromModule(*module);
  ASSERT_TRUE(problem) << problem.error().message();
  std::vector<EpilogueOperand> expected = {{"operand0", Broadcast::scalar},
                                           {"operand1", Broadcast::column},
                                           {"operand2", Broadcast::row},
                                           {"operand3", Broadcast::full}};
  EXPECT_EQ(problem->epilogue().operands(), expected);
  EXPECT_EQ(problem->epilogue().numResults(), 2);
  EXPECT_EQ(print(linearOf(*build(*problem))), print(linearOf(*module)));
}

TEST_F(ReadLinearTest, MemRefsOfUnitStrideAreRead) {
  auto module = read(R"(
    func.func @f(%x: memref<?x8xf32, strided<[100, 1]>>, %w: memref<16x8xf32>, %y: memref<?x16xf32>) {
      lintel.linear %x, %w outs(%y : memref<?x16xf32>)
          : (memref<?x8xf32, strided<[100, 1]>>, memref<16x8xf32>) {
      ^bb0(%acc: f32):
        lintel.yield %acc : f32
      }
      return
    })");
  ASSERT_TRUE(module);
  Expected<Problem> problem = problemFromModule(*module);
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_EQ(problem->m(), std::nullopt);
  EXPECT_EQ(problem->n(), 16);
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

/// A function with one identity linear op on the given types.
std::string linearOn(std::string x, std::string w, std::string accumulator,
                     std::string y) {
  return "func.func @f(%x: " + x + ", %w: " + w + ") -> " + y + " {\n" +
         "%0 = lintel.linear %x, %w : (" + x + ", " + w + ") -> " + y + " {\n" +
         "^bb0(%acc: " + accumulator +
         "):\n lintel.yield %acc : " + accumulator + " }\n" +
         "return %0 : " + y + " }";
}

TEST_F(ReadLinearTest, RefusesAModuleWithoutTheOp) {
  Error error = refusal("func.func @f() { return }");
  EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
  EXPECT_EQ(error.message(),
            "the module has no lintel.linear op; it must have exactly one");
}

TEST_F(ReadLinearTest, RefusesAModuleWithTwoOps) {
  std::string one = linearOn("tensor<4x8xf32>", "tensor<16x8xf32>", "f32",
                             "tensor<4x16xf32>");
  std::string other = one;
  other.replace(other.find("@f"), 2, "@g");
  Error error = refusal(one + other);
  EXPECT_EQ(error.message(),
            "the module has 2 lintel.linear ops; it must have exactly one");
}

TEST_F(ReadLinearTest, RefusesADynamicNWithThePlace) {
  Error error = refusal(
      linearOn("tensor<4x8xf32>", "tensor<?x8xf32>", "f32", "tensor<4x?xf32>"));
  EXPECT_EQ(error.code(), ErrorCode::unsupported);
  EXPECT_THAT(error.message(), StartsWith("input.mlir:2:"));
  EXPECT_THAT(error.message(), HasSubstr("N and K must be numbers"));
}

TEST_F(ReadLinearTest, RefusesResultsThatNoLayerHas) {
  const auto body = [](std::string yielded) {
    return "{\n^bb0(%acc: f32):\n %h = arith.truncf %acc : f32 to f16\n "
           "lintel.yield " +
           yielded + "\n }";
  };
  Error narrowed =
      refusal("func.func @f(%x: tensor<4x8xbf16>, %w: tensor<16x8xbf16>) -> "
              "tensor<4x16xf16> { %0 = lintel.linear %x, %w : "
              "(tensor<4x8xbf16>, tensor<16x8xbf16>) -> tensor<4x16xf16> " +
              body("%h : f16") + " return %0 : tensor<4x16xf16> }");
  EXPECT_THAT(narrowed.message(),
              HasSubstr("no layer has x of bf16, w of bf16 and a result of "
                        "f16; supported are f32, bf16"));
  Error mixed = refusal(
      "func.func @f(%x: tensor<4x8xf16>, %w: tensor<16x8xf16>) -> "
      "(tensor<4x16xf16>, tensor<4x16xf32>) { %0:2 = lintel.linear %x, %w : "
      "(tensor<4x8xf16>, tensor<16x8xf16>) -> (tensor<4x16xf16>, "
      "tensor<4x16xf32>) " +
      body("%h, %acc : f16, f32") +
      " return %0#0, %0#1 : tensor<4x16xf16>, tensor<4x16xf32> }");
  EXPECT_THAT(mixed.message(), HasSubstr("one output holds f16, another f32; "
                                         "the outputs of a layer are of one "
                                         "type"));
}

TEST_F(ReadLinearTest, RefusesUnknownNAndK) {
  for (const char *w : {"tensor<?x8xf32>", "tensor<16x?xf32>"}) {
    Error error =
        refusal(linearOn("tensor<4x8xf32>", w, "f32", "tensor<4x?xf32>"));
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_THAT(error.message(),
                HasSubstr("N and K must be numbers, only M can be '?'"));
  }
}

TEST_F(ReadLinearTest, RefusesAPackedWeight) {
  Error error = refusal(linearOn("tensor<4x8xf32>",
                                 "!lintel.packed<16x8xf32, n = 16, k = 1>",
                                 "f32", "tensor<4x16xf32>"));
  EXPECT_THAT(error.message(), HasSubstr("w is !lintel.packed"));
  EXPECT_THAT(error.message(),
              HasSubstr("it must be a plain tensor or memref"));
}

} // namespace
