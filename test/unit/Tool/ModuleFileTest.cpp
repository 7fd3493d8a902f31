// Problems stated as MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModuleFile.h"

#include "ProblemArguments.h"
#include "TemporaryDirectory.h"

#include <gmock/gmock.h>

using namespace lintel;
using namespace lintel::tool;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

constexpr const char *kScaledLayer = R"(
func.func @layer(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>, %s: tensor<16xf32>)
    -> tensor<?x16xf32> {
  %y = lintel.linear %x, %w epilogue(%s : tensor<16xf32>)
      : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<?x16xf32>
}
)";

/// Of a module of types that contradict those that a command line names.
std::string contradiction(const char *stated, const NamedTypes &named) {
  const Status agrees =
      checkStatedTypes(DataTypes::parse(stated).value(), named);
  return agrees ? "none" : agrees.error().message();
}

std::string messageOf(const std::string &path) {
  auto problem = readModuleFile(path);
  return problem ? "no error" : problem.error().message();
}

TEST(ModuleFileTest, ReadsALayerWithItsOwnEpilogue) {
  TemporaryDirectory directory;
  auto problem = readModuleFile(directory.write("layer.mlir", kScaledLayer));
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_FALSE(problem->m().has_value());
  EXPECT_EQ(problem->n(), 16);
  EXPECT_EQ(problem->k(), 8);
  ASSERT_TRUE(problem->epilogue().isRegion());
  ASSERT_EQ(problem->epilogue().operands().size(), 1u);
  EXPECT_EQ(problem->epilogue().operands()[0].broadcast, Broadcast::column);
}

TEST(ModuleFileTest, AttributesThatMeanNothingAreNoPartOfTheProblem) {
  TemporaryDirectory directory;
  std::string layer = kScaledLayer;
  const size_t end = layer.find(" : f32\n    lintel.yield");
  ASSERT_NE(end, std::string::npos);
  layer.insert(end, " {note = #a9}");
  // Each alias stands for two of the one before.
  std::string aliases = "#a0 = \"long\"\n";
  for (int i = 1; i < 10; ++i)
    aliases += "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) +
               ", #a" + std::to_string(i - 1) + "]\n";
  auto plain = readModuleFile(directory.write("plain.mlir", kScaledLayer));
  auto noted = readModuleFile(directory.write("noted.mlir", aliases + layer));
  ASSERT_TRUE(noted) << noted.error().message();
  EXPECT_EQ(noted->text(), plain->text());
}

TEST(ModuleFileTest, IsText) {
  TemporaryDirectory directory;
  EXPECT_THAT(
      messageOf(directory.write("a.mlir", "ML\xefR\x0dMLIR")),
      HasSubstr("a.mlir: is MLIR bytecode; lintel-opt writes it as text"));
}

TEST(ModuleFileTest, HoldsNoResources) {
  TemporaryDirectory directory;
  const std::string resource =
      "{-# dialect_resources: {builtin: {a: \"0x00000000AABB\"}} #-}";
  EXPECT_THAT(messageOf(directory.write("a.mlir", kScaledLayer + resource)),
              HasSubstr("a.mlir: holds resources ({-# ... #-})"));
}

/// Which would be passed over without a word.
TEST(ModuleFileTest, StatesNoScheduleAndNoTarget) {
  TemporaryDirectory directory;
  const auto messageWith = [&](const std::string &attribute) {
    std::string layer = kScaledLayer;
    const size_t end = layer.find("\n      : (tensor<?x8xf32>");
    EXPECT_NE(end, std::string::npos);
    layer.insert(end, " {" + attribute + "}");
    return messageOf(directory.write("a.mlir", layer));
  };
  EXPECT_THAT(messageWith("schedule = #lintel.schedule<tile = 4x16>"),
              AllOf(HasSubstr("states a schedule; leave it out, and pin the "
                              "schedule 'tile=4x16,"),
                    HasSubstr("a.mlir:")));
  EXPECT_THAT(messageWith("target = #lintel.target<isa = avx2>"),
              HasSubstr("states a target, 'isa=avx2,"));
}

