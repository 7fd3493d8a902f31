// What contenders promise on the whole, after a race on slices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Promises.h"

#include <algorithm>
#include <optional>

namespace lintel {

/// Blocks that are larger than the slice were not tried by it; that must be
/// outweighed.
static constexpr double kBlockDoubt = 1.04;

Promises::Promises(const Contest &contest, const Extent &raced, size_t fastest)
    : all(contest.contenders().size()) {
  const Contenders &field = contest.contenders();
  const Problem &problem = contest.problem();
  const auto growthOf = [&](size_t who) {
    const Schedule &schedule = field.scheduleOf(who);
    return growthFromPart(schedule, problem, partOn(raced, schedule, problem),
                          contest.target(), contest.threads());
  };
  const auto sliceTriesBlocks = [&](size_t who) {
    const Schedule &schedule = field.scheduleOf(who);
    return triesBlocks(schedule, problem, partOn(raced, schedule, problem),
                       contest.threads());
  };
  const double usual = growthOf(fastest);
  // The one that promises most of those whose blocks the slice tried.
  std::optional<size_t> tried;
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].onSlice = field.timeOf(i);
    all[i].onWhole = all[i].onSlice * slowdownBeyondPart(growthOf(i), usual);
    if (field[i].alive && has(i) && sliceTriesBlocks(i) &&
        (!tried || all[i].onWhole < all[*tried].onWhole))
      tried = i;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (!has(i) || sliceTriesBlocks(i))
      continue;
    all[i].onWhole *= kBlockDoubt;
    if (tried)
      all[i].onWhole = std::max(
          all[i].onWhole,
          all[*tried].onWhole *
              leastSlowdown(field.scheduleOf(i), field.scheduleOf(*tried),
                            problem, contest.target(), contest.threads()));
  }
}

void Promises::report(Contenders &contenders,
                      const std::vector<size_t> &tried) const {
  for (size_t i = 0; i < all.size(); ++i) {
    if (!has(i) || std::ranges::find(tried, i) != tried.end())
      continue;
    contenders[i].report.medianMicroseconds *= doubt(i);
    contenders[i].report.minMicroseconds *= doubt(i);
  }
}

} // namespace lintel
