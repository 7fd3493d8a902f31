// From words on a command line to problems.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProblemArguments.h"

#include "TemporaryDirectory.h"

#include <gmock/gmock.h>

using namespace lintel;
using namespace lintel::tool;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

class ProblemArgumentsTest : public testing::Test {
protected:
  std::vector<std::string> texts(const ProblemArguments &arguments) {
    auto requests = resolveProblems(arguments, NamedTypes());
    if (!requests)
      return {"error: " + requests.error().message()};
    std::vector<std::string> list;
    for (const LayerRequest &request : *requests) {
      list.push_back(request.problem.text());
      for (int64_t rows : request.rows)
        list.back() += " #" + std::to_string(rows);
    }
    return list;
  }
  std::string messageOf(const ProblemArguments &arguments) {
    return texts(arguments).front();
  }
  std::string model(const std::string &header, size_t dataBytes,
                    std::string_view name = "m.safetensors") {
    std::string contents;
    for (int i = 0; i < 8; ++i)
      contents += char(uint64_t(header.size()) >> (8 * i));
    return directory.write(name,
                           contents + header + std::string(dataBytes, 'x'));
  }
  /// Three layers, two of one shape.
  std::string model() {
    const std::string header =
        R"({"a.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)"
        R"("b.bias":{"dtype":"F32","shape":[1],"data_offsets":[8,12]},)"
        R"("b.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[12,20]},)"
        R"("c.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[20,28]}})";
    return model(header, 28);
  }
  TemporaryDirectory directory;
};

TEST_F(ProblemArgumentsTest, QuotedAndUnquoted) {
  EXPECT_THAT(
      texts({.positionals = {"1x2:2x3 bias", "4x5:5x6", "relu", "?x8:8x9"}}),
      ElementsAre("1x2:2x3 bias", "4x5:5x6 relu",
                  Problem::parse("?x8:8x9")->text()));
}

TEST_F(ProblemArgumentsTest, FilesThatAreNotThereAreNamed) {
  for (const char *missing :
       {"layers.txt", "models/layers", "m.safetensors:a.weight"})
    EXPECT_THAT(messageOf({.positionals = {missing}}),
                HasSubstr(std::string("'") + missing +
                          "' is no problem, and there is no such file"));
  // A range of rows has dots, too.
  for (const char *range : {"5..8x2:3x4", "5..x2:2x4"})
    EXPECT_THAT(messageOf({.positionals = {range}}), Not(HasSubstr("file")));
}

/// Behind a problem they are no epilogues, which have dots and letters in
/// parentheses alone.
TEST_F(ProblemArgumentsTest, FilesBehindAProblemAreNoEpilogues) {
  for (const char *missing : {"problems.txt", "models/layers", "list(1).txt"})
    EXPECT_THAT(messageOf({.positionals = {"8x8:8x8", missing}}),
                HasSubstr(std::string("'") + missing +
                          "' is no problem, and there is no such file"));
  EXPECT_THAT(texts({.positionals = {"8x8:8x8", "clamp(0,1.e2)+relu"}}),
              ElementsAre("8x8:8x8 clamp(0,100)+relu"));
}

TEST_F(ProblemArgumentsTest, ArraysAreForRun) {
  for (const std::string &path :
       {directory.write("x.npy", ""), directory.file("absent.npy")})
    for (const std::vector<std::string> &words :
         {std::vector{path}, {"8x8:8x8", path}})
      EXPECT_THAT(messageOf({.positionals = words}),
                  HasSubstr("; an array is for lintel run, as in --input "
                            "x.npy: other commands take the sizes of a layer"))
          << path;
}

TEST_F(ProblemArgumentsTest, ModelsAndModulesAreNoLists) {
  for (const std::string &path :
       {model(), directory.write("m.mlir", "// no list")})
    EXPECT_THAT(messageOf({.listFile = path}),
                HasSubstr("is no list of problems; leave out --file"));
}

TEST_F(ProblemArgumentsTest, ZeroSizesAreProblems) {
  EXPECT_EQ(texts({.positionals = {"0x2:2x3", "1x0:0x3", "1x2:2x0"}}).size(),
            3u);
}

