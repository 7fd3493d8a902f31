// How many rows to race on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/RaceRows.h"

#include "Schedule/Strips.h"

#include <algorithm>
#include <set>

namespace lintel {

/// How far above the wanted size a better slice is looked for.
static constexpr int64_t kSearchFactor = 4;
static constexpr int64_t kSearchRows = 4096;

/// The strips of `rows` rows in a kernel made for the problem's known M: it
/// cuts by the tallest strip it has.
static Strips stripsOn(int64_t mr, const Problem &problem, int64_t rows) {
  return cutIntoStrips(cutIntoStrips(mr, *problem.m()).tall, rows);
}

bool exercisesSameStrips(int64_t mr, const Problem &problem, int64_t rows) {
  if (!problem.m())
    return problem.rows().contains(rows);
  const Strips all = cutIntoStrips(mr, *problem.m());
  const Strips some = stripsOn(mr, problem, rows);
  return some.tall == all.tall && some.someShort == all.someShort;
}

bool canRunOnRows(int64_t mr, const Problem &problem, int64_t rows) {
  if (!problem.m())
    return problem.rows().contains(rows);
  const Strips all = cutIntoStrips(mr, *problem.m());
  const Strips some = stripsOn(mr, problem, rows);
  // The kernel reads as many rows of every strip as of the tallest, which must
  // therefore come last, unless short ones have a micro-kernel of their own;
  // and it tells short ones apart only if M has some.
  return some.tall == all.tall && (all.someShort || !some.someShort);
}

int64_t sliceRows(const Problem &problem,
                  const std::vector<Schedule> &schedules, int64_t wanted) {
  const int64_t all = problem.rows().typical;
  if (wanted >= all)
    return all;
  wanted = std::max<int64_t>(1, wanted);
  if (!problem.m())
    return std::clamp(wanted, problem.rows().least, problem.rows().most);
  std::multiset<int64_t> heights;
  for (const Schedule &schedule : schedules)
    heights.insert(schedule.mr);
  const int64_t last =
      std::min(all, std::min(wanted * kSearchFactor, wanted + kSearchRows));
  int64_t best = wanted;
  std::ptrdiff_t most = -1;
  for (int64_t rows = wanted; rows <= last; ++rows) {
    const std::ptrdiff_t fitting =
        std::count_if(heights.begin(), heights.end(), [&](int64_t mr) {
          return exercisesSameStrips(mr, problem, rows);
        });
    if (fitting > most) {
      most = fitting;
      best = rows;
    }
    if (fitting == static_cast<std::ptrdiff_t>(heights.size()))
      break;
  }
  return best;
}

} // namespace lintel