/// What lintel-tile would refuse, so that nobody tunes what cannot be built.
TEST(ModuleFileTest, FunctionsSayNothingThatAKernelLacks) {
  TemporaryDirectory directory;
  std::string layer = kScaledLayer;
  const std::string argument = "%s: tensor<16xf32>";
  layer.insert(layer.find(argument) + argument.size(), " {llvm.noalias}");
  EXPECT_THAT(messageOf(directory.write("noted.mlir", layer)),
              HasSubstr("attributes of arguments or results; a kernel has "
                        "neither"));
}

TEST(ModuleFileTest, IsAProblemOnTheCommandLine) {
  TemporaryDirectory directory;
  auto problems = resolveProblems(
      {.positionals = {directory.write("layer.mlir", kScaledLayer), "1x2:2x3"}},
      NamedTypes());
  ASSERT_TRUE(problems) << problems.error().message();
  ASSERT_EQ(problems->size(), 2u);
  EXPECT_EQ(headline(problems->front().problem),
            "linear(?x8, 8x16) f32 region");
}

/// What reading `kScaledLayer` gives with the math operation `name` on line 8,
/// on what it yields.
std::string messageWith(const std::string &name) {
  TemporaryDirectory directory;
  std::string text = kScaledLayer;
  const std::string yield = "    lintel.yield %0";
  text.replace(text.find(yield), yield.size(),
               "    %1 = " + name + " %0 : f32\n    lintel.yield %1");
  return messageOf(directory.write("f.mlir", text));
}

TEST(ModuleFileTest, EpiloguesMustBecomeInlineCode) {
  for (const char *name : {"math.exp", "math.erf", "math.rsqrt", "math.log10"})
    EXPECT_EQ(messageWith(name), "no error") << name;
  EXPECT_THAT(
      messageWith("arith.remf %0,"),
      AllOf(HasSubstr("f.mlir:8:10: 'arith.remf' op has no inline lowering"),
            HasSubstr("express it with operations that have one")));
}

TEST(ModuleFileTest, WhatIsBesideALayerNeedNotBecomeInlineCode) {
  TemporaryDirectory directory;
  EXPECT_EQ(messageOf(directory.write("beside.mlir",
                                      std::string(kScaledLayer) +
                                          "func.func @g(%a: f32) -> f32 {\n"
                                          "  %0 = arith.remf %a, %a : f32\n"
                                          "  return %0 : f32\n}\n")),
            "no error");
}

TEST(ModuleFileTest, MistakesHaveAPlace) {
  TemporaryDirectory directory;
  EXPECT_THAT(messageOf(directory.write("bad.mlir", "func.func @f( {\n")),
              HasSubstr("bad.mlir:1:"));
  EXPECT_THAT(messageOf(directory.write("none.mlir", "func.func private @f()")),
              HasSubstr("none.mlir: "));
  EXPECT_THAT(messageOf(directory.file("absent.mlir")),
              HasSubstr("absent.mlir: cannot open"));
  EXPECT_THAT(messageOf(directory.write("zero.mlir", std::string(100, '\0'))),
              HasSubstr("zero.mlir:"));
}

/// A layer with a result of `sums`, its op on the third line, or at `location`.
std::string layerText(std::string_view x, std::string_view w,
                      std::string_view sums, std::string_view location = "") {
  const std::string inputs =
      "tensor<" + std::string(x) + ">, tensor<" + std::string(w) + ">";
  const std::string output = "tensor<4x16x" + std::string(sums) + ">";
  return "\nfunc.func @f(%x: tensor<" + std::string(x) + ">, %w: tensor<" +
         std::string(w) + ">) -> " + output +
         " {\n  %y = lintel.linear %x, %w : (" + inputs + ") -> " + output +
         " {\n  ^bb0(%acc: " + std::string(sums) +
         "):\n    lintel.yield %acc : " + std::string(sums) + "\n  } " +
         std::string(location) + "\n  return %y : " + output + "\n}\n";
}

TEST(ModuleFileTest, PlacesNameTheFileOnce) {
  TemporaryDirectory directory;
  const struct {
    std::string name, text, message;
  } mistakes[] = {
      {"columns.mlir", layerText("4x8xf32", "?x8xf32", "f32"),
       ":3:8: w is tensor<?x8xf32>"},
      {"none.mlir", "func.func private @f()", ": the module has no"},
      {"nowhere.mlir", layerText("4x8xf32", "?x8xf32", "f32", "loc(unknown)"),
       ": w is tensor<?x8xf32>"},
      {"unequal.mlir", layerText("4x8xf32", "16x9xf32", "f32", "loc(unknown)"),
       ": 'lintel.linear' op multiplies"}};
  for (const auto &[name, text, message] : mistakes) {
    const std::string file = directory.write(name, text);
    EXPECT_THAT(messageOf(file), StartsWith(file + message));
    EXPECT_EQ(messageOf(file).rfind(file), 0u) << name;
  }
}