TEST_F(ProblemArgumentsTest, Mistakes) {
  EXPECT_THAT(messageOf({}), HasSubstr("no problem given"));
  EXPECT_THAT(messageOf({.positionals = {"relu"}}),
              HasSubstr("'relu' is no problem; an epilogue is one word"));
  EXPECT_THAT(messageOf({.positionals = {"1x2:2x3", "relu", "bias"}}),
              HasSubstr("'bias' is no problem; an epilogue is one word"));
  EXPECT_THAT(messageOf({.positionals = {"1x2"}}), HasSubstr("'1x2': "));
  EXPECT_THAT(messageOf({.positionals = {"1x2:2x3", "mish"}}),
              HasSubstr("'1x2:2x3 mish': "));
  EXPECT_THAT(messageOf({.positionals = {"1x2:2x\n3"}}),
              HasSubstr("'1x2:2x\\x0a3': column 7"));
  EXPECT_THAT(messageOf({.positionals = {"1x2:2x3"}, .rows = "4"}),
              HasSubstr("goes with a .safetensors file or a problem with '?'"));
  EXPECT_THAT(messageOf({.positionals = {"1x2:2x3"}, .match = "a"}),
              HasSubstr("goes with a .safetensors file"));
  EXPECT_THAT(messageOf({.positionals = {directory.write("list.txt", "")}}),
              HasSubstr("give lists of problems with --file"));
}

TEST_F(ProblemArgumentsTest, Lists) {
  std::string list =
      directory.write("list", "# two\n1x2:2x3\n\n4x5:5x6 relu # b\n");
  EXPECT_THAT(texts({.listFile = list}),
              ElementsAre(Problem::parse("1x2:2x3")->text(), "4x5:5x6 relu"));
  EXPECT_THAT(
      messageOf({.listFile = directory.write("bad", "1x2:2x3\nnonsense\n")}),
      HasSubstr("bad:2: "));
  EXPECT_THAT(messageOf({.listFile = directory.write("empty", "# nothing\n")}),
              HasSubstr("holds no problem"));
  EXPECT_THAT(messageOf({.listFile = directory.file("absent")}),
              HasSubstr("absent: cannot open"));
}

TEST_F(ProblemArgumentsTest, ModelsTuneEqualShapesOnce) {
  EXPECT_THAT(texts({.positionals = {model()}, .rows = "4,8"}),
              ElementsAre(Problem::parse("4x2:2x1")->text(), "4x2:2x1 bias",
                          Problem::parse("8x2:2x1")->text(), "8x2:2x1 bias"));
  EXPECT_THAT(
      texts({.positionals = {model()}, .rows = "4", .epilogue = "relu"}),
      ElementsAre("4x2:2x1 relu"));
  // A number that is named twice is one.
  EXPECT_EQ(texts({.positionals = {model()}, .rows = "4,8,4"}),
            texts({.positionals = {model()}, .rows = "4,8"}));
  EXPECT_THAT(texts({.positionals = {model()}, .rows = "?", .match = "b"}),
              ElementsAre("?x2:2x1 bias"));
}

TEST_F(ProblemArgumentsTest, ModelsNameTheLayersOfEachProblem) {
  auto requests = resolveProblems(
      {.positionals = {"4x2:2x1", model()}, .rows = "4,8,4"}, NamedTypes());
  ASSERT_TRUE(requests) << requests.error().message();
  ASSERT_EQ(requests->size(), 5u);
  EXPECT_THAT((*requests)[0].origin.layers, ElementsAre());
  for (size_t rows : {1, 3}) {
    EXPECT_THAT((*requests)[rows].origin.layers,
                ElementsAre("a.weight", "c.weight"));
    EXPECT_THAT((*requests)[rows + 1].origin.layers, ElementsAre("b.weight"));
  }
}

TEST_F(ProblemArgumentsTest, ModulesAreNamed) {
  const std::string path = directory.write("layer.mlir", R"(
    func.func @f(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>)
        -> tensor<4x16xf32> {
      %y = lintel.linear %x, %w
          : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
      ^bb0(%a: f32):
        lintel.yield %a : f32
      }
      return %y : tensor<4x16xf32>
    })");
  auto requests =
      resolveProblems({.positionals = {"4x2:2x1", path}}, NamedTypes());
  ASSERT_TRUE(requests) << requests.error().message();
  ASSERT_EQ(requests->size(), 2u);
  EXPECT_EQ((*requests)[0].origin.module, "");
  EXPECT_EQ((*requests)[1].origin.module, path);
}

