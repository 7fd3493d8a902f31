// Who does the shares of a second phase, and when.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/SecondPhase.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

using namespace lintel;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

constexpr Clock::duration kNone{0};
constexpr Clock::duration kLong = std::chrono::seconds(100);

/// The shares that one part was given.
std::vector<int32_t> sharesOf(SecondPhase &phase, int32_t part, int32_t parts,
                              Clock::duration patience) {
  std::vector<int32_t> shares;
  phase.run(part, parts, patience,
            [&](int32_t share, int32_t) { shares.push_back(share); });
  return shares;
}

TEST(SecondPhaseTest, TheLastDoesTheSharesOfThoseThatLeft) {
  SecondPhase phase(3);
  EXPECT_THAT(sharesOf(phase, 2, 4, kNone), IsEmpty());
  EXPECT_THAT(sharesOf(phase, 0, 4, kNone), IsEmpty());
  // Without a share of its own.
  EXPECT_THAT(sharesOf(phase, 1, 4, kNone), IsEmpty());
  EXPECT_THAT(sharesOf(phase, 3, 4, kNone), ElementsAre(0, 1, 2));
}

TEST(SecondPhaseTest, OnePartDoesAll) {
  SecondPhase one(1), several(5);
  EXPECT_THAT(sharesOf(one, 0, 1, kNone), ElementsAre(0));
  // No more shares than parts.
  EXPECT_THAT(sharesOf(several, 0, 1, kNone), ElementsAre(0));
}

TEST(SecondPhaseTest, WhoHasNoShareDoesNotWait) {
  SecondPhase phase(1);
  EXPECT_THAT(sharesOf(phase, 1, 3, kLong), IsEmpty());
  EXPECT_THAT(sharesOf(phase, 2, 3, kLong), IsEmpty());
  EXPECT_THAT(sharesOf(phase, 0, 3, kLong), ElementsAre(0));
}

/// Runs `parts` parts on threads, in which part `impatient`, if there is one,
/// does not wait, and the last one comes when that has left.
std::vector<std::vector<int32_t>> sharesOnThreads(int32_t shares, int32_t parts,
                                                  int32_t impatient) {
  SecondPhase phase(shares);
  std::vector<std::vector<int32_t>> given(static_cast<size_t>(parts));
  std::atomic<bool> left{impatient < 0};
  std::vector<std::thread> threads;
  for (int32_t part = 0; part < parts; ++part)
    threads.emplace_back([&, part] {
      if (part == parts - 1)
        left.wait(false);
      given[size_t(part)] =
          sharesOf(phase, part, parts, part == impatient ? kNone : kLong);
      if (part == impatient) {
        left = true;
        left.notify_all();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  return given;
}

TEST(SecondPhaseTest, WhoWaitsDoesItsOwnShare) {
  for (int round = 0; round < 20; ++round)
    EXPECT_THAT(
        sharesOnThreads(3, 4, -1),
        ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2), IsEmpty()));
}

TEST(SecondPhaseTest, ThoseThatAreThereDoTheSharesOfOthers) {
  for (int round = 0; round < 20; ++round) {
    const auto given = sharesOnThreads(4, 4, 1);
    EXPECT_THAT(given[1], IsEmpty());
    std::vector<int32_t> all;
    for (const std::vector<int32_t> &shares : given)
      all.insert(all.end(), shares.begin(), shares.end());
    EXPECT_THAT(all, testing::UnorderedElementsAre(0, 1, 2, 3));
  }
}

TEST(SecondPhaseTest, SeesWhatAllWroteBefore) {
  constexpr int32_t kParts = 4;
  constexpr Clock::duration kShort = std::chrono::microseconds(5);
  for (int round = 0; round < 200; ++round) {
    // In every other round all meet; in the others some leave.
    const bool allMeet = round % 2 == 0;
    SecondPhase phase(kParts);
    std::vector<int> written(kParts, 0);
    std::vector<int> sums(kParts, 0);
    std::vector<std::thread> threads;
    for (int32_t part = 0; part < kParts; ++part)
      threads.emplace_back([&, part] {
        written[size_t(part)] = part + 1;
        phase.run(part, kParts, allMeet ? kLong : kShort,
                  [&](int32_t share, int32_t count) {
                    EXPECT_EQ(count, kParts);
                    if (allMeet)
                      EXPECT_EQ(share, part);
                    for (const int value : written)
                      sums[size_t(share)] += value;
                  });
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_THAT(sums, Each(1 + 2 + 3 + 4));
  }
}

} // namespace