TEST(ModuleFileTest, WhatTheReferenceCannotEvaluateIsRefused) {
  EXPECT_THAT(messageWith("math.tan"),
              HasSubstr("f.mlir: the reference cannot evaluate 'math.tan' in"));
}

std::string repeated(std::string_view text, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i)
    all += text;
  return all;
}

TEST(ModuleFileTest, DeepNestingIsRefused) {
  TemporaryDirectory directory;
  EXPECT_THAT(
      messageOf(directory.write("regions.mlir", repeated("module {", 20'000) +
                                                    repeated("}", 20'000))),
      HasSubstr("regions.mlir: brackets nest 20000 deep, at most 48"));
  EXPECT_THAT(
      messageOf(directory.write("types.mlir", "func.func private @f(" +
                                                  repeated("tuple<", 50'000) +
                                                  repeated(">", 50'000) + ")")),
      HasSubstr("brackets nest 50001 deep"));
  // As deep as is allowed: parsed, and refused for another reason.
  EXPECT_THAT(
      messageOf(directory.write("some.mlir", "func.func private @f(" +
                                                 repeated("tuple<", 47) +
                                                 repeated(">", 47) + ")")),
      HasSubstr("lintel.linear"));
}

TEST(ModuleFileTest, AffineExpressionsOfAnyDepthAreRefused) {
  TemporaryDirectory directory;
  EXPECT_THAT(messageOf(directory.write("minus.mlir",
                                        "#m = affine_map<(d0) -> (" +
                                            repeated("-", 200'000) + "d0)>")),
              AllOf(HasSubstr("minus.mlir: holds an affine_map"),
                    HasSubstr("strided<[...]>")));
}

TEST(ModuleFileTest, ArraysOfIndexAreRefused) {
  TemporaryDirectory directory;
  EXPECT_THAT(messageOf(directory.write(
                  "index.mlir", "module attributes {a = array<index: 1>} {}")),
              HasSubstr("index.mlir: holds an array of index"));
}

TEST(ModuleFileTest, StatesItsOwnTypes) {
  const auto named = [](const char *types) {
    return NamedTypes{.types = DataTypes::parse(types).value()};
  };
  EXPECT_EQ(contradiction("bf16:f32", {}), "none");
  EXPECT_EQ(contradiction("bf16:f32", named("bf16:f32")), "none");
  EXPECT_EQ(contradiction("f32", named("bf16")),
            "an .mlir file states its own types, here f32, and --dtype says "
            "bf16; leave out --dtype");
  EXPECT_THAT(contradiction("f16", named("f16,accumulate=f16")),
              EndsWith("--dtype says f16,accumulate=f16; leave out --dtype"));
}

/// Where it has the attribute it says so, and where it has none, it does not.
TEST(ModuleFileTest, StatesWhatItSumsInByAnAttributeAlone) {
  EXPECT_EQ(contradiction("f16", {.accumulate = DType::f32}), "none");
  EXPECT_EQ(contradiction("f16,accumulate=f16", {.accumulate = DType::f16}),
            "none");
  EXPECT_EQ(contradiction("f16", {.accumulate = DType::f16}),
            "sums in f32, as its lintel.linear has no attribute accumulate; "
            "write accumulate = f16 there, or leave out --accumulate");
  EXPECT_EQ(contradiction("u8s8", {.accumulate = DType::s16}),
            "sums in s32, as its lintel.linear has no attribute accumulate; "
            "write accumulate = i16 there, or leave out --accumulate");
  EXPECT_EQ(contradiction("f16,accumulate=f16", {.accumulate = DType::f32}),
            "sums in f16, as the attribute accumulate of its lintel.linear "
            "says; leave that out, or leave out --accumulate");
  // No layer of f32 has it.
  EXPECT_EQ(contradiction("f32", {.accumulate = DType::f16}),
            "sums in f32, as its lintel.linear has no attribute accumulate; "
            "leave out --accumulate");
}

} // namespace