/// In the second file there are biases of the first's layers, no layer of its
/// own that is selected, and one that equals another.
TEST_F(ProblemArgumentsTest, FilesOfOneModelAreTakenTogether) {
  const std::string first = model(
      R"({"a.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)"
      R"("c.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]}})",
      16, "1.safetensors");
  const std::string second = model(
      R"({"a.bias":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
      R"("b.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[4,12]}})",
      12, "2.safetensors");
  auto requests = resolveProblems(
      {.positionals = {first, "4x5:5x6 relu", second}, .rows = "4"},
      NamedTypes());
  ASSERT_TRUE(requests) << requests.error().message();
  ASSERT_EQ(requests->size(), 3u);
  EXPECT_EQ((*requests)[0].problem.text(), "4x2:2x1 bias");
  EXPECT_THAT((*requests)[0].origin.layers, ElementsAre("a.weight"));
  EXPECT_THAT((*requests)[1].origin.layers,
              ElementsAre("b.weight", "c.weight"));
  EXPECT_EQ((*requests)[2].problem.text(), "4x5:5x6 relu");
  for (const char *match : {"a", "b"})
    EXPECT_EQ(
        texts({.positionals = {first, second}, .rows = "4", .match = match})
            .size(),
        1u);
  EXPECT_THAT(
      messageOf({.positionals = {first, second}, .rows = "4", .match = "d"}),
      HasSubstr("1.safetensors and 1 more: no two-dimensional tensor"));
}

TEST_F(ProblemArgumentsTest, FilesOfTwoModelsAreToldApart) {
  const std::string other = model(
      R"({"b.weight":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]}})", 24,
      "other.safetensors");
  EXPECT_THAT(messageOf({.positionals = {model(), other}, .rows = "4"}),
              HasSubstr("other.safetensors: holds a tensor 'b.weight', as " +
                        directory.file("m.safetensors") +
                        " does; several .safetensors files are taken for the "
                        "parts of one model"));
  const std::string again = directory.file("./m.safetensors");
  EXPECT_THAT(messageOf({.positionals = {model(), again}, .rows = "4"}),
              HasSubstr(again + ": is named twice"));
}

TEST_F(ProblemArgumentsTest, AMixOfRowsDoesNotGoWithASchedule) {
  const auto resolve = [](const ProblemArguments &arguments,
                          const std::string &schedule) {
    auto requests = resolveProblems(arguments, NamedTypes(), schedule);
    return requests ? "no error" : requests.error().message();
  };
  const ProblemArguments mix{.positionals = {"1x2:2x3", "?x2:2x3"},
                             .rows = "1,8"};
  EXPECT_THAT(resolve(mix, "tile=1x16"),
              HasSubstr("--rows '1,8': names what a problem with '?' rows is "
                        "tuned for, but --schedule"));
  EXPECT_EQ(resolve(mix, ""), "no error");
  EXPECT_EQ(resolve({.positionals = {"?x2:2x3"}}, "tile=1x16"), "no error");
  // A model's rows are its problems.
  EXPECT_EQ(resolve({.positionals = {model()}, .rows = "4,?"}, "tile=1x16"),
            "no error");
}

TEST_F(ProblemArgumentsTest, RowsAreTheMixOfDynamicProblems) {
  EXPECT_THAT(texts({.positionals = {"?x2:2x3 bias", "4x5:5x6", "5..9x2:2x3"},
                     .rows = "16,1,16"}),
              ElementsAre("?x2:2x3 bias #1 #16", "4x5:5x6", "5..9x2:2x3"));
  const std::string list = directory.write("dynamic", "1x2:2x3\n?x2:2x3\n");
  EXPECT_THAT(texts({.listFile = list, .rows = "8"}),
              ElementsAre("1x2:2x3", "?x2:2x3 #8"));
  // Beside a model they are the model's.
  EXPECT_THAT(
      texts({.positionals = {"?x2:2x3", model()}, .rows = "4,?", .match = "b"}),
      ElementsAre("?x2:2x3", "4x2:2x1 bias", "?x2:2x1 bias"));
  for (const char *text : {"5x2:2x3", "5..9x2:2x3", "?@64x2:2x3"})
    EXPECT_THAT(messageOf({.positionals = {text}, .rows = "4"}),
                HasSubstr("--rows goes with"))
        << text;
  EXPECT_THAT(messageOf({.positionals = {"?x2:2x3"}, .rows = "1,?"}),
              HasSubstr("--rows '1,?': names the numbers of rows"));
  EXPECT_THAT(messageOf({.positionals = {"?x2:2x3"}, .rows = "0,4"}),
              HasSubstr("--rows '0,4': rows: 0 is no number"));
  EXPECT_THAT(messageOf({.positionals = {"?x2:2x3"}, .rows = "1;2"}),
              HasSubstr("is no number of rows"));
}

