// What is said of a choice that timing could not make sure of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/CapturedLog.h"
#include "unit/Engine/EngineFixture.h"

namespace lintel {
namespace {

using EngineDoubtTest = EngineTest;

TEST_F(EngineDoubtTest, WarnsOfEveryDoubtfulLayerOnce) {
  CapturedLog log;
  auto subject = engine();
  CompileOptions hurried;
  hurried.budgetMilliseconds = 1e-3;
  EXPECT_TRUE(compile(*subject, hurried).report().noisy);
  EXPECT_EQ(log.count("the choice is doubtful: "), 1u);
  EXPECT_EQ(log.count("9x40:40x72 bias+gelu_erf+residual of f32: "), 1u);
  compile(*subject, hurried); // known by now
  EXPECT_EQ(log.count("the choice is doubtful: "), 1u);

  problem = *Problem::parse("?x40:40x72");
  hurried.rows = {1, 4};
  const size_t buckets = compile(*subject, hurried).report().buckets.size();
  EXPECT_EQ(buckets, 2u);
  EXPECT_EQ(log.count("the choice is doubtful: "), 2u);
  EXPECT_EQ(
      log.count("?x40:40x72 of f32: the choice is doubtful: with 1 row: "), 1u);
  EXPECT_EQ(log.count("; with 2..?@4 rows: "), 1u);
}

TEST_F(EngineDoubtTest, OfAPinnedScheduleThereIsNoDoubt) {
  CapturedLog log;
  auto subject = engine();
  CompileOptions pinned;
  pinned.budgetMilliseconds = 1e-3;
  pinned.schedule =
      Schedule{.mr = 2, .nr = subject->internals().target.lanes()}.text();
  EXPECT_EQ(compile(*subject, pinned).report().source, KernelSource::pinned);
  EXPECT_EQ(log.count("doubtful"), 0u);
}

TEST_F(EngineDoubtTest, AdvisesFewerThreadsWhereTheyShareCpus) {
  const auto cores = static_cast<int>(engine()->internals().target.cores);
  CompileOptions hurried;
  hurried.budgetMilliseconds = 1e-3;
  for (const auto &[threads, warnings] :
       {std::pair(cores, 0u), std::pair(cores + 1, 1u)}) {
    CapturedLog log;
    EngineOptions options;
    options.threads = threads;
    compile(*engine(options), hurried);
    EXPECT_EQ(log.count("the choice is doubtful: "), 1u);
    EXPECT_EQ(log.count("or with fewer threads"), warnings) << threads;
  }
}

} // namespace
} // namespace lintel
