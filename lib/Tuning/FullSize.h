// What stands for the whole, after a race on slices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Contest.h"
#include "Tuning/Promises.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lintel {

/// Chooses who runs at full size, and on how much of the problem, and runs
/// them.
class FullSize {
public:
  /// `raced` is what the race had of the problem.
  FullSize(Contest &contest, const Extent &raced, const Promises &promises)
      : contest(contest), field(contest.contenders()), raced(raced),
        promises(promises) {}

  /// The most promising right ones that were not tried, best first: as many as
  /// can be run at full size, at least one if there is one.
  std::vector<size_t> finalists(const std::vector<size_t> &tried) const;

  /// Verifies contenders at full size and races the right ones there, and with
  /// them who was best there before, if anybody was: of another window, its
  /// time says nothing now. Returns the best, or none if none is right. Fewer
  /// take part where memory is short; what could not run is moved to `unable`.
  /// An error where no more than the slice can be run.
  Expected<std::optional<size_t>> tryOut(std::vector<size_t> &who,
                                         std::optional<size_t> incumbent,
                                         std::vector<size_t> &unable);

  /// Whether a contender is right beyond its slice, as far as that can be told.
  bool isRight(size_t who);

private:
  size_t affordableFinalists(const std::vector<size_t> &who) const;
  std::optional<SlicedColumns>
  columnsFor(const std::vector<Schedule> &schedules) const;
  Extent extentFor(const std::vector<size_t> &who) const;
  bool showsMore(const Extent &extent, const std::vector<size_t> &who) const;
  size_t decide(Arena &arena, const std::vector<size_t> &who,
                std::optional<size_t> incumbent);

  Contest &contest;
  Contenders &field;
  const Extent &raced;
  const Promises &promises;
};

} // namespace lintel
