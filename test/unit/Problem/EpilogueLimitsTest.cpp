// What no epilogue of a problem may have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/Problem.h"

#include <climits>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace lintel;
using testing::HasSubstr;

namespace {

class EpilogueLimits : public testing::Test {
protected:
  static std::string messageOf(Epilogue epilogue) {
    Expected<Problem> problem =
        Problem::create(1, 2, 3, DataTypes(), std::move(epilogue));
    return problem ? "" : problem.error().message();
  }
  static Epilogue stages(const std::string &name, int count) {
    std::string text = name;
    for (int i = 1; i < count; ++i)
      text += "+" + name;
    return Epilogue::parse(text).value();
  }
  static Epilogue functions(const std::string &operation, int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += operation;
    return Epilogue::fromRegion(text, {}, 1);
  }
};

TEST_F(EpilogueLimits, RefuseWhatNoLayerHas) {
  const auto region = [](size_t bytes, size_t operands, int results) {
    return Epilogue::fromRegion(
        std::string(bytes, 'x'),
        std::vector<EpilogueOperand>(operands, {"operand", Broadcast::row}),
        results);
  };
  EXPECT_EQ(messageOf(region(100, 3, 2)), "");
  for (int results : {INT_MIN, -1, 0})
    EXPECT_THAT(messageOf(region(100, 3, results)),
                HasSubstr("outputs; a layer has at least one"));
  EXPECT_THAT(messageOf(region(100, 3, INT_MAX)),
              HasSubstr("outputs, at most 64 are supported"));
  EXPECT_THAT(messageOf(region(100, 129, 1)),
              HasSubstr("129 operands, at most 128"));
  EXPECT_THAT(messageOf(region(70000, 1, 1)),
              HasSubstr("bytes of text, at most 65536"));
  EXPECT_EQ(messageOf(stages("relu", 256)), "");
  EXPECT_THAT(messageOf(stages("relu", 257)),
              HasSubstr("257 stages, at most 256"));
}

/// What it is computed with takes long to compile.
TEST_F(EpilogueLimits, BoundWhatStagesAndRegionsCompute) {
  EXPECT_EQ(messageOf(stages("tanh", 28)), "");
  EXPECT_THAT(messageOf(stages("tanh", 29)),
              HasSubstr("the epilogue computes as much as 29 functions such as "
                        "exp, at most 28 are supported"));
  EXPECT_EQ(messageOf(stages("silu", 24)), "");
  EXPECT_THAT(messageOf(stages("silu", 25)),
              HasSubstr("as much as 30 functions"));
  EXPECT_EQ(messageOf(functions("\"math.exp\"(%0) ", 28)), "");
  EXPECT_THAT(messageOf(functions("\"math.exp\"(%0) ", 29)),
              HasSubstr("as much as 29 functions"));
  // Some compute several.
  EXPECT_EQ(messageOf(functions("\"math.sinh\"(%0) ", 5)), "");
  EXPECT_THAT(messageOf(functions("\"math.sinh\"(%0) ", 6)),
              HasSubstr("as much as 29 functions"));
  EXPECT_EQ(messageOf(functions("\"arith.addf\"(%0) ", 522)), "");
  EXPECT_THAT(messageOf(functions("\"arith.addf\"(%0) ", 523)),
              HasSubstr("as much as 29 functions"));
}

TEST_F(EpilogueLimits, TakeOperandsOfKnownBroadcastsAlone) {
  EXPECT_EQ(messageOf(Epilogue::fromRegion(
                "{ region }",
                {{"operand0", static_cast<Broadcast>(9), DType::f32}}, 1)),
            "the epilogue's operand 'operand0' extends over the output in no "
            "way that there is; take scalar, column, row or full");
}

TEST_F(EpilogueLimits, TakeOperandsOfKnownTypesAlone) {
  const auto refusal = [](DType dtype) {
    return messageOf(Epilogue::fromRegion(
        "{ region }", {{"operand0", Broadcast::column, dtype}}, 1));
  };
  for (DType known : {DType::f32, DType::bf16, DType::f16, DType::s32})
    EXPECT_EQ(refusal(known), "");
  for (DType other : {DType::s16, DType::s8, DType::u8})
    EXPECT_EQ(refusal(other), "the epilogue's operand 'operand0' holds " +
                                  std::string(toString(other)) +
                                  "; supported are f32, bf16, f16 and s32");
  EXPECT_EQ(refusal(static_cast<DType>(99)),
            "the epilogue's operand 'operand0' holds ?; supported are f32, "
            "bf16, f16 and s32");
}

} // namespace
