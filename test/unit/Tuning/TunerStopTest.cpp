// A tuning that is stopped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/TunerFixture.h"

#include "Schedule/SameCode.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <thread>
#include <vector>

using namespace lintel;
using ::testing::HasSubstr;

namespace {

using TunerStopTest = TunerTest;

TEST_F(TunerStopTest, StopsEarlyWithTheBestSoFar) {
  TuningOptions options = quick();
  options.budgetMilliseconds = 60000;
  bool timing = false;
  int samples = 0;
  options.progress = [&](size_t, size_t, std::string_view what) {
    timing |= what == "timing";
    samples += what == "timing";
  };
  options.stop = [&] { return timing; };
  const TuningResult result = tune("64x96:96x80", options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(samples, 1);
  EXPECT_EQ(result.winner().status, CandidateStatus::winner);
  EXPECT_LE(result.maxError, 1);
}

class CountingLoader : public Loader {
public:
  Expected<std::shared_ptr<const Kernel>>
  load(std::span<const std::byte> object, std::string_view symbol) override {
    ++loads;
    return real->load(object, symbol);
  }
  std::atomic<int> loads = 0;

private:
  std::shared_ptr<Loader> real = Loader::create().value();
};

TEST_F(TunerStopTest, CountsOnlyObjectsThatWereCompiled) {
  TuningOptions options = quick();
  // More than there are compilers on most machines.
  options.maxObjects = options.maxCandidates = 64;
  size_t built = 0;
  auto loader = std::make_shared<CountingLoader>();
  options.progress = [&](size_t done, size_t, std::string_view what) {
    if (what == "compiling")
      built = done;
  };
  options.stop = [&] { return built > 0; };
  Expected<TuningResult> result =
      tunerWith(loader)->tune(problemOf("64x96:96x80"), options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_TRUE(result->interrupted);
  EXPECT_EQ(result->objectsCompiled, loader->loads);
  std::vector<Schedule> codes;
  for (const Candidate &candidate : result->candidates)
    if (std::ranges::none_of(codes, [&](const Schedule &code) {
          return sameCode(code, candidate.schedule);
        }))
      codes.push_back(candidate.schedule);
  if (codes.size() > std::thread::hardware_concurrency())
    EXPECT_LT(result->objectsCompiled, static_cast<int>(codes.size()));
}

TEST_F(TunerStopTest, StoppedWhereAllAreWrongSaysWhatIsWrong) {
  TuningOptions options = quick();
  bool isBuilt = false;
  options.progress = [&](size_t done, size_t, std::string_view what) {
    isBuilt |= what == "compiling" && done > 0;
  };
  options.stop = [&] { return isBuilt; };
  // Another worker may build all that is left meanwhile: then all are judged,
  // and nothing was stopped.
  Expected<TuningResult> result =
      Error(ErrorCode::wrongResult, "not tuned yet");
  for (int tries = 0;
       tries < 10 && !result && result.error().code() == ErrorCode::wrongResult;
       ++tries) {
    isBuilt = false;
    result =
        tunerWith(std::make_shared<SabotagingLoader>(Loader::create().value(),
                                                     /*broken=*/100))
            ->tune(problemOf("64x96:96x80"), options);
  }
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::cancelled);
  EXPECT_THAT(result.error().message(), HasSubstr("was not written"));
}

TEST_F(TunerStopTest, StoppedBeforeAnythingIsBuiltSaysSo) {
  TuningOptions options = quick();
  options.stop = [] { return true; };
  Expected<TuningResult> result =
      realTuner()->tune(problemOf("64x96:96x80"), options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::cancelled);
}

} // namespace
