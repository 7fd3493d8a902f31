// Each wrong argument of a call has its message.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/CallArguments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace lintel {
namespace {

float element;

std::string message(const Status &status) {
  return status ? "" : status.error().message();
}

Problem layer() { return *Problem::parse("4x8:8x16 bias+residual"); }
Problem dynamicLayer() { return *Problem::parse("?x8:8x16"); }

TEST(CallArguments, Counts) {
  EXPECT_EQ(message(checkTensorCounts(layer(), 2, 1)), "");
  EXPECT_EQ(message(checkTensorCounts(layer(), 1, 1)),
            "epilogue 'bias+residual' takes 2 operands, got 1");
  EXPECT_EQ(message(checkTensorCounts(layer(), 2, 0)),
            "the layer has 1 output, got 0");
  const Problem region = *Problem::create(
      4, 16, 8, DataTypes(), Epilogue::fromRegion("{ ^bb0: }", {}, 1));
  EXPECT_EQ(message(checkTensorCounts(region, 1, 1)),
            "epilogue 'region' takes 0 operands, got 1");
}

TEST(CallArguments, OutputsApart) {
  float x = 0, first = 0, second = 0;
  const Problem two = *Problem::create(
      4, 16, 8, DataTypes(), Epilogue::fromRegion("{ ^bb0: }", {}, 2));
  const auto check = [&](float *one, float *other) {
    const TensorRef outputs[] = {{one, 16}, {other, 16}};
    return message(checkOutputsApart(two, 4, {&x, 8}, {}, outputs));
  };
  EXPECT_EQ(check(&first, &second), "");
  EXPECT_EQ(check(&first, &x), "output 1 begins where x does; it must have "
                               "memory of its own");
  EXPECT_EQ(check(&first, &first), "output 1 begins where output 0 does; it "
                                   "must have memory of its own");
  // An x without columns is not read.
  const TensorRef output[] = {{&x, 16}};
  EXPECT_EQ(message(checkOutputsApart(*Problem::parse("4x0:0x16"), 4, {&x, 0},
                                      {}, output)),
            "");
}

TEST(CallArguments, OutputsInPlaceOfOperands) {
  float x = 0, own = 0, shared = 0;
  struct Strides {
    int64_t rows, operand, output;
  };
  const auto check = [&](const Problem &problem, float *bias, float *residual,
                         const Strides &strides) {
    const ConstTensorRef operands[] = {{bias, 0}, {residual, strides.operand}};
    const TensorRef output[] = {{&shared, strides.output}};
    return message(
        checkOutputsApart(problem, strides.rows, {&x, 8}, operands, output));
  };
  const std::string only = " does; only a full operand of the output's type "
                           "and stride may share its memory";
  EXPECT_EQ(check(layer(), &own, &shared, {4, 16, 16}), "");
  EXPECT_EQ(check(layer(), &own, &shared, {4, 16, 32}),
            "output begins where operand 1 (residual)" + only);
  EXPECT_EQ(check(layer(), &own, &shared, {1, 16, 32}), "");
  EXPECT_EQ(check(layer(), &shared, &own, {4, 16, 16}),
            "output begins where operand 0 (bias)" + only);
  // The operands of integers are of f32, the output of one byte an element.
  const Problem bytes =
      *Problem::parse("4x8:8x16 residual", *DataTypes::parse("u8s8:u8"));
  const std::vector<EpilogueOperand> &expected = bytes.epilogue().operands();
  const auto residual =
      std::ranges::find(expected, "residual", &EpilogueOperand::name) -
      expected.begin();
  std::vector<ConstTensorRef> apart(expected.size(), {&own, 16});
  apart[static_cast<size_t>(residual)] = {&shared, 16};
  const TensorRef output[] = {{&shared, 16}};
  EXPECT_EQ(message(checkOutputsApart(bytes, 4, {&x, 8}, apart, output)),
            "output begins where operand " + std::to_string(residual) +
                " (residual)" + only);
}

TEST(CallArguments, Rows) {
  EXPECT_EQ(message(checkRows(layer(), 4)), "");
  EXPECT_EQ(message(checkRows(layer(), 5)),
            "rows is 5, but the layer was compiled for 4 rows; "
            "compile a problem with '?' rows to vary them");
  EXPECT_EQ(message(checkRows(dynamicLayer(), 0)), "");
  EXPECT_EQ(message(checkRows(dynamicLayer(), Problem::kMaxDim)), "");
  EXPECT_EQ(message(checkRows(dynamicLayer(), -1)),
            "rows is -1, must be 0 to 2147483648");
  EXPECT_EQ(message(checkRows(dynamicLayer(), Problem::kMaxDim + 1)),
            "rows is 2147483649, must be 0 to 2147483648");
}

TEST(CallArguments, Weight) {
  EXPECT_EQ(message(checkWeight(layer(), &element, 8)), "");
  EXPECT_EQ(message(checkWeight(layer(), nullptr, 8)), "the weight is null");
  EXPECT_EQ(message(checkWeight(layer(), &element, 7)),
            "the weight has stride 7, must be at least 8 (K)");
  EXPECT_EQ(message(checkWeight(*Problem::parse("4x0:0x16"), nullptr, 0)), "");
}

TEST(CallArguments, Input) {
  EXPECT_EQ(message(checkInput(layer(), 4, {&element, 9})), "");
  EXPECT_EQ(message(checkInput(layer(), 4, {nullptr, 8})), "x is null");
  EXPECT_EQ(message(checkInput(layer(), 4, {&element, 7})),
            "x has stride 7, must be at least 8 (K)");
  EXPECT_EQ(message(checkInput(layer(), 4, {&element, -8})),
            "x has stride -8, must be at least 8 (K)");
  EXPECT_EQ(message(checkInput(*Problem::parse("4x0:0x16"), 4, {nullptr, 0})),
            "");
}

std::string gather(const Problem &problem,
                   std::vector<ConstTensorRef> operands) {
  CallTensors<KernelTensor> gathered(operands.size());
  const std::string text =
      message(gatherOperands(problem, 4, operands, gathered));
  if (text.empty()) {
    EXPECT_EQ(gathered.size(), operands.size());
    for (size_t i = 0; i < gathered.size(); ++i) {
      EXPECT_EQ(gathered[i].data, operands[i].data);
      EXPECT_EQ(gathered[i].stride, operands[i].stride);
    }
  }
  return text;
}

TEST(CallArguments, Operands) {
  EXPECT_EQ(gather(layer(), {{&element, 0}, {&element, 16}}), "");
  EXPECT_EQ(gather(layer(), {{nullptr, 0}, {&element, 16}}),
            "operand 0 (bias) is null");
  EXPECT_EQ(gather(layer(), {{&element, 0}, {nullptr, 16}}),
            "operand 1 (residual) is null");
  EXPECT_EQ(gather(layer(), {{&element, 0}, {&element, 15}}),
            "operand 1 (residual) has stride 15, must be at least 16 (N)");

  const Problem region = *Problem::create(
      4, 16, 8, DataTypes(),
      Epilogue::fromRegion("r",
                           {{"operand0", Broadcast::row, DType::f32},
                            {"operand1", Broadcast::scalar, DType::f32}},
                           2));
  EXPECT_EQ(gather(region, {{&element, 1}, {&element, -5}}), "");
  EXPECT_EQ(gather(region, {{&element, 0}, {&element, 0}}),
            "operand 0 (operand0) has stride 0, must be at least 1 (between "
            "elements)");
}

TEST(CallArguments, Outputs) {
  CallTensors<KernelTensor> gathered(4);
  EXPECT_EQ(message(gatherOutputs(
                layer(), 4, std::vector<TensorRef>{{&element, 16}}, gathered)),
            "");
  EXPECT_EQ(gathered.size(), 1u);
  EXPECT_EQ(message(gatherOutputs(
                layer(), 4, std::vector<TensorRef>{{nullptr, 16}}, gathered)),
            "output is null");
  EXPECT_EQ(message(gatherOutputs(
                layer(), 4, std::vector<TensorRef>{{&element, 15}}, gathered)),
            "output has stride 15, must be at least 16 (N)");
  const Problem two =
      *Problem::create(4, 16, 8, DataTypes(), Epilogue::fromRegion("r", {}, 2));
  EXPECT_EQ(message(gatherOutputs(
                two, 4, std::vector<TensorRef>{{&element, 16}, {nullptr, 16}},
                gathered)),
            "output 1 is null");
}

// Four rows of f32: with more than 2^43 elements between them they take more
// than 2^47 bytes.
TEST(CallArguments, RowsThatNoMemoryHolds) {
  const int64_t most = int64_t(1) << 43, tooMuch = most + 1;
  const std::string rest = ": 4 rows of stride 8796093022209 do not fit "
                           "in memory; the stride counts elements";
  EXPECT_EQ(message(checkInput(layer(), 4, {&element, most})), "");
  EXPECT_EQ(message(checkInput(layer(), 4, {&element, tooMuch})), "x" + rest);
  EXPECT_FALSE(checkInput(layer(), 4, {&element, INT64_MAX}));
  EXPECT_EQ(gather(layer(), {{&element, 0}, {&element, most}}), "");
  EXPECT_EQ(gather(layer(), {{&element, 0}, {&element, tooMuch}}),
            "operand 1 (residual)" + rest);
  EXPECT_EQ(gather(layer(), {{&element, INT64_MAX}, {&element, 16}}),
            ""); // of one row nothing is counted
  CallTensors<KernelTensor> gathered(2);
  const std::vector<TensorRef> fits = {{&element, most}};
  const std::vector<TensorRef> exceeds = {{&element, tooMuch}};
  EXPECT_EQ(message(gatherOutputs(layer(), 4, fits, gathered)), "");
  EXPECT_EQ(message(gatherOutputs(layer(), 4, exceeds, gathered)),
            "output" + rest);
  // Narrow elements take less.
  const Problem narrow = *Problem::parse(
      "4x8:8x16", DataTypes{DType::bf16, DType::bf16, DType::bf16});
  EXPECT_EQ(message(checkInput(narrow, 4, {&element, tooMuch})), "");
}

TEST(CallTensors, HoldsMoreThanFitInPlace) {
  for (size_t count : {0, 1, 16, 17, 100}) {
    CallTensors<int> tensors(count);
    for (size_t i = 0; i < count; ++i)
      tensors.append(static_cast<int>(i));
    ASSERT_EQ(tensors.size(), count);
    for (size_t i = 0; i < count; ++i)
      EXPECT_EQ(tensors.view()[i], static_cast<int>(i));
  }
}

TEST(CallArguments, AllAreInvalidArguments) {
  for (const Status &status :
       {checkTensorCounts(layer(), 0, 0), checkRows(layer(), 1),
        checkWeight(layer(), nullptr, 0), checkInput(layer(), 4, {})}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code(), ErrorCode::invalidArgument);
  }
}

} // namespace
} // namespace lintel
