// What the no-spill tests see in assembly, so that they can fail.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Codegen/AssemblyText.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace {

constexpr const char *kTwoFunctions = "\t.text\n"
                                      "first:                # @first\n"
                                      "\tmovq\t%rsp, %rbp\n"
                                      ".LBB0_1:              # the loop\n"
                                      "\tvmovaps\t64(%rsp), %zmm1\n"
                                      "\tdecq\t%rax\n"
                                      "\tjne\t.LBB0_1\n"
                                      "\tjmp\t.LBB0_2\n"
                                      ".LBB0_2:\n"
                                      "\tretq\n"
                                      ".Lfunc_end0:\n"
                                      "\t.size\tfirst, .Lfunc_end0-first\n"
                                      "second:\n"
                                      "\tretq\n"
                                      ".Lfunc_end1:\n";

TEST(AssemblyText, SplitsFunctions) {
  auto functions = functionsOf(kTwoFunctions);
  ASSERT_THAT(functions, SizeIs(2));
  EXPECT_EQ(functions[0].name, "first");
  EXPECT_THAT(functions[0].lines, SizeIs(8));
  EXPECT_EQ(functions[1].name, "second");
  EXPECT_THAT(functions[1].lines, ElementsAre("\tretq"));
}

TEST(AssemblyText, FindsLoopsAndNoForwardJumps) {
  auto functions = functionsOf(kTwoFunctions);
  auto loops = loopsOf(functions[0]);
  ASSERT_THAT(loops, SizeIs(1));
  EXPECT_THAT(loops[0], ElementsAre(".LBB0_1:              ",
                                    "\tvmovaps\t64(%rsp), %zmm1",
                                    "\tdecq\t%rax", "\tjne\t.LBB0_1"));
  EXPECT_THAT(loopsOf(functions[1]), IsEmpty());
}

TEST(AssemblyText, KnowsASpilledVector) {
  EXPECT_TRUE(touchesStackWithVector("\tvmovaps\t64(%rsp), %zmm1"));
  EXPECT_TRUE(touchesStackWithVector("\tvmovups\t%ymm1, -32(%rbp)"));
  EXPECT_TRUE(touchesStackWithVector("\tmulps\t(%rsp,%rax,4), %xmm1"));
  EXPECT_TRUE(
      touchesStackWithVector("\tvfmadd231ps\t8(%rsp){1to16}, %zmm2, %zmm1"));
  EXPECT_FALSE(touchesStackWithVector("\tvmovaps\t64(%rsi), %zmm1"));
  EXPECT_FALSE(touchesStackWithVector("\tmovq\t%rax, 8(%rsp)"));
}

} // namespace
