// Which tensors of a model are layers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelLayers.h"

#include <gmock/gmock.h>

using namespace lintel;
using namespace lintel::tool;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

namespace {

SafetensorsEntry entry(std::string name, std::vector<int64_t> shape,
                       std::string dtype = "F32") {
  return {std::move(name), std::move(dtype), std::move(shape), 0, 0};
}

const std::vector<SafetensorsEntry> kModel = {
    entry("embeddings.word_embeddings.weight", {100, 8}),
    entry("encoder.0.norm.weight", {8}),
    entry("encoder.0.query.bias", {8}),
    entry("encoder.0.query.weight", {8, 8}),
    entry("encoder.0.up.bias", {9}),
    entry("encoder.0.up.weight", {32, 8}),
    entry("position_ids", {1, 512}, "I64"),
    entry("wte.weight", {100, 8}),
};

std::vector<std::string> names(const std::vector<ModelLayer> &layers) {
  std::vector<std::string> list;
  for (const ModelLayer &layer : layers)
    list.push_back(layer.name);
  return list;
}

std::string messageOf(const std::vector<SafetensorsEntry> &entries,
                      const std::optional<std::string> &match) {
  auto layers = findLayers(entries, match, DType::f32);
  return layers ? "no error" : layers.error().message();
}

TEST(ModelLayersTest, MatricesWithoutEmbeddings) {
  auto layers = findLayers(kModel, {}, DType::f32);
  ASSERT_TRUE(layers) << layers.error().message();
  EXPECT_THAT(names(*layers),
              ElementsAre("encoder.0.query.weight", "encoder.0.up.weight"));
  EXPECT_EQ((*layers)[1].n, 32);
  EXPECT_EQ((*layers)[1].k, 8);
}

TEST(ModelLayersTest, BiasMustHaveTheRightLength) {
  auto layers = findLayers(kModel, {}, DType::f32);
  ASSERT_TRUE(layers);
  EXPECT_TRUE((*layers)[0].hasBias);
  EXPECT_FALSE((*layers)[1].hasBias);
}

TEST(ModelLayersTest, MatchSelectsEmbeddingsToo) {
  auto layers = findLayers(kModel, "wte|query", DType::f32);
  ASSERT_TRUE(layers) << layers.error().message();
  EXPECT_THAT(names(*layers),
              ElementsAre("encoder.0.query.weight", "wte.weight"));
}

TEST(ModelLayersTest, MatchKnowsClasses) {
  for (const char *match :
       {R"(encoder\.\d\.query)", R"(\w+\.query\.)", R"(^[^!]*query\.weight$)",
        R"(r\.[\d.]+query)", R"(^[^]\s]+[[:alpha:]\d]*query[.\w-]+$)",
        R"(\Dquery\W)"}) {
    auto layers = findLayers(kModel, match, DType::f32);
    ASSERT_TRUE(layers) << layers.error().message();
    EXPECT_THAT(names(*layers), ElementsAre("encoder.0.query.weight")) << match;
  }
}

TEST(ModelLayersTest, MatchRefusesWhatHasNoBound) {
  EXPECT_THAT(messageOf(kModel, R"((a)\1)"), HasSubstr(R"('\1' is not known)"));
  EXPECT_THAT(messageOf(kModel, R"(\bquery)"), HasSubstr(R"('\b' is not)"));
  EXPECT_THAT(messageOf(kModel, "(a{255}){255}"), HasSubstr("'{'"));
  for (const char *match : {R"([\]a])", R"([\D])", R"([a\.])"})
    EXPECT_THAT(messageOf(kModel, match), HasSubstr("in brackets, which take"))
        << match;
  for (const char *match : {"[", "[a", "[[:alpha:]", "[[:", "[^]"})
    EXPECT_THAT(messageOf(kModel, match), HasSubstr("regular expression"))
        << match;
  for (const char *match : {R"(a\)", "(?:a)", "(a", "a**"})
    EXPECT_THAT(messageOf(kModel, match), HasSubstr("regular expression"))
        << match;
}

// Such expressions took std::regex for ever, or all of the stack.
TEST(ModelLayersTest, MatchTakesTimeAndStackInProportion) {
  const std::vector<SafetensorsEntry> model = {
      entry(std::string(2000, 'a') + "!.weight", {4, 8}, "F32")};
  EXPECT_THAT(messageOf(model, "(a*)*b"), HasSubstr("matches '(a*)*b'"));
  std::string nested = "a";
  for (int i = 0; i < 48; ++i)
    nested = "(" + nested + "|b)";
  EXPECT_EQ(messageOf(model, nested + "*!"), "no error");
  EXPECT_EQ(messageOf(model, R"(((a|b)|(a|!))*\.weight$)"), "no error");
}

TEST(ModelLayersTest, EmbeddingNames) {
  for (const char *name :
       {"wte.weight", "transformer.wpe.weight", "model.embed_tokens.weight",
        "bert.embeddings.word_embeddings.weight", "embedding.weight"})
    EXPECT_TRUE(isEmbeddingName(name)) << name;
  for (const char *name :
       {"encoder.newten.weight", "a.wtex.weight", "fc.weight"})
    EXPECT_FALSE(isEmbeddingName(name)) << name;
}

TEST(ModelLayersTest, ElementsMustServeTheLayers) {
  const auto message = [](const char *elements, DType dtype) {
    auto layers = findLayers({entry("a.weight", {2, 2}, elements)}, {}, dtype);
    return layers ? "no error" : layers.error().message();
  };
  EXPECT_EQ(message("BF16", DType::bf16), "no error");
  EXPECT_EQ(message("F16", DType::f16), "no error");
  // Any type can be made of F32.
  EXPECT_EQ(message("F32", DType::bf16), "no error");
  EXPECT_EQ(message("BF16", DType::f32),
            "tensor 'a.weight' holds BF16 elements, but the layers' weights "
            "are of f32; "
            "give --dtype bf16");
  EXPECT_EQ(message("F16", DType::bf16),
            "tensor 'a.weight' holds F16 elements, but the layers' weights are "
            "of bf16; "
            "give --dtype f16");
  EXPECT_EQ(message("I64", DType::f32),
            "tensor 'a.weight' holds I64 elements; Lintel reads F32, BF16, "
            "F16, I8, U8 and I32: convert the tensor first");
  // The file's own word, which must not begin a line of its own.
  EXPECT_THAT(message("X\nlintel: ok", DType::f32),
              HasSubstr("holds X\\x0alintel: ok elements"));
  EXPECT_EQ(message("I8", DType::s8), "no error");
  EXPECT_EQ(message("I8", DType::f32),
            "tensor 'a.weight' holds I8 elements, but the layers' weights are "
            "of f32; give --dtype u8s8 or s8s8");
}

/// Whatever --dtype says, one of the two would not serve.
TEST(ModelLayersTest, ElementsOfTwoTypesAreToldApartByMatch) {
  const std::vector<SafetensorsEntry> model = {
      entry("a.weight", {2, 2}, "I8"), entry("b.weight", {2, 2}, "BF16"),
      entry("c.weight", {2, 2})};
  const auto message =
      [&](DType dtype, const std::optional<std::string> &match = std::nullopt) {
        auto layers = findLayers(model, match, dtype);
        return layers ? "no error" : layers.error().message();
      };
  const std::string ofBytes = "those of I8 with --dtype u8s8 or s8s8",
                    ofHalves = "those of BF16 with --dtype bf16";
  EXPECT_EQ(message(DType::s8),
            "tensor 'b.weight' holds BF16 elements, and 'a.weight' holds I8; "
            "select layers of one type with --match: " +
                ofHalves + ", " + ofBytes);
  for (DType dtype : {DType::bf16, DType::f32})
    EXPECT_EQ(message(dtype),
              "tensor 'a.weight' holds I8 elements, and 'b.weight' holds BF16; "
              "select layers of one type with --match: " +
                  ofBytes + ", " + ofHalves);
  EXPECT_EQ(message(DType::s8, "[ac]"), "no error");
  EXPECT_EQ(message(DType::bf16, "b"), "no error");
  // Any type can be made of F32.
  EXPECT_THAT(message(DType::f32, "[bc]"),
              HasSubstr("weights are of f32; give --dtype bf16"));
}

TEST(ModelLayersTest, ElementsThatNoLayerHasCanBeLeftOut) {
  for (const char *elements : {"I64", "U8", "I32"}) {
    const std::vector<SafetensorsEntry> model = {
        entry("a.weight", {2, 2}, elements), entry("b.weight", {2, 2})};
    EXPECT_THAT(messageOf(model, {}),
                HasSubstr("convert the tensor first, or leave it out with "
                          "--match"));
    EXPECT_EQ(messageOf(model, "b"), "no error");
  }
}

TEST(ModelLayersTest, Refusals) {
  EXPECT_EQ(messageOf(kModel, "nothing"),
            "no two-dimensional tensor named *.weight matches 'nothing'; there "
            "are 'embeddings.word_embeddings.weight', "
            "'encoder.0.query.weight', 'encoder.0.up.weight', 'wte.weight'");
  EXPECT_THAT(messageOf(kModel, "("),
              HasSubstr("must be a regular expression"));
  EXPECT_THAT(messageOf(kModel, std::string(100'000, '(')),
              HasSubstr("longer than 200"));
  EXPECT_THAT(messageOf({}, {}), HasSubstr("other than embedding tables"));
  EXPECT_THAT(messageOf({entry("a.weight", {2, 2}, "F16")}, {}),
              HasSubstr("tensor 'a.weight' holds F16"));
}

/// A few are enough to see how they are named.
TEST(ModelLayersTest, NamesSomeOfThoseThatMatchMayName) {
  std::vector<SafetensorsEntry> model;
  for (const char *name : {"a", "b\n", "c", "d", "e", "f"})
    model.push_back(entry(std::string(name) + ".weight", {2, 2}));
  const auto message = [&] { return messageOf(model, "nothing"); };
  EXPECT_THAT(message(), EndsWith("; there are 'a.weight', 'b\\x0a.weight', "
                                  "'c.weight', 'd.weight', 'e.weight', ... (6 "
                                  "in all)"));
  model.resize(5);
  EXPECT_THAT(message(), EndsWith("'d.weight', 'e.weight'"));
  model.resize(1);
  EXPECT_THAT(message(), EndsWith("; there is 'a.weight'"));
  model.clear();
  EXPECT_THAT(message(), EndsWith("; there is none"));
}

} // namespace
