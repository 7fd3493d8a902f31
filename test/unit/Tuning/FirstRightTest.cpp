// Who takes the place of a winner that was wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/FirstRight.h"

#include <gmock/gmock.h>

namespace lintel {
namespace {

using testing::ElementsAre;

/// What is chosen of candidates of which some are right, and who was tried. An
/// interrupt comes during the trial of the one named.
struct Outcome {
  explicit Outcome(const std::vector<bool> &right,
                   std::optional<size_t> interrupted = std::nullopt) {
    std::vector<size_t> candidates;
    for (size_t i = 0; i < right.size(); ++i)
      candidates.push_back(i);
    chosen = firstRight(
        candidates,
        [&](size_t i) {
          tried.push_back(i);
          return bool(right[i]);
        },
        [&] {
          return interrupted && !tried.empty() && tried.back() == *interrupted;
        });
  }

  std::optional<size_t> chosen;
  std::vector<size_t> tried;
};

TEST(FirstRight, IsTheFirst) {
  const Outcome outcome({false, true, true});
  EXPECT_EQ(outcome.chosen, 1u);
  EXPECT_THAT(outcome.tried, ElementsAre(0, 1));
}

TEST(FirstRight, AnInterruptEndsIt) {
  const Outcome during({false, false, true}, 1);
  EXPECT_EQ(during.chosen, std::nullopt);
  EXPECT_THAT(during.tried, ElementsAre(0, 1));
  // Nothing is lost of what is right already.
  EXPECT_EQ(Outcome({true}, 0).chosen, 0u);
}

TEST(FirstRight, OfNobodyIsNobody) {
  EXPECT_EQ(Outcome({false, false}).chosen, std::nullopt);
  EXPECT_EQ(Outcome({}).chosen, std::nullopt);
}

} // namespace
} // namespace lintel
