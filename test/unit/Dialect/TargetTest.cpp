// The text form of targets, and what each ISA level has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/Target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lintel {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;

constexpr std::string_view kFull =
    "isa=avx512,cpu=znver4,l1=32768,l2=1048576,l3=33554432,cores=2";

Target withIsa(IsaLevel isa) {
  Target target;
  target.isa = isa;
  return target;
}

TEST(Target, ParsesWhatItPrints) {
  Expected<Target> parsed = Target::parse(kFull);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->isa, IsaLevel::avx512);
  EXPECT_EQ(parsed->cpu, "znver4");
  EXPECT_EQ(parsed->l1, 32768);
  EXPECT_EQ(parsed->l2, 1048576);
  EXPECT_EQ(parsed->l3, 33554432);
  EXPECT_EQ(parsed->cores, 2);
  EXPECT_EQ(parsed->text(), kFull);
}

TEST(Target, ExtensionsAreNamedInOneOrder) {
  Expected<Target> parsed =
      Target::parse("extensions=amx-tile+amx-int8+amx-tile,isa=avx512");
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->extensions,
            (std::set{Extension::amxInt8, Extension::amxTile}));
  EXPECT_TRUE(
      parsed->text().ends_with(",cores=1,extensions=amx-int8+amx-tile"));
  EXPECT_THAT(parsed->features(), IsSupersetOf({"amx-int8", "amx-tile"}));
  EXPECT_THAT(parsed->featureString(), HasSubstr("+amx-int8,+amx-tile,+avx"));
  EXPECT_EQ(*Target::parse(parsed->text()), *parsed);
}

TEST(Target, ExtensionsStandOnOthers) {
  for (auto [text, message] :
       {std::pair("isa=avx2,extensions=amx-tile",
                  "extension amx-tile needs isa=avx512, not avx2"),
        std::pair("isa=avx512,extensions=avx512bf16+avxvnni",
                  "extension avxvnni needs isa=avx2, not avx512"),
        std::pair("isa=avx512,extensions=amx-fp16", "need amx-tile too"),
        std::pair("isa=avx512,extensions=", "not ''"),
        std::pair("isa=avx512,extensions=amx-tile+", "not ''"),
        std::pair("isa=avx512,extensions=fma", "not 'fma'")}) {
    Expected<Target> refused = Target::parse(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_THAT(refused.error().message(), HasSubstr(message));
  }
}

TEST(Target, FieldsLeftOutKeepTheirDefaults) {
  Expected<Target> parsed = Target::parse("isa=avx2");
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(*parsed, withIsa(IsaLevel::avx2));
}

TEST(Target, IsaLevelsHaveNames) {
  for (IsaLevel isa : {IsaLevel::x86_64, IsaLevel::avx2, IsaLevel::avx512}) {
    Expected<IsaLevel> parsed = parseIsaLevel(toString(isa));
    ASSERT_TRUE(parsed) << parsed.error().message();
    EXPECT_EQ(*parsed, isa);
  }
  EXPECT_EQ(toString(IsaLevel::avx512), "avx512");
  Expected<IsaLevel> unknown = parseIsaLevel("AVX2");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message(),
            "isa takes x86_64, avx2 or avx512, not 'AVX2'");
}

TEST(Target, KnowsTheRegistersOfEachLevel) {
  Target plain = withIsa(IsaLevel::x86_64), avx2 = withIsa(IsaLevel::avx2),
         avx512 = withIsa(IsaLevel::avx512);
  EXPECT_EQ(plain.vectorBytes(), 16);
  EXPECT_EQ(avx2.vectorBytes(), 32);
  EXPECT_EQ(avx512.vectorBytes(), 64);
  EXPECT_EQ(plain.lanes(), 4);
  EXPECT_EQ(avx2.lanes(), 8);
  EXPECT_EQ(avx512.lanes(), 16);
  EXPECT_EQ(plain.vectorRegisters(), 16);
  EXPECT_EQ(avx2.vectorRegisters(), 16);
  EXPECT_EQ(avx512.vectorRegisters(), 32);
  EXPECT_FALSE(plain.hasFma());
  EXPECT_TRUE(avx2.hasFma());
  EXPECT_TRUE(avx512.hasFma());
  EXPECT_FALSE(plain.hasMaskRegisters());
  EXPECT_FALSE(avx2.hasMaskRegisters());
  EXPECT_TRUE(avx512.hasMaskRegisters());
}

