// A winner meets a kernel that needs less of what busy cores lack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"
#include "unit/Tuning/WrappingLoader.h"

#include "Runtime/Clock.h"
#include "Tuning/Tuner.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace lintel;

namespace {

/// Which kernels pack rows, in the order in which they are loaded, and how much
/// longer than others they take.
std::vector<bool> packs;
double packedTakes = 1;

/// Every call takes a millisecond, or so much longer.
void takeItsTime(const WrappedCall &call) {
  const Clock::time_point start = Clock::now();
  call.run();
  const double microseconds = 1000 * (packs[call.number] ? packedTakes : 1);
  while (microsecondsSince(start) < microseconds)
    ;
}

/// Reads of an object whether it has the function that packs.
class LoaderThatLooks : public WrappingLoader<takeItsTime> {
public:
  Expected<std::shared_ptr<const Kernel>>
  load(std::span<const std::byte> object, std::string_view symbol) override {
    const std::string_view text(reinterpret_cast<const char *>(object.data()),
                                object.size());
    const std::lock_guard lock(mutex);
    packs.push_back(text.find(std::string(symbol) + "_pack") !=
                    std::string_view::npos);
    return WrappingLoader::load(object, symbol);
  }

private:
  std::mutex mutex;
};

class BusyCoreChoice : public ::testing::Test {
protected:
  void SetUp() override {
    if (hostTarget().isa != IsaLevel::avx512)
      GTEST_SKIP() << "this machine cannot run avx512";
  }

  static Expected<TuningResult> tuneFor(const char *cpu, double longer) {
    packs.clear();
    packedTakes = longer;
    Target target = hostTarget();
    target.cpu = cpu;
    auto tuner = Tuner::create(target, std::make_shared<LoaderThatLooks>(),
                               sequentialExecutor())
                     .value();
    TuningOptions options;
    options.threads = 1;
    options.budgetMilliseconds = 500;
    options.maxNeighbours = 2;
    return tuner->tune(problemOf("66x500:500x400 bias"), options);
  }
};

TEST_F(BusyCoreChoice, TakesEmbeddedRowsThatCostALittle) {
  Expected<TuningResult> result = tuneFor("cascadelake", 1.015);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_GT(result->winner().schedule.embed, 0)
      << result->winner().schedule.text();
  // Who was faster says so.
  EXPECT_TRUE(
      std::ranges::any_of(result->candidates, [](const Candidate &candidate) {
        return candidate.schedule.embed == 0 &&
               candidate.reason.find("another hyperthread works") !=
                   std::string::npos;
      }));
}

TEST_F(BusyCoreChoice, LeavesThoseThatCostMore) {
  Expected<TuningResult> result = tuneFor("cascadelake", 1.06);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->winner().schedule.embed, 0)
      << result->winner().schedule.text();
}

TEST_F(BusyCoreChoice, LeavesOtherCoresAlone) {
  Expected<TuningResult> result = tuneFor("znver4", 1);
  ASSERT_TRUE(result) << result.error().message();
  for (const Candidate &candidate : result->candidates)
    EXPECT_EQ(candidate.schedule.embed, 0) << candidate.schedule.text();
}

} // namespace
