// Who takes the place of a winner that was wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/FirstRight.h"

#include <gmock/gmock.h>

namespace lintel {
namespace {

using testing::ElementsAre;

/// What is chosen of candidates with these outcomes, and who was tried. An
/// interrupt comes during the trial of the one named.
struct Outcome {
  explicit Outcome(const std::vector<Trial> &trials,
                   std::optional<size_t> interrupted = std::nullopt) {
    std::vector<size_t> candidates;
    for (size_t i = 0; i < trials.size(); ++i)
      candidates.push_back(i);
    chosen = firstRight(
        candidates,
        [&](size_t i) {
          tried.push_back(i);
          return trials[i];
        },
        [&] {
          return interrupted && !tried.empty() && tried.back() == *interrupted;
        });
  }

  std::optional<size_t> chosen;
  std::vector<size_t> tried;
};

TEST(FirstRight, IsTheFirst) {
  const Outcome outcome({Trial::wrong, Trial::right, Trial::right});
  EXPECT_EQ(outcome.chosen, 1u);
  EXPECT_THAT(outcome.tried, ElementsAre(0, 1));
}

TEST(FirstRight, WhatCannotBeTriedDoesNotWin) {
  EXPECT_EQ(Outcome({Trial::impossible, Trial::right}).chosen, 1u);
  EXPECT_EQ(Outcome({Trial::impossible, Trial::wrong}).chosen, std::nullopt);
  EXPECT_EQ(Outcome({Trial::impossible}).chosen, std::nullopt);
}

TEST(FirstRight, AnInterruptEndsIt) {
  const Outcome during({Trial::wrong, Trial::wrong, Trial::right}, 1);
  EXPECT_EQ(during.chosen, std::nullopt);
  EXPECT_THAT(during.tried, ElementsAre(0, 1));
  // Nothing is lost of what is right already.
  EXPECT_EQ(Outcome({Trial::right}, 0).chosen, 0u);
}

TEST(FirstRight, OfNobodyIsNobody) {
  EXPECT_EQ(Outcome({}).chosen, std::nullopt);
}

} // namespace
} // namespace lintel
