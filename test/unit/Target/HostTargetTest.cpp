// From host facts, real and made up, to a target.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/HostTarget.h"

#include "Target/SystemFile.h"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <string_view>

using namespace lintel;
using testing::HasSubstr;
using testing::Not;

namespace {

HostFacts factsAt(IsaLevel isa) {
  HostFacts facts;
  Target target;
  target.isa = isa;
  for (const std::string &feature : target.features())
    facts.features[feature] = true;
  facts.cpu = "znver4";
  facts.l1 = 48 << 10;
  facts.l2 = 2 << 20;
  facts.l3 = 30 << 20;
  facts.cores = 6;
  return facts;
}

TEST(HostTargetTest, EachLevelIsRecognised) {
  for (IsaLevel isa : {IsaLevel::x86_64, IsaLevel::avx2, IsaLevel::avx512}) {
    Expected<Target> target = targetFromFacts(factsAt(isa), std::nullopt);
    ASSERT_TRUE(target);
    EXPECT_EQ(target->isa, isa);
    EXPECT_EQ(target->cpu, "znver4");
    EXPECT_EQ(target->l1, 48 << 10);
    EXPECT_EQ(target->l2, 2 << 20);
    EXPECT_EQ(target->l3, 30 << 20);
    EXPECT_EQ(target->cores, 6);
    EXPECT_TRUE(target->check());
  }
}

TEST(HostTargetTest, OneMaskedFeatureCostsTheLevel) {
  // A Zen 4 under a hypervisor that hides AVX-512: the name must not decide.
  HostFacts facts = factsAt(IsaLevel::avx512);
  facts.features["avx512bw"] = false;
  EXPECT_EQ(targetFromFacts(facts, std::nullopt)->isa, IsaLevel::avx2);
  facts.features.erase("fma");
  EXPECT_EQ(targetFromFacts(facts, std::nullopt)->isa, IsaLevel::x86_64);
}

TEST(HostTargetTest, AmxIsEmulatedBesideAvx512AndNotWhereItIs) {
  HostFacts facts = factsAt(IsaLevel::avx512);
  Expected<Target> emulating =
      withEmulatedAmx(*targetFromFacts(facts, std::nullopt));
  ASSERT_TRUE(emulating) << emulating.error().message();
  EXPECT_TRUE(emulating->emulatesTiles());
  for (DType weight : {DType::bf16, DType::f16, DType::s8})
    EXPECT_TRUE(emulating->multipliesTilesOf(weight)) << toString(weight);
  EXPECT_TRUE(canRun(facts, *emulating));
  facts.features["amx-tile"] = facts.features["amx-bf16"] = true;
  EXPECT_FALSE(
      withEmulatedAmx(*targetFromFacts(facts, std::nullopt))->emulatesTiles());
  Expected<Target> refused = withEmulatedAmx(
      *targetFromFacts(factsAt(IsaLevel::x86_64), std::nullopt));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(),
              HasSubstr("beside avx512 and avx2 only, not beside x86_64"));
}

TEST(HostTargetTest, AmxBesideAvx2EmulatesVectorsToo) {
  HostFacts facts = factsAt(IsaLevel::avx2);
  facts.features["avxvnni"] = true;
  const Target host = *targetFromFacts(facts, std::nullopt);
  ASSERT_TRUE(host.has(Extension::avxVnni));
  Expected<Target> emulating = withEmulatedAmx(host);
  ASSERT_TRUE(emulating) << emulating.error().message();
  EXPECT_EQ(emulating->isa, IsaLevel::avx512);
  EXPECT_EQ(emulating->levelOfCode(), IsaLevel::avx2);
  EXPECT_TRUE(emulating->emulatesTiles() && emulating->emulatesVectors());
  EXPECT_TRUE(emulating->check());
  EXPECT_TRUE(canRun(facts, *emulating));
}

TEST(HostTargetTest, UsableExtensionsJoinAvx512) {
  HostFacts facts = factsAt(IsaLevel::avx512);
  EXPECT_TRUE(targetFromFacts(facts, std::nullopt)->extensions.empty());
  for (const char *feature : {"amx-tile", "amx-bf16"})
    facts.features[feature] = true;
  facts.features["amx-int8"] = false;
  Expected<Target> target = targetFromFacts(facts, std::nullopt);
  EXPECT_EQ(target->extensions,
            (std::set{Extension::amxBf16, Extension::amxTile}));
  EXPECT_TRUE(target->check());
  EXPECT_TRUE(canRun(facts, *target));
  EXPECT_TRUE(targetFromFacts(facts, IsaLevel::avx2)->extensions.empty());
  facts.features["amx-tile"] = false;
  EXPECT_FALSE(canRun(facts, *target));
  EXPECT_TRUE(targetFromFacts(facts, std::nullopt)->extensions.empty());
}

TEST(HostTargetTest, ProductsOfPairsAndQuadsNeedNoTiles) {
  for (const auto &[feature, extension] :
       {std::pair("avx512bf16", Extension::avx512Bf16),
        std::pair("avx512fp16", Extension::avx512Fp16),
        std::pair("avx512vnni", Extension::avx512Vnni)}) {
    HostFacts facts = factsAt(IsaLevel::avx512);
    facts.features[feature] = true;
    const Target extended = *targetFromFacts(facts, std::nullopt);
    EXPECT_TRUE(extended.has(extension));
    EXPECT_FALSE(extended.has(Extension::amxTile));
    EXPECT_TRUE(extended.check());
    EXPECT_TRUE(targetFromFacts(facts, IsaLevel::avx2)->extensions.empty());
    // Code for one machine does not run on another without the extension.
    facts.features[feature] = false;
    EXPECT_FALSE(canRun(facts, extended));
  }
}

