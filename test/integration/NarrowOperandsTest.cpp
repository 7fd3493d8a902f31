// 16-bit operands that an epilogue hands on as they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

#include <regex>

using namespace lintel;
using namespace lintel::integration;

namespace {

/// What becomes of the sum %acc and of an operand %g of the type T.
constexpr const char *kBodies[] = {
    // the operand itself where the sum is larger
    R"(%wide = "arith.extf"(%g) : (T) -> f32
       %c = "arith.cmpf"(%acc, %wide) <{predicate = 2 : i64}> : (f32, f32) -> i1
       %sum = "arith.truncf"(%acc) : (f32) -> T
       %y = "arith.select"(%c, %g, %sum) : (i1, T, T) -> T)",
    // the operand and back
    R"(%wide = "arith.extf"(%g) : (T) -> f32
       %y = "arith.truncf"(%wide) : (f32) -> T)",
    // a constant instead
    R"(%zero = "arith.constant"() <{value = 0.0 : f32}> : () -> f32
       %half = "arith.constant"() <{value = 0.5 : T}> : () -> T
       %c = "arith.cmpf"(%acc, %zero) <{predicate = 2 : i64}> : (f32, f32) -> i1
       %y = "arith.select"(%c, %g, %half) : (i1, T, T) -> T)",
};

class NarrowOperandsTest : public KernelTest {
protected:
  Epilogue handingOn(const std::string &body, Broadcast broadcast) {
    const std::string text = "{ ^bb0(%acc: f32, %g: T):\n" + body +
                             "\n\"lintel.yield\"(%y) : (T) -> () }";
    return Epilogue::fromRegion(
        std::regex_replace(text, std::regex("\\bT\\b"),
                           std::string(toString(types.result))),
        {{"g", broadcast, types.result}}, 1);
  }

  void checkAllCode(int64_t columns) {
    const Problem layer = problem(5, columns, 7);
    const Workload workload(layer, 5, Fill::exact, 95);
    GuardedCall call(workload, 5, {});
    for (const CodeVariant &code : searchSpaceByCode(layer, target, 1))
      if (!right(call, code.first()))
        return;
  }
};

TEST_P(NarrowOperandsTest, AreHandedOnByAllCode) {
  // Whole vectors and ragged ones in turns: each body and each broadcast has
  // both.
  bool ragged = turn % 2 == 1;
  for (Broadcast broadcast :
       {Broadcast::scalar, Broadcast::row, Broadcast::column, Broadcast::full})
    for (const char *body : kBodies) {
      epilogue = handingOn(body, broadcast);
      checkAllCode(ragged ? 19 : 16);
      ragged = !ragged;
    }
}

std::vector<KernelCase> kernelsOfNarrowOperands() {
  std::vector<KernelCase> cases;
  for (IsaLevel isa : kIsaLevels)
    for (const char *type : {"bf16", "f16"})
      cases.push_back({isa, "none", type});
  cases.push_back({IsaLevel::avx512, "none", "bf16", {Extension::avx512Bf16}});
  return cases;
}

LINTEL_ON(kernelsOfNarrowOperands(), NarrowOperandsTest);

} // namespace
