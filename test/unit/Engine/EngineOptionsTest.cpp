// What an engine is made with, by options and by the environment, and what it
// says of the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/ChooseTarget.h"
#include "Engine/OpenCache.h"
#include "unit/Engine/EngineFixture.h"
#include "unit/Engine/LayerCheck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

namespace lintel {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using EngineOptionsTest = EngineTest;

TEST_F(EngineOptionsTest, RefusesARelativeDirectoryAsTheEnvironmentDoes) {
  EngineOptions options;
  options.cacheDirectory = "rel";
  auto made = Engine::create(std::move(options));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message(),
            "cacheDirectory=rel: must be an absolute "
            "path of less than 4096 bytes, none of them NUL");
}

TEST_F(EngineOptionsTest, EmulationWithoutFmaNamesTheVariables) {
  setenv("LINTEL_EMULATE_AMX", "1", 1);
  setenv("LINTEL_ISA", "x86_64", 1);
  auto made = Engine::create({});
  unsetenv("LINTEL_ISA");
  unsetenv("LINTEL_EMULATE_AMX");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message(),
            "LINTEL_EMULATE_AMX=1 beside LINTEL_ISA=x86_64: AMX is emulated "
            "beside avx512 and avx2 only, not beside x86_64");
}

/// What the features of `isa` and nothing else make of the environment.
std::string whyNoTarget(IsaLevel isa, const Environment &environment) {
  HostFacts facts;
  Target target;
  target.isa = isa;
  for (const std::string &feature : target.features())
    facts.features[feature] = true;
  const Expected<Target> chosen = chooseTarget(facts, environment);
  return chosen ? "" : chosen.error().message();
}

TEST_F(EngineOptionsTest, ALevelThatTheMachineLacksNamesTheVariable) {
  Environment environment;
  environment.isaCap = IsaLevel::avx512;
  EXPECT_THAT(
      whyNoTarget(IsaLevel::avx2, environment),
      StartsWith("LINTEL_ISA=avx512: this machine cannot run avx512: the CPU "
                 "lacks or the operating system does not enable avx512bw"));
  environment.emulateAmx = true;
  EXPECT_EQ(whyNoTarget(IsaLevel::avx512, environment), "");
  environment.isaCap = IsaLevel::avx2;
  EXPECT_EQ(whyNoTarget(IsaLevel::avx2, environment), "");
  environment.isaCap = IsaLevel::x86_64;
  EXPECT_THAT(whyNoTarget(IsaLevel::avx2, environment),
              StartsWith("LINTEL_EMULATE_AMX=1 beside LINTEL_ISA=x86_64: "));
  environment.isaCap.reset();
  EXPECT_THAT(whyNoTarget(IsaLevel::x86_64, environment),
              StartsWith("LINTEL_EMULATE_AMX=1: "));
}

/// What the CPU lacks for any level the variable did not ask for.
TEST_F(EngineOptionsTest, ACpuBelowEveryLevelIsNotTheVariablesFault) {
  Environment environment;
  environment.isaCap = IsaLevel::avx2;
  const Expected<Target> target = chooseTarget(HostFacts(), environment);
  ASSERT_FALSE(target);
  EXPECT_THAT(target.error().message(), StartsWith("this CPU cannot run"));
}

TEST_F(EngineOptionsTest, WithoutADirectoryItWorksInMemory) {
  EngineOptions options;
  options.cacheDirectory = "/proc/no/such/place";
  auto subject = engine(options);
  EXPECT_EQ(subject->host().cacheDirectory, "");
  EXPECT_THAT(subject->host().cacheProblem, HasSubstr("/proc/no"));
  Linear layer = compile(*subject);
  EXPECT_EQ(layer.report().key, "");
  expectRight(layer, 9);
}

