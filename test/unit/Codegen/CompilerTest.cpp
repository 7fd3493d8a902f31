// From problem, schedule and target to object bytes and stage texts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Codegen/Machines.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

namespace {

std::unique_ptr<Compiler> compilerFor(const Target &target) {
  return std::move(*Compiler::create(target));
}

/// Empty when the compiler refuses.
std::vector<std::byte> bytesOf(Compiler &compiler, const Problem &problem,
                               const Schedule &schedule) {
  auto object = compiler.compile(problem, schedule);
  if (object)
    return std::move(object->bytes);
  ADD_FAILURE() << object.error().message();
  return {};
}

/// The layer whose region is `body` and yields %r; %a is the accumulator.
Problem withRegion(const std::string &body) {
  return Problem::create(
             4, 16, 8, DataTypes(),
             Epilogue::fromRegion("{ ^bb0(%a: f32): " + body +
                                      " \"lintel.yield\"(%r) : (f32) -> () }",
                                  {}, 1))
      .value();
}

TEST(Compiler, MakesRelocatableElfForEveryIsaLevel) {
  for (IsaLevel isa : kAllIsaLevels) {
    auto compiler = compilerFor(targetOf(isa));
    auto object = compiler->compile(problemOf("20x32:32x96 bias+relu"),
                                    scheduleOf("tile=2x16"));
    ASSERT_TRUE(object) << object.error().message();
    ASSERT_GT(object->bytes.size(), 64u);
    std::string_view text(reinterpret_cast<const char *>(object->bytes.data()),
                          object->bytes.size());
    EXPECT_THAT(text, StartsWith("\x7f"
                                 "ELF\x02\x01"));
    EXPECT_THAT(text, HasSubstr(kKernelSymbol));
    EXPECT_EQ(object->loopSpills, 0) << toString(isa);
    EXPECT_GT(object->milliseconds, 0);
  }
}

TEST(Compiler, MakesTheSameBytesAgain) {
  const Target target = targetOf(IsaLevel::avx512, "znver4");
  const Problem problem = problemOf("?x64:64x100 bias+gelu_erf+residual");
  const Schedule schedule = scheduleOf("tile=8x48,pack=block,mc=64");
  auto first = compilerFor(target), second = compilerFor(target);
  const auto bytes = bytesOf(*first, problem, schedule);
  ASSERT_FALSE(bytes.empty());
  bytesOf(*first, problemOf("3x5:5x7"), scheduleOf("tile=1x16"));
  EXPECT_TRUE(bytesOf(*first, problem, schedule) == bytes)
      << "after another compilation";
  EXPECT_TRUE(bytesOf(*second, problem, schedule) == bytes)
      << "by another compiler";
}

TEST(Compiler, CodeDependsOnlyOnTheCodeText) {
  auto compiler = compilerFor(targetOf(IsaLevel::avx2));
  const Problem problem = problemOf("64x64:64x96");
  const Schedule large = scheduleOf("tile=4x24,kc=32");
  const Schedule blocked =
      scheduleOf("tile=4x24,mc=8,nc=48,kc=16,blocks=nm,tiles=nm,grid=2x2");
  ASSERT_EQ(large.code(), blocked.code());
  const auto bytes = bytesOf(*compiler, problem, large);
  EXPECT_TRUE(bytesOf(*compiler, problem, blocked) == bytes);
  EXPECT_FALSE(
      bytesOf(*compiler, problem, scheduleOf("tile=4x24,pack=block")) == bytes);
}

TEST(Compiler, ExplainsEveryStageInOrder) {
  auto compiler = compilerFor(targetOf(IsaLevel::avx512));
  auto texts = compiler->explain(problemOf("20x32:32x96 bias+tanh"),
                                 scheduleOf("tile=8x48"));
  ASSERT_TRUE(texts) << texts.error().message();
  const std::pair<const char *, ::testing::Matcher<std::string>> expected[] = {
      {"linear", AllOf(HasSubstr("lintel.linear"), HasSubstr("math.tanh"))},
      {"lintel-assign-schedule", HasSubstr("#lintel.schedule<tile = 8x48")},
      {"lintel-approximate-math",
       AllOf(HasSubstr("lintel.linear"), Not(HasSubstr("math.tanh")))},
      {"lintel-tile",
       AllOf(HasSubstr("lintel.microkernel"), Not(HasSubstr("lintel.linear")))},
      {"lintel-lower-microkernel",
       AllOf(HasSubstr("vector.fma"), Not(HasSubstr("lintel.microkernel")))},
      {"lintel-verify-kernel", HasSubstr("vector.fma")},
      {"lintel-verify-tmm", HasSubstr("vector.fma")},
      {"lintel-lower-tmm", HasSubstr("vector.fma")},
      {"lintel-to-llvm",
       AllOf(HasSubstr("llvm.func"), Not(HasSubstr("vector.fma")))},
      {"llvm-ir", HasSubstr("define void @lintel_kernel(ptr")},
      {"assembly",
       AllOf(HasSubstr("lintel_kernel:"), HasSubstr("vfmadd231ps"))}};
  ASSERT_EQ(texts->stages.size(), std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(texts->stages[i].stage, expected[i].first);
    EXPECT_THAT(texts->stages[i].text, expected[i].second) << expected[i].first;
  }
  auto assembly = compiler->explain(problemOf("20x32:32x96 bias+tanh"),
                                    scheduleOf("tile=8x48"), Forms::assembly);
  ASSERT_TRUE(assembly) << assembly.error().message();
  ASSERT_EQ(assembly->stages.size(), 1u);
  EXPECT_EQ(assembly->stages[0].stage, "assembly");
  EXPECT_EQ(assembly->stages[0].text, texts->stages.back().text);
}

/// Of the six scales and biases that a row of the epilogue takes, some stand in
/// registers through the loop as it is written.
TEST(Compiler, OptimizesMicrokernelsThatSpillAsTheyAreWritten) {
  Target target = targetOf(IsaLevel::avx512, "znver4");
  target.extensions = {Extension::avx512Vnni};
  auto compiler = compilerFor(target);
  const Problem problem =
      Problem::parse("5..16x768:768x768 bias", *DataTypes::parse("u8s8"))
          .value();
  const Schedule schedule = scheduleOf("tile=4x96,group=4,ahead=8192,kc=whole");
  auto texts = compiler->explain(problem, schedule);
  ASSERT_TRUE(texts) << texts.error().message();
  EXPECT_EQ(texts->loopSpills, 0);
  std::string tiled;
  for (const StageText &stage : texts->stages)
    if (stage.stage == "lintel-tile")
      tiled = stage.text;
  ASSERT_THAT(tiled, ContainsRegex("_microkernel_4[^\n]*optnone"));
  auto object = compiler->compile(problem, schedule);
  ASSERT_TRUE(object) << object.error().message();
  EXPECT_EQ(object->loopSpills, 0);
}

TEST(Compiler, RefusesAnIllegalSchedule) {
  auto compiler = compilerFor(targetOf(IsaLevel::avx2));
  const Problem problem = problemOf("64x64:64x96");
  for (const char *text : {"tile=8x48", "tile=4x20", "tile=100x8"}) {
    const Schedule illegal = scheduleOf(text);
    auto compiled = compiler->compile(problem, illegal);
    ASSERT_FALSE(compiled) << text;
    EXPECT_EQ(compiled.error().code(), ErrorCode::invalidArgument);
    EXPECT_THAT(compiled.error().message(),
                AllOf(StartsWith("schedule '" + illegal.text() + "': "),
                      HasSubstr("avx2")));
    auto explained = compiler->explain(problem, illegal);
    ASSERT_FALSE(explained) << text;
    EXPECT_EQ(explained.error().message(), compiled.error().message());
  }
  EXPECT_TRUE(compiler->compile(problem, scheduleOf("tile=4x24")))
      << "a refusal must leave the compiler usable";
}

TEST(Compiler, RefusesAnUnknownCpu) {
  auto compiler = Compiler::create(targetOf(IsaLevel::avx512, "pentium-99"));
  ASSERT_FALSE(compiler);
  EXPECT_EQ(compiler.error().code(), ErrorCode::invalidArgument);
  EXPECT_THAT(compiler.error().message(),
              AllOf(HasSubstr("pentium-99"), HasSubstr("znver4")));
}

TEST(Compiler, RefusesARegionThatIsNoIr) {
  auto compiler = compilerFor(targetOf(IsaLevel::avx512));
  auto compiled =
      compiler->compile(withRegion("%r = nonsense"), scheduleOf("tile=4x16"));
  ASSERT_FALSE(compiled);
  EXPECT_NE(compiled.error().code(), ErrorCode::internal);
  EXPECT_FALSE(compiled.error().message().empty());
}

TEST(Compiler, SaysWhichOperationHasNoInlineLowering) {
  auto compiler = compilerFor(targetOf(IsaLevel::avx512));
  const Problem problem =
      withRegion("%r = \"arith.remf\"(%a, %a) : (f32, f32) -> f32");
  for (int round = 0; round < 2; ++round) {
    auto compiled = compiler->compile(problem, scheduleOf("tile=4x16"));
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().code(), ErrorCode::compile);
    EXPECT_THAT(compiled.error().message(),
                AllOf(HasSubstr("arith.remf"), HasSubstr("inline")));
  }
  auto explained = compiler->explain(problem, scheduleOf("tile=4x16"));
  ASSERT_FALSE(explained);
  EXPECT_THAT(
      explained.error().message(),
      AllOf(StartsWith("lintel-approximate-math: "), HasSubstr("arith.remf")));
}

TEST(Compiler, RefusesWideElementsInsideARegion) {
  auto compiler = compilerFor(targetOf(IsaLevel::avx512));
  auto compiled =
      compiler->compile(withRegion("%d = \"arith.extf\"(%a) : (f32) -> f64 "
                                   "%r = \"arith.truncf\"(%d) : (f64) -> f32"),
                        scheduleOf("tile=4x16"));
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code(), ErrorCode::invalidArgument);
  EXPECT_THAT(compiled.error().message(),
              AllOf(HasSubstr("it works on 'f64'"),
                    HasSubstr("epilogues compute in f32")));
}

TEST(CodegenVersion, NamesLlvmAndStaysTheSame) {
  EXPECT_THAT(codegenVersion(), StartsWith("llvm-22."));
  EXPECT_EQ(codegenVersion(), codegenVersion());
  EXPECT_GE(codegenVersion().size(), std::string("llvm-22.1.0-").size() + 33)
      << "ends with a hash of the sources";
}

} // namespace
