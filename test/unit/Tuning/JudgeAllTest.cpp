// The order of judging, and what a refuted reference changes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/JudgeAll.h"
#include "Tuning/WorkerThreads.h"

#include <atomic>
#include <gmock/gmock.h>
#include <latch>
#include <new>
#include <optional>

using namespace lintel;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

Verdict right() { return {}; }
Verdict wrong() {
  Verdict verdict;
  verdict.fault = "wrong";
  return verdict;
}

/// Candidates that compute a number; the oracle sees it only where two differ,
/// as a verifier sees elements outside of its sample.
class Court {
public:
  explicit Court(std::vector<int> answers) : answers(std::move(answers)) {}

  std::vector<bool> judge(int truth) {
    std::vector<bool> verdicts;
    for (const Verdict &verdict : judgeAll(
             answers.size(),
             [&](size_t i) {
               ++judged;
               return judgeOne(answers[i], truth);
             },
             [&] {
               reference.reset();
               ++refuted;
             },
             [&] { return stopsOnceRefuted && refuted > 0; }))
      verdicts.push_back(verdict.right());
    return verdicts;
  }
  int judged = 0, refuted = 0;
  bool stopsOnceRefuted = false;

private:
  Verdict judgeOne(int answer, int truth) {
    Verdict verdict;
    if (!reference)
      reference = answer;
    else if (answer != *reference && answer != truth)
      return wrong();
    else if (answer != *reference)
      verdict.refutesReference = true;
    return verdict;
  }
  std::vector<int> answers;
  std::optional<int> reference;
};

TEST(JudgeAll, KeepsVerdictsInOrder) {
  Court court({5, 5, 6, 5});
  EXPECT_THAT(court.judge(5), ElementsAre(true, true, false, true));
  EXPECT_EQ(court.judged, 4);
}

TEST(JudgeAll, CondemnsAWrongReferenceAndItsFollowers) {
  // The first two agree on a wrong result; only the third shows it.
  Court court({7, 7, 5, 5, 6});
  EXPECT_THAT(court.judge(5), ElementsAre(false, false, true, true, false));
}

TEST(JudgeAll, JudgesFollowersByWhoKnewBetter) {
  std::vector<int> answers(20, 7);
  answers.push_back(5);
  Court court(answers);
  court.judge(5);
  EXPECT_EQ(court.refuted, 1);
  // All, who knew better once more, and the 19 that followed the first.
  EXPECT_EQ(court.judged, 21 + 1 + 19);
}

TEST(JudgeAll, AStopKeepsWhoKnewBetter) {
  Court court({7, 7, 5, 5});
  court.stopsOnceRefuted = true;
  EXPECT_THAT(court.judge(5), ElementsAre(false, false, true, false));
}

TEST(JudgeAll, AStopKeepsWhatIsKnownToBeWrong) {
  size_t refutations = 0;
  const std::vector<Verdict> verdicts = judgeAll(
      4,
      [&](size_t i) {
        Verdict verdict = i == 1 ? wrong() : right();
        verdict.refutesReference = i == 2 && refutations == 0;
        return verdict;
      },
      [&] { ++refutations; }, [&] { return refutations > 0; });
  EXPECT_EQ(verdicts[1].fault, "wrong");
  EXPECT_TRUE(verdicts[1].ran());
  EXPECT_TRUE(verdicts[2].right());
  EXPECT_FALSE(verdicts[3].ran());
}

/// As a kernel whose threads meet: right, then wrong, then right again.
TEST(JudgeAll, WhoIsWrongWhenJudgedAgainStaysSo) {
  int runs = 0;
  const std::vector<Verdict> verdicts = judgeAll(
      2,
      [&](size_t i) {
        if (i == 0)
          return right();
        ++runs;
        Verdict verdict = runs == 2 ? wrong() : right();
        verdict.refutesReference = runs == 1;
        return verdict;
      },
      [] {}, [] { return false; });
  EXPECT_EQ(runs, 2);
  EXPECT_FALSE(verdicts[0].right());
  EXPECT_EQ(verdicts[1].fault, "wrong");
}

TEST(JudgeAll, OfNothingIsNothing) { EXPECT_TRUE(Court({}).judge(1).empty()); }

TEST(JudgeAll, StopsOnlyOnceSomethingIsRight) {
  int judged = 0;
  const std::vector<Verdict> verdicts = judgeAll(
      5, [&](size_t i) { return ++judged, i < 2 ? wrong() : right(); }, [] {},
      [] { return true; });
  EXPECT_EQ(judged, 3);
  EXPECT_TRUE(verdicts[2].right());
  EXPECT_FALSE(verdicts[3].ran());
  EXPECT_THAT(verdicts[4].fault, HasSubstr("interrupted"));
}

TEST(RunOnWorkers, DoesEveryItemOnce) {
  for (size_t workers : {0, 1, 2, 5})
    for (size_t items : {0, 1, 3, 100}) {
      std::vector<std::atomic<int>> done(items);
      std::atomic<size_t> highest{0};
      runOnWorkers(workers, items, [&](size_t worker, size_t item) {
        ++done[item];
        size_t seen = highest;
        while (worker > seen && !highest.compare_exchange_weak(seen, worker))
          ;
      });
      for (const std::atomic<int> &count : done)
        EXPECT_EQ(count, 1);
      EXPECT_LT(highest, std::max<size_t>(1, workers));
    }
}

TEST(RunOnWorkers, HandsWhatAThreadThrowsToTheCaller) {
  for (size_t thrower : {0, 1}) {
    std::latch bothBegan(2);
    std::atomic<int> begun{0};
    EXPECT_THROW(runOnWorkers(2, 1000,
                              [&](size_t worker, size_t) {
                                if (++begun <= 2)
                                  bothBegan.arrive_and_wait();
                                if (worker == thrower)
                                  throw std::bad_alloc();
                              }),
                 std::bad_alloc);
  }
}

TEST(RunOnWorkers, BeginsNothingAfterAnExceptionOfTheOnlyWorker) {
  int begun = 0;
  EXPECT_THROW(runOnWorkers(1, 1000,
                            [&](size_t, size_t) {
                              ++begun;
                              throw std::bad_alloc();
                            }),
               std::bad_alloc);
  EXPECT_EQ(begun, 1);
}

TEST(WorkerExecutorTest, RunsEveryPartOnce) {
  WorkerExecutor executor;
  for (int32_t parts : {1, 2, 5}) {
    std::vector<std::atomic<int>> ran(parts);
    executor.run(
        parts,
        [](void *context, int32_t tid, int32_t nthreads) {
          auto &ran = *static_cast<std::vector<std::atomic<int>> *>(context);
          EXPECT_EQ(static_cast<size_t>(nthreads), ran.size());
          ++ran[tid];
        },
        &ran);
    for (const std::atomic<int> &count : ran)
      EXPECT_EQ(count, 1);
  }
}

} // namespace
