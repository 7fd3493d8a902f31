// Kernels on tile registers as machine code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Codegen/Compiler.h"
#include "Schedule/AmxSchedules.h"
#include "unit/Codegen/AssemblyText.h"

#include <gmock/gmock.h>

using namespace lintel;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

Target machineWith(const std::string &extensions) {
  return *Target::parse("isa=avx512,cpu=sapphirerapids,extensions=" +
                        extensions);
}

std::vector<std::vector<std::string>> loopsOverK(const std::string &assembly) {
  for (const AssemblyFunction &function : functionsOf(assembly))
    if (function.name.find("_microkernel_") != std::string::npos)
      return loopsOf(function);
  return {};
}

struct Products {
  const char *types, *extensions, *instruction;
};

class AmxCode : public testing::TestWithParam<Products> {};

void expectPrefetches(const std::vector<std::string> &loop, const char *kind,
                      bool asks, const Schedule &schedule) {
  EXPECT_EQ(testing::Value(loop, Contains(HasSubstr(kind))), asks)
      << kind << " " << schedule.text();
}

/// Offsets may wait on the stack, which nobody notices while a product takes 16
/// cycles; what is multiplied may not.
void expectLittleStack(const std::vector<std::string> &loop,
                       const Schedule &schedule) {
  constexpr int64_t kMostOffsets = 3;
  EXPECT_LE(std::ranges::count_if(loop,
                                  [](const std::string &line) {
                                    return line.find("(%rsp") != line.npos;
                                  }),
            kMostOffsets)
      << schedule.text();
  for (const std::string &line : loop)
    if (line.find("(%rsp") != line.npos)
      EXPECT_THAT(line, AllOf(Not(HasSubstr("mm")), Not(HasSubstr("tile"))))
          << schedule.text();
}

/// The loops of every variant, with blocks of `depth` of K: the first one asks
/// for rows of what comes next as well, the other one for the weight alone.
void checkLoops(const char *shape, const Products &products, int64_t depth) {
  const Target target = machineWith(products.extensions);
  auto compiler = std::move(*Compiler::create(target));
  const Problem problem =
      *Problem::parse(shape, *DataTypes::parse(products.types));
  for (Schedule schedule : amxVariants(problem, target, /*threads=*/1)) {
    schedule.mc = schedule.nc = Schedule::kWhole;
    schedule.kc = depth;
    auto texts = compiler->explain(problem, schedule, Forms::assembly);
    ASSERT_TRUE(texts) << texts.error().message();
    const auto loops = loopsOverK(texts->stages.back().text);
    ASSERT_EQ(loops.size(), 2u) << schedule.text();
    const bool streams = schedule.hint != StreamHint::none;
    for (const auto &loop : loops) {
      EXPECT_THAT(loop, Contains(HasSubstr(products.instruction)))
          << schedule.text();
      EXPECT_EQ(testing::Value(loop, Contains(HasSubstr("tileloaddt1"))),
                streams)
          << schedule.text();
    }
    // The next tile's sums, where some wait.
    expectPrefetches(loops.front(), "prefetcht0", depth < problem.k(),
                     schedule);
    expectPrefetches(loops.back(), "prefetcht0", false, schedule);
    expectPrefetches(loops.back(), "prefetcht1",
                     schedule.ahead > 0 || schedule.prefetchesNextPanel(),
                     schedule);
    expectLittleStack(loops.back(), schedule);
  }
}

TEST_P(AmxCode, LoopsHoldTileInstructionsAndLittleStack) {
  checkLoops("512x256:256x1024 bias+relu", GetParam(), 64);
}

TEST_P(AmxCode, LoopsOfFewRowsAskForTheWeightAhead) {
  checkLoops("16x256:256x1024 bias+relu", GetParam(), 64);
}

TEST_P(AmxCode, LoopsOverAllOfKAskForNoSums) {
  checkLoops("512x256:256x1024 bias+relu", GetParam(), Schedule::kWhole);
}

INSTANTIATE_TEST_SUITE_P(
    Types, AmxCode,
    testing::Values(Products{"bf16", "amx-bf16+amx-tile+avx512bf16",
                             "tdpbf16ps"},
                    Products{"f16", "amx-fp16+amx-tile", "tdpfp16ps"}),
    [](const auto &info) { return std::string(info.param.types); });

TEST(AmxEmulation, CallsFunctionsWhereInstructionsWouldBe) {
  auto compiler = std::move(
      *Compiler::create(machineWith("amx-bf16+amx-emulation+amx-tile")));
  const Problem problem =
      *Problem::parse("32x64:64x32", *DataTypes::parse("bf16"));
  auto texts = compiler->explain(
      problem, *Schedule::parse("tile=32x32,unit=amx,group=2,epilogue=tile"));
  ASSERT_TRUE(texts) << texts.error().message();
  const std::string &assembly = texts->stages.back().text;
  EXPECT_THAT(assembly, HasSubstr("lintel_tmm_dpbf16"));
  EXPECT_THAT(assembly, Not(HasSubstr("tdpbf16ps")));
  EXPECT_THAT(assembly, Not(HasSubstr("ldtilecfg")));
}

} // namespace
