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

std::vector<std::string> loopOf(const std::string &assembly) {
  for (const AssemblyFunction &function : functionsOf(assembly))
    if (function.name.find("_microkernel_") != std::string::npos)
      return loopsOf(function).front();
  return {};
}

struct Products {
  const char *types, *extensions, *instruction;
};

class AmxCode : public testing::TestWithParam<Products> {};

/// The loops of every variant, with blocks of `depth` of K.
void checkLoops(const char *shape, const Products &products, int64_t depth) {
  const Target target = machineWith(products.extensions);
  auto compiler = std::move(*Compiler::create(target));
  const Problem problem =
      *Problem::parse(shape, *DataTypes::parse(products.types));
  for (Schedule schedule : amxVariants(problem, target, /*threads=*/1)) {
    schedule.mc = schedule.nc = Schedule::kWhole;
    schedule.kc = depth;
    auto object = compiler->compile(problem, schedule);
    ASSERT_TRUE(object) << schedule.text() << ": " << object.error().message();
    EXPECT_EQ(object->loopSpills, 0) << schedule.text();
    auto texts = compiler->explain(problem, schedule);
    ASSERT_TRUE(texts) << texts.error().message();
    const std::vector<std::string> loop = loopOf(texts->back().text);
    EXPECT_THAT(loop, Contains(HasSubstr(products.instruction)))
        << schedule.text();
    const bool streams = schedule.hint != StreamHint::none;
    EXPECT_EQ(testing::Value(loop, Contains(HasSubstr("tileloaddt1"))), streams)
        << schedule.text();
    const std::pair<const char *, bool> prefetches[] = {
        // The next tile's sums, where some wait.
        {"prefetcht0", depth < problem.k()},
        {"prefetcht1", schedule.ahead > 0 || schedule.prefetchesNextPanel()}};
    for (const auto &[prefetch, asks] : prefetches)
      EXPECT_EQ(testing::Value(loop, Contains(HasSubstr(prefetch))), asks)
          << prefetch << " " << schedule.text();
    for (const std::string &line : loop)
      EXPECT_THAT(line, Not(HasSubstr("(%rsp"))) << schedule.text();
  }
}

TEST_P(AmxCode, LoopsHoldTileInstructionsAndNoStack) {
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
  const std::string &assembly = texts->back().text;
  EXPECT_THAT(assembly, HasSubstr("lintel_tmm_dpbf16"));
  EXPECT_THAT(assembly, Not(HasSubstr("tdpbf16ps")));
  EXPECT_THAT(assembly, Not(HasSubstr("ldtilecfg")));
}

} // namespace