TEST(Target, EachLevelHasTheFeaturesOfThoseBelowIt) {
  std::vector<std::string> plain = withIsa(IsaLevel::x86_64).features();
  std::vector<std::string> avx2 = withIsa(IsaLevel::avx2).features();
  std::vector<std::string> avx512 = withIsa(IsaLevel::avx512).features();
  EXPECT_THAT(avx2, IsSupersetOf(plain));
  EXPECT_THAT(avx512, IsSupersetOf(avx2));
  EXPECT_THAT(plain, testing::Not(testing::Contains("sse3")));
  EXPECT_THAT(avx2, IsSupersetOf({"avx2", "fma", "f16c", "bmi2", "lzcnt"}));
  EXPECT_THAT(avx2, testing::Not(testing::Contains("avx512f")));
  EXPECT_THAT(avx512, IsSupersetOf({"avx512f", "avx512bw", "avx512cd",
                                    "avx512dq", "avx512vl"}));
}

TEST(Target, FeaturesAreSortedAndUnique) {
  for (IsaLevel isa : {IsaLevel::x86_64, IsaLevel::avx2, IsaLevel::avx512}) {
    std::vector<std::string> features = withIsa(isa).features();
    EXPECT_TRUE(std::is_sorted(features.begin(), features.end()));
    EXPECT_EQ(std::adjacent_find(features.begin(), features.end()),
              features.end());
  }
}

TEST(Target, FeatureStringEnablesEachFeature) {
  EXPECT_EQ(withIsa(IsaLevel::x86_64).featureString(),
            "+cx8,+fxsr,+mmx,+sse,+sse2");
}

TEST(Target, EmulatedTilesAreNoFeatures) {
  Expected<Target> parsed =
      Target::parse(std::string(kFull) + ",extensions=amx-bf16+amx-tile");
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_TRUE(parsed->multipliesTilesOf(DType::bf16));
  EXPECT_FALSE(parsed->multipliesTilesOf(DType::f32));
  EXPECT_FALSE(parsed->emulatesTiles());
  EXPECT_THAT(parsed->features(), IsSupersetOf({"amx-bf16", "amx-tile"}));
  parsed->extensions.insert(Extension::amxEmulation);
  EXPECT_TRUE(parsed->check());
  EXPECT_TRUE(parsed->emulatesTiles());
  EXPECT_TRUE(parsed->multipliesTilesOf(DType::bf16));
  EXPECT_EQ(parsed->features(), Target::parse(kFull)->features());
  EXPECT_EQ(*Target::parse(parsed->text()), *parsed);
  parsed->extensions = {Extension::amxEmulation};
  EXPECT_FALSE(parsed->check()) << "emulates nothing";
}

TEST(Target, EmulatedVectorsAreForTheCodeOfAvx2) {
  Target avx2;
  avx2.isa = IsaLevel::avx2;
  Target target;
  target.isa = IsaLevel::avx512;
  target.extensions = {Extension::amxBf16, Extension::amxEmulation,
                       Extension::amxTile};
  EXPECT_EQ(target.levelOfCode(), IsaLevel::avx512);
  target.extensions.insert(Extension::avx512Emulation);
  EXPECT_TRUE(target.check());
  EXPECT_EQ(target.levelOfCode(), IsaLevel::avx2);
  EXPECT_EQ(target.features(), avx2.features());
  EXPECT_EQ(*Target::parse(target.text()), target);
  target.extensions.insert(Extension::avx512Vnni);
  EXPECT_EQ(target.check().error().message(),
            "extension avx512-emulation goes with amx-emulation and with "
            "others of AMX alone, not with avx512vnni");
  target.extensions = {Extension::avx512Emulation};
  EXPECT_FALSE(target.check());
}