TEST(HostTargetTest, AvxVnniBelongsToAvx2) {
  HostFacts facts = factsAt(IsaLevel::avx512);
  facts.features["avxvnni"] = true;
  EXPECT_TRUE(targetFromFacts(facts, std::nullopt)->extensions.empty());
  const Target capped = *targetFromFacts(facts, IsaLevel::avx2);
  EXPECT_EQ(capped.extensions, (std::set{Extension::avxVnni}));
  EXPECT_TRUE(capped.check());
  EXPECT_TRUE(targetFromFacts(facts, IsaLevel::x86_64)->extensions.empty());
  facts.features["avxvnni"] = false;
  EXPECT_FALSE(canRun(facts, capped));
}

TEST(HostTargetTest, ACapLowersTheLevel) {
  HostFacts facts = factsAt(IsaLevel::avx512);
  EXPECT_EQ(targetFromFacts(facts, IsaLevel::x86_64)->isa, IsaLevel::x86_64);
  EXPECT_EQ(targetFromFacts(facts, IsaLevel::avx2)->isa, IsaLevel::avx2);
  EXPECT_EQ(targetFromFacts(facts, IsaLevel::avx512)->isa, IsaLevel::avx512);
}

TEST(HostTargetTest, ACapThatTheMachineCannotRunSaysWhy) {
  HostFacts facts = factsAt(IsaLevel::avx512);
  facts.features["avx512dq"] = false;
  Expected<Target> target = targetFromFacts(facts, IsaLevel::avx512);
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().code(), ErrorCode::unsupported);
  EXPECT_THAT(target.error().message(), HasSubstr("cannot run avx512"));
  EXPECT_THAT(target.error().message(), HasSubstr("avx512dq"));
  EXPECT_THAT(target.error().message(), Not(HasSubstr("avx512bw")));
  EXPECT_THAT(target.error().message(), HasSubstr("can run is avx2"));
}

TEST(HostTargetTest, AMachineBelowEveryLevelIsRefused) {
  Expected<Target> target = targetFromFacts(HostFacts(), std::nullopt);
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().code(), ErrorCode::unsupported);
  EXPECT_THAT(target.error().message(), HasSubstr("sse2"));
}

TEST(HostTargetTest, UnknownFactsGetConservativeDefaults) {
  HostFacts facts = factsAt(IsaLevel::avx2);
  facts.cpu = "";
  facts.l1 = facts.l2 = facts.l3 = 0;
  facts.cores = 0;
  Expected<Target> target = targetFromFacts(facts, std::nullopt);
  ASSERT_TRUE(target);
  EXPECT_EQ(target->cpu, "generic");
  EXPECT_EQ(target->l1, 32 << 10);
  EXPECT_EQ(target->l2, 256 << 10);
  EXPECT_EQ(target->l3, 4 << 20);
  EXPECT_EQ(target->cores, 1);
  facts.l2 = 8 << 20;
  EXPECT_EQ(targetFromFacts(facts, std::nullopt)->l3, 8 << 20);
}

TEST(HostTargetTest, CanRunWantsEveryFeature) {
  Target target;
  target.isa = IsaLevel::avx512;
  HostFacts facts = factsAt(IsaLevel::avx512);
  EXPECT_TRUE(canRun(facts, target));
  for (const std::string &feature : target.features()) {
    HostFacts masked = facts;
    masked.features[feature] = false;
    EXPECT_FALSE(canRun(masked, target)) << feature;
    masked.features.erase(feature);
    EXPECT_FALSE(canRun(masked, target)) << feature;
  }
}

/// What the kernel tells of the first CPU, if it does.
std::optional<int> toldByKernel(std::string_view name) {
  std::ifstream file = openSystemFile("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name))
      return std::stoi(line.substr(name.size()));
  return std::nullopt;
}

/// With the extended fields, of which every server CPU of today has one.
TEST(HostTargetTest, FamilyAndModelAreAsTheKernelHasThem) {
  const std::optional<int> family = toldByKernel("cpu family\t: "),
                           model = toldByKernel("model\t\t: ");
  if (!family || !model)
    GTEST_SKIP() << "the kernel tells neither family nor model";
  const HostFacts facts = readHostFacts();
  EXPECT_EQ(facts.family, *family);
  EXPECT_EQ(facts.familyModel, *model);
}

TEST(HostTargetTest, ThisMachine) {
  EXPECT_FALSE(readHostFacts(IsaLevel::avx2).amx.asked);
  EXPECT_TRUE(readHostFacts(IsaLevel::avx512).amx.asked);
  HostFacts facts = readHostFacts();
  EXPECT_TRUE(facts.amx.asked);
  EXPECT_FALSE(facts.cpu.empty());
  EXPECT_FALSE(facts.model.empty());
  EXPECT_GE(facts.cores, 1);
  Expected<Target> target = targetFromFacts(facts, std::nullopt);
  ASSERT_TRUE(target) << target.error().message();
  EXPECT_TRUE(canRun(facts, *target));
  EXPECT_TRUE(target->check());
  EXPECT_EQ(target->isa >= IsaLevel::avx2,
            __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
  EXPECT_EQ(target->isa == IsaLevel::avx512,
            __builtin_cpu_supports("avx512f") &&
                __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512cd") &&
                __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512vl"));
}

} // namespace