TEST_F(ProblemArgumentsTest, RowsBehindABlankAreToldFromEpilogues) {
  const std::string dynamic = "?x2:2x3", one = model();
  for (const std::vector<std::string> &words :
       {std::vector{dynamic, std::string("16")}, {"16", dynamic}, {one, "16"}})
    EXPECT_EQ(messageOf({.positionals = words, .rows = "1"}),
              "error: '16' is no problem; if it is meant for --rows '1': its "
              "numbers are one word, which commas separate without blanks, as "
              "in --rows 1,16,512")
        << words.front();
  for (const char *word : {",16", "16,512", "?", ","})
    EXPECT_THAT(messageOf({.positionals = {dynamic, word}, .rows = "1,"}),
                HasSubstr(std::string("'") + word +
                          "' is no problem; if it is meant for --rows '1,':"));
  // Nobody speaks of rows.
  EXPECT_THAT(messageOf({.positionals = {dynamic, "16"}}),
              HasSubstr("'?x2:2x3 16': "));
  EXPECT_THAT(texts({.positionals = {dynamic, "relu"}, .rows = "16"}),
              ElementsAre("?x2:2x3 relu #16"));
}

TEST_F(ProblemArgumentsTest, TypesAreThoseOfTextsListsAndModels) {
  const DataTypes bf16 = *DataTypes::parse("bf16");
  const ProblemArguments arguments = {.positionals = {"4x5:5x6 bias", model()},
                                      .listFile =
                                          directory.write("list", "1x2:2x3\n"),
                                      .rows = "4"};
  auto requests = resolveProblems(arguments, {.types = bf16});
  ASSERT_TRUE(requests) << requests.error().message();
  ASSERT_EQ(requests->size(), 4u);
  for (const LayerRequest &request : *requests)
    EXPECT_EQ(request.problem.types(), bf16) << request.problem.text();
}

/// As many shapes as layers.
TEST_F(ProblemArgumentsTest, ModelsOfManyShapes) {
  constexpr int kLayers = 50'000;
  std::string header = "{";
  for (int i = 1; i <= kLayers; ++i)
    header += (i == 1 ? "\"" : ",\"") + std::to_string(i) +
              R"(.weight":{"dtype":"F32","shape":[)" + std::to_string(i) +
              R"(,0],"data_offsets":[0,0]})";
  auto requests = resolveProblems(
      {.positionals = {model(header + "}", 0)}, .rows = "4"}, NamedTypes());
  ASSERT_TRUE(requests) << requests.error().message();
  EXPECT_EQ(requests->size(), size_t(kLayers));
  EXPECT_EQ(requests->front().problem.text(), "4x0:0x1");
}

TEST_F(ProblemArgumentsTest, ModelMistakes) {
  EXPECT_THAT(messageOf({.positionals = {model()}}), HasSubstr("--rows 128"));
  for (const char *rows : {"", "x", "1,", "-1", "1 2", "99999999999999999999"})
    EXPECT_THAT(messageOf({.positionals = {model()}, .rows = rows}),
                HasSubstr("is no number of rows"))
        << rows;
  EXPECT_THAT(messageOf({.positionals = {model()}, .rows = "4,0"}),
              HasSubstr("--rows '4,0': with 0 rows the layers of a model "
                        "compute nothing"));
  EXPECT_THAT(
      messageOf({.positionals = {model()}, .rows = "1", .epilogue = "mish"}),
      HasSubstr("--epilogue 'mish': "));
  EXPECT_THAT(messageOf({.positionals = {model()}, .rows = "1", .match = "["}),
              HasSubstr("m.safetensors: --match '['"));
}

TEST_F(ProblemArgumentsTest, Headlines) {
  EXPECT_EQ(headline(*Problem::parse("?x768:768x3072 bias+gelu_erf")),
            "linear(?x768, 768x3072) f32 bias+gelu_erf");
  EXPECT_EQ(
      headline(*Problem::parse("4x8:8x9 relu", *DataTypes::parse("bf16:f32"))),
      "linear(4x8, 8x9) bf16:f32 relu");
  auto region = Problem::create(1, 2, 3, DataTypes(),
                                Epilogue::fromRegion("{\n^bb0:\n}", {}, 1));
  ASSERT_TRUE(region);
  EXPECT_EQ(headline(*region), "linear(1x3, 3x2) f32 region");
}

} // namespace
