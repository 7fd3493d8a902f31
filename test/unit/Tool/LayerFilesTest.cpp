// The tensors of `lintel run`, and what does not fit together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerFiles.h"

#include "formats/TensorFile.h"

#include "TemporaryDirectory.h"

#include <gmock/gmock.h>

using namespace lintel;
using namespace lintel::tool;
using testing::HasSubstr;

namespace {

class LayerFilesTest : public testing::Test {
protected:
  std::string tensor(const std::string &name, std::vector<int64_t> shape,
                     DType dtype = DType::f32) {
    Tensor made = std::move(Tensor::allocate(std::move(shape), dtype)).value();
    const std::string path = directory.file(name + ".safetensors");
    EXPECT_TRUE(writeTensor(path, made));
    return path;
  }
  LayerFiles files(std::string epilogue) {
    LayerFiles made;
    made.weight = tensor("w", {3, 2});
    made.input = tensor("x", {4, 2});
    made.epilogue = std::move(epilogue);
    return made;
  }
  std::string messageOf(const LayerFiles &files) {
    auto layer = readLayer(files);
    return layer ? "no error" : layer.error().message();
  }
  TemporaryDirectory directory;
};

TEST_F(LayerFilesTest, OperandsComeInTheOrderOfTheEpilogue) {
  LayerFiles all = files("mul+bias+residual");
  all.bias = tensor("b", {3});
  all.operands = {tensor("m", {4, 3}), tensor("r", {4, 3})};
  auto layer = readLayer(all);
  ASSERT_TRUE(layer) << layer.error().message();
  EXPECT_EQ(layer->problem.text(), "4x2:2x3 mul+bias+residual");
  ASSERT_EQ(layer->operands.size(), 3u);
  EXPECT_EQ(layer->operands[0], &layer->owned[0]);
  EXPECT_EQ(layer->operands[1]->shape(), std::vector<int64_t>{3});
  EXPECT_EQ(layer->operands[2], &layer->owned[1]);
}

TEST_F(LayerFilesTest, OneTensorServesEveryBias) {
  LayerFiles twice = files("bias+relu+residual+bias");
  twice.bias = tensor("b", {3});
  twice.operands = {tensor("r", {4, 3})};
  auto layer = readLayer(twice);
  ASSERT_TRUE(layer) << layer.error().message();
  ASSERT_EQ(layer->operands.size(), 3u);
  EXPECT_EQ(layer->operands[0]->shape(), std::vector<int64_t>{3});
  EXPECT_EQ(layer->operands[1], &layer->owned[0]);
  EXPECT_EQ(layer->operands[2], layer->operands[0]);
  twice.operands.push_back(tensor("s", {4, 3}));
  EXPECT_THAT(messageOf(twice), HasSubstr("takes 1 --operand tensors"));
}

TEST_F(LayerFilesTest, TypesAreThoseOfTheFiles) {
  LayerFiles narrow = files("bias");
  narrow.bias = tensor("b", {3});
  narrow.weight = tensor("w", {3, 2}, DType::bf16);
  EXPECT_THAT(messageOf(narrow), HasSubstr("no layer has x of f32, w of bf16"));
  narrow.input = tensor("x", {4, 2}, DType::bf16);
  EXPECT_THAT(messageOf(narrow), HasSubstr("--bias holds f32, must hold bf16"));
  narrow.bias = tensor("c", {3}, DType::bf16);
  auto layer = readLayer(narrow);
  ASSERT_TRUE(layer) << layer.error().message();
  EXPECT_EQ(layer->problem.types(), DataTypes::parse("bf16").value());
}

TEST_F(LayerFilesTest, TypesThatAreNamedMustBeThoseOfTheFiles) {
  LayerFiles narrow = files("residual");
  narrow.types = DataTypes::parse("f16:f32").value();
  narrow.operands = {tensor("h", {4, 3}, DType::f16)};
  EXPECT_THAT(messageOf(narrow), HasSubstr("--input holds f32, must hold f16"));
  narrow.input = tensor("x", {4, 2}, DType::f16);
  EXPECT_THAT(messageOf(narrow),
              HasSubstr("--weight holds f32, must hold f16"));
  narrow.weight = tensor("w", {3, 2}, DType::f16);
  EXPECT_THAT(messageOf(narrow),
              HasSubstr("--operand of residual holds f16, must hold f32"));
  narrow.operands = {tensor("r", {4, 3})};
  auto layer = readLayer(narrow);
  ASSERT_TRUE(layer) << layer.error().message();
  EXPECT_EQ(layer->problem.types(), *narrow.types);
}

TEST_F(LayerFilesTest, EmptyInputs) {
  LayerFiles none = files("none");
  none.input = tensor("x", {0, 2});
  EXPECT_EQ(messageOf(none), "no error");
}

TEST_F(LayerFilesTest, OptionsMustMatchTheEpilogue) {
  EXPECT_THAT(messageOf(files("bias")), HasSubstr("needs --bias"));
  LayerFiles extra = files("relu");
  extra.bias = tensor("b", {3});
  EXPECT_THAT(messageOf(extra), HasSubstr("has no bias"));
  EXPECT_THAT(messageOf(files("residual")),
              HasSubstr("takes 1 --operand tensors"));
  EXPECT_THAT(messageOf(files("mish")), HasSubstr("--epilogue 'mish': "));
}

TEST_F(LayerFilesTest, ShapesMustMatch) {
  LayerFiles wrong = files("none");
  wrong.input = tensor("x", {4, 5});
  EXPECT_THAT(messageOf(wrong),
              HasSubstr("--input has shape [4, 5], must be [M, 2]"));
  wrong.input = tensor("x", {4});
  EXPECT_THAT(messageOf(wrong), HasSubstr("must be [M, K]"));
  LayerFiles biased = files("bias");
  biased.bias = tensor("b", {4});
  EXPECT_THAT(messageOf(biased),
              HasSubstr("--bias has shape [4], must be [3] (N)"));
  LayerFiles residual = files("residual");
  residual.operands = {tensor("r", {3, 4})};
  EXPECT_THAT(messageOf(residual), HasSubstr("must be [4, 3] (M, N)"));
}

} // namespace