// As where descriptors or space run out while a service starts.
TEST_F(EngineOptionsTest, ADirectoryThatFailsAtFirstIsUsedLater) {
  const std::string path = directory.path() + "/cache";
  std::ofstream(path) << "in the way";
  EngineOptions options;
  options.cacheDirectory = path;
  testing::internal::CaptureStderr();
  auto subject = engine(options);
  EXPECT_EQ(compile(*subject).report().key, "");
  const std::string log = testing::internal::GetCapturedStderr();
  const std::string warning = "[lintel] [warn] kernels are kept in memory "
                              "only: " +
                              subject->host().cacheProblem + "\n";
  EXPECT_THAT(log, HasSubstr(warning));
  // Once: neither of the peaks nor of each layer.
  EXPECT_EQ(log.find(path), log.rfind(path)) << log;

  std::filesystem::remove(path);
  CompileOptions again = quick();
  again.retune = true;
  EXPECT_NE(compile(*subject, again).report().key, "");
  EXPECT_EQ(subject->host().cacheProblem, "");
  EXPECT_EQ(subject->host().cacheDirectory, path);
  EXPECT_EQ(compile(*engine(options)).report().source, KernelSource::cache);
}

TEST_F(EngineOptionsTest, WhyThereIsNoDirectoryIsTrueOfTheProcess) {
  EXPECT_THAT(whyNoDirectory(Privileges::plain), HasSubstr("nor HOME is set"));
  const std::string raised = whyNoDirectory(Privileges::raised);
  EXPECT_THAT(raised, HasSubstr("ignores its environment"));
  EXPECT_THAT(raised, HasSubstr("EngineOptions::cacheDirectory"));
}

// Others than OpenMP's threads find other kernels best.
TEST_F(EngineOptionsTest, AnExecutorOfTheCallersHasEntriesOfItsOwn) {
  EngineOptions options;
  const auto executorWith = [&](std::shared_ptr<Executor> executor,
                                int threads) {
    options.executor = std::move(executor);
    options.threads = threads;
    const CacheKey key = engine(options)->internals().keyOf(problem);
    return std::string(
        CacheKey::fieldOfText(key.text(), "executor").value_or("no field"));
  };
  EXPECT_EQ(executorWith(sequentialExecutor(), 2), "callers");
  EXPECT_EQ(executorWith(nullptr, 2), "openmp");
  // Which runs on the calling thread, whatever the executor.
  EXPECT_EQ(executorWith(sequentialExecutor(), 1), "none");
  EXPECT_EQ(executorWith(nullptr, 1), "none");
}

TEST_F(EngineOptionsTest, RefusesImpossibleThreadCounts) {
  for (int threads : {-1, 1025}) {
    EngineOptions options;
    options.threads = threads;
    Expected<std::unique_ptr<Engine>> made = Engine::create(options);
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message(),
                HasSubstr("threads is " + std::to_string(threads)));
  }
}

TEST_F(EngineOptionsTest, TakesThreadsFromTheEnvironment) {
  setenv("LINTEL_THREADS", "3", 1);
  Expected<std::unique_ptr<Engine>> fromEnvironment = Engine::create();
  EngineOptions options;
  options.threads = 1;
  Expected<std::unique_ptr<Engine>> fromOptions = Engine::create(options);
  setenv("LINTEL_THREADS", "many", 1);
  Expected<std::unique_ptr<Engine>> refused = Engine::create();
  unsetenv("LINTEL_THREADS");
  ASSERT_TRUE(fromEnvironment && fromOptions);
  EXPECT_EQ((*fromEnvironment)->threads(), 3);
  EXPECT_EQ((*fromOptions)->threads(), 1);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("LINTEL_THREADS"));
}

TEST_F(EngineOptionsTest, DescribesTheHost) {
  auto subject = engine();
  const HostReport host = subject->host();
  EXPECT_FALSE(host.cpu.empty());
  EXPECT_EQ(host.isa, toString(subject->internals().target.isa));
  EXPECT_EQ(host.target, subject->internals().target.text());
  EXPECT_THAT(host.features, testing::Contains(testing::Key("fma")));
  EXPECT_THAT(host.features, testing::Contains(testing::Key("avx512f")));
  EXPECT_THAT(host.features, testing::Contains(testing::Key("amx-tile")));
  ASSERT_EQ(host.amx.size(), 4u);
  for (const HostCheck &check : host.amx)
    EXPECT_NE(check.detail, "") << check.name;
  EXPECT_EQ(host.cacheDirectory, directory.path());
  EXPECT_EQ(host.cacheProblem, "");
}

} // namespace
} // namespace lintel
