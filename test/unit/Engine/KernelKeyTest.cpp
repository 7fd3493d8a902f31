// Every field of a kernel's identity changes its key.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/KernelKey.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace lintel {
namespace {

Problem problemOf(std::string_view text) { return *Problem::parse(text); }

Problem regionProblem(std::string region, std::vector<EpilogueOperand> operands,
                      int results) {
  return *Problem::create(
      8, 16, 32, DataTypes(),
      Epilogue::fromRegion(std::move(region), std::move(operands), results));
}

KernelIdentity base() {
  return {problemOf("8x32:32x16 clamp(-1,1)"),
          Target(),
          {},
          2,
          ExecutorKind::openMP,
          "codegen-a",
          1};
}

struct Change {
  const char *name;
  std::function<void(KernelIdentity &)> apply;
};

class EveryField : public testing::TestWithParam<Change> {};

TEST_P(EveryField, ChangesTheKey) {
  KernelIdentity changed = base();
  GetParam().apply(changed);
  EXPECT_NE(kernelKey(changed).text(), kernelKey(base()).text());
  EXPECT_NE(kernelKey(changed).hash(), kernelKey(base()).hash());
}

INSTANTIATE_TEST_SUITE_P(
    Identity, EveryField,
    testing::Values(
        Change{
            "rows",
            [](auto &i) { i.problem = problemOf("9x32:32x16 clamp(-1,1)"); }},
        Change{
            "dynamicRows",
            [](auto &i) { i.problem = problemOf("?x32:32x16 clamp(-1,1)"); }},
        Change{
            "columns",
            [](auto &i) { i.problem = problemOf("8x32:32x17 clamp(-1,1)"); }},
        Change{
            "depth",
            [](auto &i) { i.problem = problemOf("8x33:33x16 clamp(-1,1)"); }},
        Change{"types",
               [](auto &i) {
                 i.problem = *Problem::parse("8x32:32x16 clamp(-1,1)",
                                             *DataTypes::parse("bf16"));
               }},
        Change{"result",
               [](auto &i) {
                 i.problem = *Problem::parse("8x32:32x16 clamp(-1,1)",
                                             *DataTypes::parse("f16:f32"));
               }},
        Change{"accumulate",
               [](auto &i) {
                 i.problem = *Problem::parse(
                     "8x32:32x16 clamp(-1,1)",
                     *DataTypes::parse("f16:f32,accumulate=f16"));
               }},
        Change{"epilogue",
               [](auto &i) { i.problem = problemOf("8x32:32x16 relu"); }},
        Change{
            "clampLow",
            [](auto &i) { i.problem = problemOf("8x32:32x16 clamp(-2,1)"); }},
        Change{
            "clampHigh",
            [](auto &i) { i.problem = problemOf("8x32:32x16 clamp(-1,2)"); }},
        Change{"isa", [](auto &i) { i.target.isa = IsaLevel::avx2; }},
        Change{"cpu", [](auto &i) { i.target.cpu = "znver4"; }},
        Change{"l1", [](auto &i) { i.target.l1 *= 2; }},
        Change{"l2", [](auto &i) { i.target.l2 *= 2; }},
        Change{"l3", [](auto &i) { i.target.l3 *= 2; }},
        Change{"cores", [](auto &i) { i.target.cores += 1; }},
        Change{"extensions",
               [](auto &i) { i.target.extensions = {Extension::amxTile}; }},
        Change{"mix", [](auto &i) { i.mix = {1, 16}; }},
        Change{"threads", [](auto &i) { i.threads = 3; }},
        Change{"executor", [](auto &i) { i.executor = ExecutorKind::callers; }},
        Change{"codegen", [](auto &i) { i.codegenVersion = "codegen-b"; }},
        Change{"kernelAbi", [](auto &i) { i.kernelAbiVersion += 1; }}),
    [](const auto &info) { return info.param.name; });

// A new member must be added to the key and to the table above.
static_assert(sizeof(Target) == 120 &&
              sizeof(KernelIdentity) == sizeof(Problem) + sizeof(Target) +
                                            sizeof(std::vector<int64_t>) + 8 +
                                            sizeof(std::string) + 8);

TEST(KernelKey, TellsSumsOfF16Apart) {
  KernelIdentity plain = base(), permitted = base();
  plain.problem = *Problem::parse("8x32:32x16", *DataTypes::parse("f16"));
  permitted.problem =
      *Problem::parse("8x32:32x16", *DataTypes::parse("f16,accumulate=f16"));
  EXPECT_NE(plain.problem, permitted.problem);
  EXPECT_NE(kernelKey(plain).hash(), kernelKey(permitted).hash());
}

TEST(KernelKey, TellsSumsOfS16Apart) {
  KernelIdentity plain = base(), permitted = base();
  plain.problem = *Problem::parse("8x32:32x16", *DataTypes::parse("u8s8"));
  permitted.problem =
      *Problem::parse("8x32:32x16", *DataTypes::parse("u8s8,accumulate=s16"));
  EXPECT_NE(kernelKey(plain).hash(), kernelKey(permitted).hash());
}

TEST(KernelKey, TellsRegionsWithTheSameTextApart) {
  const std::string region = "the region";
  const EpilogueOperand column{"operand0", Broadcast::column, DType::f32};
  const EpilogueOperand row{"operand0", Broadcast::row, DType::f32};
  const EpilogueOperand scalar{"operand0", Broadcast::scalar, DType::f32};
  const EpilogueOperand full{"operand0", Broadcast::full, DType::f32};
  std::set<std::string> keys;
  for (const Problem &problem :
       {regionProblem(region, {}, 1), regionProblem(region, {column}, 1),
        regionProblem(region, {row}, 1), regionProblem(region, {scalar}, 1),
        regionProblem(region, {full}, 1), regionProblem(region, {full}, 2),
        regionProblem(region, {full, column}, 1),
        regionProblem("another", {full}, 1)}) {
    KernelIdentity identity = base();
    identity.problem = problem;
    keys.insert(kernelKey(identity).text());
  }
  for (const InputSums &sums : {InputSums{true, false}, InputSums{false, true},
                                InputSums{true, true}}) {
    KernelIdentity identity = base();
    identity.problem =
        *Problem::create(8, 16, 32, *DataTypes::parse("u8s8"),
                         Epilogue::fromRegion(region, {full}, 1, sums));
    keys.insert(kernelKey(identity).text());
  }
  EXPECT_EQ(keys.size(), 11u);
}

TEST(KernelKey, TellsTypesApart) {
  std::set<std::string> keys;
  for (const char *types : {"f32", "bf16", "bf16:f32", "f16", "f16:f32", "u8s8",
                            "s8s8", "u8s8:u8"}) {
    KernelIdentity identity = base();
    identity.problem =
        *Problem::parse("8x32:32x16 bias", *DataTypes::parse(types));
    EXPECT_EQ(identity.fields()[1],
              (std::pair<std::string, std::string>{"dtype", types}));
    keys.insert(kernelKey(identity).text());
  }
  EXPECT_EQ(keys.size(), 8u);
  KernelIdentity narrow = base();
  narrow.problem =
      *Problem::parse("8x32:32x16 bias", *DataTypes::parse("bf16"));
  EXPECT_EQ(narrow.fields()[3].second, "column:bf16");
}

TEST(KernelKey, TellsMixesApart) {
  std::set<std::string> keys;
  for (const std::vector<int64_t> &mix : std::vector<std::vector<int64_t>>{
           {}, {1}, {16}, {1, 16}, {1, 6}, {11, 6}, {1, 16, 512}}) {
    KernelIdentity identity = base();
    identity.mix = mix;
    keys.insert(kernelKey(identity).text());
  }
  EXPECT_EQ(keys.size(), 7u);
}

TEST(KernelKey, TheTextSaysTheMix) {
  KernelIdentity identity = base();
  EXPECT_EQ(mixOfKeyText(kernelKey(identity).text()), "");
  identity.mix = {1, 16, 512};
  EXPECT_EQ(mixOfKeyText(kernelKey(identity).text()), "1,16,512");
  EXPECT_EQ(mixOfKeyText("no key"), "");
}

// As the buckets of one layer do, which are of use only together.
TEST(KernelKey, TheTextSaysTheLayer) {
  const auto layerOf = [](const char *problem, std::vector<int64_t> mix,
                          int threads = 2) {
    KernelIdentity identity = base();
    identity.problem = problemOf(problem);
    identity.mix = std::move(mix);
    identity.threads = threads;
    return layerOfKeyText(kernelKey(identity).text());
  };
  const std::string layer = layerOf("1x32:32x16 relu", {1, 16});
  EXPECT_NE(layer, "");
  EXPECT_EQ(layerOf("2..?@16x32:32x16 relu", {1, 16}), layer);
  EXPECT_NE(layerOf("1x32:32x16 relu", {1, 8}), layer);
  EXPECT_NE(layerOf("1x32:32x17 relu", {1, 16}), layer);
  EXPECT_NE(layerOf("1x32:32x16 bias", {1, 16}), layer);
  EXPECT_NE(layerOf("1x32:32x16 relu", {1, 16}, 3), layer);
  EXPECT_EQ(layerOf("1x32:32x16 relu", {}), "");
  EXPECT_EQ(layerOfKeyText("no key"), "");
  EXPECT_EQ(layerOfKeyText(CacheKey({{"mix", "1"}}).text()), "");
  EXPECT_EQ(layerOfKeyText(CacheKey({{"problem", "a"}, {"mix", "1"}}).text()),
            "");
}

TEST(KernelKey, EqualIdentitiesHaveEqualKeys) {
  EXPECT_EQ(kernelKey(base()).text(), kernelKey(base()).text());
  EXPECT_EQ(kernelKey(base()).hash(), kernelKey(base()).hash());
}

} // namespace
} // namespace lintel
