// The tensors of `lintel run`, and what does not fit together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerFiles.h"

#include "Reference/Element.h"
#include "formats/TensorFile.h"

#include "TemporaryDirectory.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace lintel;
using namespace lintel::tool;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class LayerFilesTest : public testing::Test {
protected:
  std::string tensor(const std::string &name, std::vector<int64_t> shape,
                     DType dtype = DType::f32, int firstByte = 0) {
    Tensor made = std::move(Tensor::allocate(std::move(shape), dtype)).value();
    made.data()[0] = std::byte(firstByte);
    const std::string path = directory.file(name + ".safetensors");
    EXPECT_TRUE(writeTensor(path, made));
    return path;
  }
  std::string scales(const std::string &name, std::vector<int64_t> shape,
                     float value) {
    Tensor made =
        std::move(Tensor::allocate(std::move(shape), DType::f32)).value();
    std::fill_n(reinterpret_cast<float *>(made.data()), made.elements(), value);
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
  all.operands = {tensor("m", {4, 3}, DType::f32, 1),
                  tensor("r", {4, 3}, DType::f32, 2)};
  auto layer = readLayer(all);
  ASSERT_TRUE(layer) << layer.error().message();
  EXPECT_EQ(layer->problem.text(), "4x2:2x3 mul+bias+residual");
  ASSERT_EQ(layer->operands.size(), 3u);
  EXPECT_EQ(layer->operand(0).data()[0], std::byte{1});
  EXPECT_EQ(layer->operand(1).shape(), std::vector<int64_t>{3});
  EXPECT_EQ(layer->operand(2).data()[0], std::byte{2});
}

TEST_F(LayerFilesTest, OneTensorServesEveryBias) {
  LayerFiles twice = files("bias+relu+residual+bias");
  twice.bias = tensor("b", {3});
  twice.operands = {tensor("r", {4, 3})};
  auto layer = readLayer(twice);
  ASSERT_TRUE(layer) << layer.error().message();
  ASSERT_EQ(layer->operands.size(), 3u);
  EXPECT_EQ(layer->operand(0).shape(), std::vector<int64_t>{3});
  EXPECT_EQ(layer->operand(1).shape(), (std::vector<int64_t>{4, 3}));
  EXPECT_EQ(layer->operands[2], layer->operands[0]);
  twice.operands.push_back(tensor("s", {4, 3}));
  EXPECT_THAT(messageOf(twice), HasSubstr("takes 1 --operand tensors"));
}

TEST_F(LayerFilesTest, TypesAreThoseOfTheFiles) {
  LayerFiles narrow = files("bias");
  narrow.bias = tensor("b", {3});
  narrow.weight = tensor("w", {3, 2}, DType::bf16);
  EXPECT_THAT(messageOf(narrow),
              HasSubstr("--input and --weight do not go together: no layer has "
                        "x of f32, w of bf16"));
  narrow.input = tensor("x", {4, 2}, DType::bf16);
  EXPECT_THAT(
      messageOf(narrow),
      HasSubstr("--bias holds f32, must hold bf16, as .safetensors files can"));
  narrow.bias = tensor("c", {3}, DType::bf16);
  auto layer = readLayer(narrow);
  ASSERT_TRUE(layer) << layer.error().message();
  EXPECT_EQ(layer->problem.types(), DataTypes::parse("bf16").value());
}

TEST_F(LayerFilesTest, TypesThatAreNamedMustBeThoseOfTheFiles) {
  LayerFiles narrow = files("residual");
  narrow.named.types = DataTypes::parse("f16:f32").value();
  narrow.operands = {tensor("h", {4, 3}, DType::f16)};
  EXPECT_THAT(messageOf(narrow), HasSubstr("--input holds f32, must hold f16"));
  narrow.input = tensor("x", {4, 2}, DType::f16);
  EXPECT_THAT(messageOf(narrow),
              HasSubstr("--weight holds f32, must hold f16"));
  narrow.weight = tensor("w", {3, 2}, DType::f16);
  narrow.operands = {tensor("s", {4, 3}, DType::s8)};
  EXPECT_THAT(messageOf(narrow),
              HasSubstr("--operand of residual holds s8, must hold f32"));
  narrow.operands = {tensor("r", {4, 3})};
  auto layer = readLayer(narrow);
  ASSERT_TRUE(layer) << layer.error().message();
  EXPECT_EQ(layer->problem.types(), *narrow.named.types);
}

TEST_F(LayerFilesTest, NarrowOperandsAreWidened) {
  LayerFiles narrow = files("bias");
  narrow.named.types = DataTypes::parse("bf16:f32").value();
  narrow.input = tensor("x", {4, 2}, DType::bf16);
  narrow.weight = tensor("w", {3, 2}, DType::bf16);
  for (DType dtype : {DType::bf16, DType::f16}) {
    const int64_t count = 3;
    Tensor bias = Tensor::allocate({count}, dtype).value();
    const uint16_t bits[] = {0x3f80, 0xc020, 0x8001};
    std::memcpy(bias.data(), bits, sizeof bits);
    narrow.bias = directory.file("b.safetensors");
    ASSERT_TRUE(writeTensor(*narrow.bias, bias));
    auto layer = readLayer(narrow);
    ASSERT_TRUE(layer) << layer.error().message();
    const Tensor &read = layer->owned[layer->operands[0]];
    ASSERT_EQ(read.dtype(), DType::f32);
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(read.floats()[i],
                static_cast<float>(elementAt(dtype, bits, i)));
  }
}

/// A layer of int8 with every scale and zero point that there is.
class QuantizedLayerFilesTest : public LayerFilesTest {
protected:
  LayerFiles quantized() {
    LayerFiles made =
        files("dequant(x=row,xzero=row,w=tensor,wzero=column)+bias");
    made.weight = tensor("w", {3, 2}, DType::s8);
    made.input = tensor("x", {4, 2}, DType::u8);
    made.bias = tensor("b", {3});
    made.named.types = DataTypes::parse("u8s8:u8").value();
    made.quantization = {{"x_scale", tensor("xs", {4})},
                         {"x_zero", "7"},
                         {"w_scale", "0.5"},
                         {"w_zero", tensor("wz", {3}, DType::s32)},
                         {"result_scale", scales("rs", {}, 0.25f)},
                         {"result_zero", "128"}};
    return made;
  }
};

TEST_F(QuantizedLayerFilesTest, TensorsAndNumbersServe) {
  auto layer = readLayer(quantized());
  ASSERT_TRUE(layer) << layer.error().message();
  ASSERT_EQ(layer->operands.size(), 7u);
  EXPECT_EQ(layer->operand(0).shape(), std::vector<int64_t>{4});
  // A number stands for all.
  ASSERT_EQ(layer->operand(1).shape(), std::vector<int64_t>{4});
  const auto *zeros =
      reinterpret_cast<const int32_t *>(layer->operand(1).data());
  EXPECT_THAT(std::vector<int32_t>(zeros, zeros + 4), testing::Each(7));
  EXPECT_EQ(layer->operand(2).shape(), std::vector<int64_t>{});
  EXPECT_EQ(*layer->operand(2).floats(), 0.5f);
  EXPECT_EQ(layer->operand(3).dtype(), DType::s32);
  EXPECT_EQ(layer->operand(4).shape(), std::vector<int64_t>{3}); // the bias
}

TEST_F(QuantizedLayerFilesTest, ResultsAreF32UnlessNamed) {
  LayerFiles plain = quantized();
  plain.named.types.reset();
  plain.quantization.erase("result_scale");
  plain.quantization.erase("result_zero");
  auto layer = readLayer(plain);
  ASSERT_TRUE(layer) << layer.error().message();
  EXPECT_EQ(layer->problem.types().text(), "u8s8");
}

TEST_F(QuantizedLayerFilesTest, OptionsMustBeThoseOfTheStages) {
  LayerFiles missing = quantized();
  missing.quantization.erase("w_zero");
  EXPECT_THAT(messageOf(missing), HasSubstr("needs --w-zero"));
  missing.quantization.erase("x_scale");
  EXPECT_THAT(messageOf(missing), HasSubstr("needs --x-scale, --w-zero"));
  LayerFiles extra = quantized();
  extra.epilogue = "dequant(x=row,xzero=row,w=tensor)+bias";
  EXPECT_THAT(messageOf(extra),
              HasSubstr("has no --w-zero; leave it out, or name it in a stage "
                        "dequant(...)"));
  LayerFiles result = quantized();
  result.named.types = DataTypes::parse("u8s8").value();
  EXPECT_THAT(messageOf(result), HasSubstr("as in --dtype u8s8:u8"));
  LayerFiles floats = files("none");
  floats.quantization = {{"x_scale", "1"}};
  EXPECT_THAT(messageOf(floats),
              HasSubstr("epilogue 'none' has no --x-scale; leave it out: "));
  floats.epilogue.reset();
  EXPECT_THAT(messageOf(floats),
              HasSubstr("a layer of f32 has no --x-scale; leave it out: "));
}

TEST_F(QuantizedLayerFilesTest, ShapesAndTypesMustMatch) {
  LayerFiles wrong = quantized();
  wrong.quantization["x_scale"] = tensor("long", {5});
  EXPECT_THAT(messageOf(wrong),
              HasSubstr("--x-scale has shape [5], must be [4] (M, unless "
                        "dequant(...) in --epilogue says otherwise)"));
  wrong = quantized();
  wrong.quantization["w_zero"] = tensor("f", {3});
  EXPECT_THAT(messageOf(wrong), HasSubstr("--w-zero holds f32, must hold s32"));
  wrong = quantized();
  wrong.quantization["w_zero"] = "0.5";
  EXPECT_THAT(
      messageOf(wrong),
      HasSubstr("--w-zero: '0.5' is neither a whole number nor a file"));
  wrong = quantized();
  wrong.quantization["x_scale"] = "abc";
  EXPECT_THAT(
      messageOf(wrong),
      HasSubstr("--x-scale: 'abc' is neither a finite number nor a file"));
  wrong.quantization["x_scale"] = "1e-50";
  EXPECT_THAT(messageOf(wrong),
              HasSubstr("--x-scale: 1e-50 is too small for f32, whose least "
                        "number above 0 is 1e-45"));
  wrong.quantization["x_scale"] = "1e50";
  EXPECT_THAT(messageOf(wrong),
              HasSubstr("--x-scale: 1e50 is outside the range of f32, -3.4e38 "
                        "to 3.4e38"));
  wrong = quantized();
  wrong.quantization["w_zero"] = "9999999999";
  EXPECT_THAT(messageOf(wrong),
              HasSubstr("--w-zero: 9999999999 is outside the range of s32, "
                        "-2147483648 to 2147483647"));
}

TEST_F(QuantizedLayerFilesTest, ZeroPointsMustBeElements) {
  LayerFiles wrong = quantized();
  wrong.quantization["x_zero"] = "-1";
  EXPECT_THAT(messageOf(wrong),
              HasSubstr("--x-zero is or holds -1, must be from 0 to 255, as "
                        "elements of u8"));
  wrong = quantized();
  wrong.quantization["w_zero"] = "-129";
  EXPECT_THAT(messageOf(wrong), HasSubstr("--w-zero is or holds -129, must be "
                                          "from -128 to 127"));
  wrong = quantized();
  wrong.quantization["result_zero"] = "256";
  EXPECT_THAT(messageOf(wrong), HasSubstr("--result-zero is or holds 256"));
  LayerFiles extremes = quantized();
  extremes.quantization["x_zero"] = "255";
  extremes.quantization["w_zero"] = "-128";
  extremes.quantization["result_zero"] = "0";
  EXPECT_TRUE(readLayer(extremes));
}

TEST_F(QuantizedLayerFilesTest, ResultsAreNotDividedByZero) {
  LayerFiles wrong = quantized();
  for (const char *scale : {"0", "-0.5", "1e-40"}) {
    wrong.quantization["result_scale"] = scale;
    EXPECT_THAT(messageOf(wrong),
                AllOf(HasSubstr("--result-scale is or holds " +
                                std::string(scale) + ", "),
                      HasSubstr("must be finite and above zero, and so must "
                                "be its reciprocal")));
  }
  LayerFiles zeroColumns = quantized();
  zeroColumns.quantization["w_scale"] = "0";
  EXPECT_TRUE(readLayer(zeroColumns));
}

TEST_F(QuantizedLayerFilesTest, ScalesAreFinite) {
  LayerFiles wrong = quantized();
  wrong.quantization["x_scale"] = scales("nan", {4}, std::nanf(""));
  EXPECT_THAT(messageOf(wrong),
              HasSubstr("--x-scale is or holds nan, must be finite"));
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