TEST(Target, ExtensionsAreTextFeaturesAndPartOfTheTarget) {
  const std::string text =
      std::string(kFull) + ",extensions=avx512bf16+avx512vnni";
  Expected<Target> parsed = Target::parse(text);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_TRUE(parsed->has(Extension::avx512Bf16));
  EXPECT_TRUE(parsed->has(Extension::avx512Vnni));
  EXPECT_EQ(parsed->text(), text);
  EXPECT_THAT(parsed->features(), testing::Contains("avx512bf16"));
  EXPECT_THAT(parsed->features(), testing::Contains("avx512vnni"));
  const Target plain = *Target::parse(kFull);
  EXPECT_FALSE(plain.has(Extension::avx512Bf16));
  EXPECT_THAT(plain.features(), testing::Not(testing::Contains("avx512bf16")));
  EXPECT_NE(plain, *parsed);
}

TEST(Target, QuadsAreMultipliedOnTwoLevels) {
  const Target avx2 = *Target::parse("isa=avx2,extensions=avxvnni");
  EXPECT_TRUE(avx2.multipliesQuads());
  EXPECT_THAT(avx2.features(), testing::Contains("avxvnni"));
  EXPECT_TRUE(avx2.text().ends_with(",extensions=avxvnni"));
  EXPECT_TRUE(
      Target::parse("isa=avx512,extensions=avx512vnni")->multipliesQuads());
  EXPECT_FALSE(withIsa(IsaLevel::avx2).multipliesQuads());
  EXPECT_FALSE(
      Target::parse("isa=avx512,extensions=avx512fp16")->multipliesQuads());
}

TEST(Target, TilesMultiplyTheTypesOfTheirExtensions) {
  const Target half = *Target::parse("isa=avx512,extensions=amx-fp16+amx-tile");
  EXPECT_TRUE(half.multipliesTilesOf(DType::f16));
  EXPECT_FALSE(half.multipliesTilesOf(DType::bf16));
  EXPECT_FALSE(Target::parse("isa=avx512,extensions=amx-bf16+amx-tile")
                   ->multipliesTilesOf(DType::f16));
}

TEST(Target, HalfConversionsComeWithAvx2) {
  EXPECT_FALSE(withIsa(IsaLevel::x86_64).hasHalfConversions());
  EXPECT_TRUE(withIsa(IsaLevel::avx2).hasHalfConversions());
  EXPECT_TRUE(withIsa(IsaLevel::avx512).hasHalfConversions());
}

struct BadText {
  const char *text;
  const char *message;
};
void PrintTo(const BadText &bad, std::ostream *stream) { *stream << bad.text; }

class BadTargetText : public testing::TestWithParam<BadText> {};

TEST_P(BadTargetText, IsRefusedWithTheReason) {
  Expected<Target> parsed = Target::parse(GetParam().text);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code(), ErrorCode::parse);
  EXPECT_THAT(parsed.error().message(), HasSubstr("target '"));
  EXPECT_THAT(parsed.error().message(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Target, BadTargetText,
    testing::Values(BadText{"", "'isa' is missing"},
                    BadText{"cores=2", "'isa' is missing"},
                    BadText{"isa=sse4", "isa takes x86_64, avx2"},
                    BadText{"isa=avx2,isa=avx2", "'isa' is given twice"},
                    BadText{"isa=avx2,smt=2", "a target has no field 'smt'"},
                    BadText{"isa=avx2,cpu=", "cpu takes a name of letters"},
                    BadText{"isa=avx2,cpu=a b", "not 'a b'"},
                    BadText{"isa=avx2,cpu=z\xC3\xA9n", "cpu takes a name"},
                    BadText{"isa=avx2,l1=32K", "l1 takes a number"},
                    BadText{"isa=avx2,l2=0", "l2 takes a number"},
                    BadText{"isa=avx2,l3=-1", "l3 takes a number"},
                    BadText{"isa=avx2,cores=99999999999999999999",
                            "cores takes a number from 1 to 1048576"}));

TEST(Target, CheckFindsEveryFieldOutOfRange) {
  EXPECT_TRUE(Target().check());
  for (int64_t Target::*member :
       {&Target::l1, &Target::l2, &Target::l3, &Target::cores}) {
    for (int64_t value : {int64_t(0), int64_t(-5), (int64_t(1) << 40) + 1}) {
      Target target;
      target.*member = value;
      Status status = target.check();
      ASSERT_FALSE(status) << value;
      EXPECT_THAT(status.error().message(), HasSubstr(std::to_string(value)));
    }
  }
  Target named;
  named.cpu = "znver4\n+amx";
  EXPECT_FALSE(named.check());
}

} // namespace
} // namespace lintel
