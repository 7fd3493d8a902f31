// What epilogues compute with integers, to the bit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

using namespace lintel;
using namespace lintel::integration;

namespace {

class IntegerEpiloguesTest : public LevelTest {
protected:
  /// %y = op %i, `other` of integers %i of all sizes and both signs.
  void check(const std::string &op, const std::string &type,
             const std::string &other) {
    const std::string narrowed =
        type == "i32" ? "%i = arith.addi %spread, %sum : i32\n"
                      : "%i = arith.trunci %spread : i32 to " + type + "\n";
    epilogue =
        regionEpilogue("%sum = arith.fptosi %acc : f32 to i32\n"
                       "%factor = arith.constant 40503 : i32\n"
                       "%spread = arith.muli %sum, %factor : i32\n" +
                       narrowed + "%j = arith.constant " + other + " : " +
                       type + "\n%k = " + op + " %i, %j : " + type +
                       "\n%y = arith.sitofp %k : " + type + " to f32");
    std::vector<float> values;
    for (int value = 0; value < 300; ++value)
      values.push_back(float(value < 150 ? value : value * value));
    const Problem layer = problem(2, int64_t(values.size()), 1);
    const Workload workload(layer, 2, Fill::exact, 81, [&](Inputs &inputs) {
      inputs.x = {1, -1};
      inputs.w = values;
    });
    GuardedCall call(workload, 2, {.rows = Layout::Rows::apart});
    for (const Schedule &code : someCodes(layer, target, 1, turn)) {
      ASSERT_TRUE(right(call, code)) << op << " " << type << " " << other;
      ASSERT_NO_FATAL_FAILURE(expectBits(call));
    }
  }

  void check(const std::string &op, const std::vector<std::string> &others) {
    for (const char *type : {"i32", "i8"})
      for (const std::string &other : others)
        ASSERT_NO_FATAL_FAILURE(check(op, type, other));
  }
};

TEST_P(IntegerEpiloguesTest, DivideByConstants) {
  for (const char *op :
       {"arith.divsi", "arith.divui", "arith.remsi", "arith.remui",
        "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui"})
    ASSERT_NO_FATAL_FAILURE(check(op, {"8", "7", "-3"}));
}

TEST_P(IntegerEpiloguesTest, ShiftBits) {
  for (const char *op : {"arith.shli", "arith.shrsi", "arith.shrui"})
    ASSERT_NO_FATAL_FAILURE(check(op, {"1", "7"}));
}

TEST_P(IntegerEpiloguesTest, CombineBits) {
  for (const char *op : {"arith.andi", "arith.ori", "arith.xori", "arith.maxui",
                         "arith.minui", "arith.maxsi", "arith.minsi"})
    ASSERT_NO_FATAL_FAILURE(check(op, {"85", "-86"}));
}

LINTEL_ON(allLevels(), IntegerEpiloguesTest);

} // namespace
