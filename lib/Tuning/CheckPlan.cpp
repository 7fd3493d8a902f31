// On which rows each candidate of a check meets the oracle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/CheckPlan.h"

#include "Problem/ProblemTitle.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/RacePlan.h"
#include "Tuning/RaceRows.h"

#include <algorithm>
#include <numeric>

namespace lintel {

/// Up to this many multiplications a candidate is run on all rows.
static constexpr double kQuickMultiplications = 4e8;
/// An output takes as long as so many multiplications in the oracle, most of it
/// for memory that is touched for the first time.
static constexpr double kMultiplicationsOfOutput = 200;

/// What checking all rows takes, in multiplications.
static double effort(const Problem &problem) {
  return static_cast<double>(problem.rows().typical) *
         static_cast<double>(problem.n()) *
         (static_cast<double>(problem.k()) + kMultiplicationsOfOutput);
}

/// True if a kernel runs each of its micro-kernels on `rows` rows, or, for a
/// dynamic M, on the first of them.
static bool runsEveryStrip(const Schedule &schedule, const Problem &problem,
                           int64_t rows) {
  if (problem.m())
    return exercisesSameStrips(schedule.mr, problem, rows);
  return rows >= std::min(schedule.mr, problem.rows().typical);
}

static int64_t fewestRows(const Schedule &schedule, const Problem &problem) {
  int64_t rows = std::max<int64_t>(1, problem.m() ? 1 : problem.rows().least);
  while (rows < problem.rows().typical &&
         !runsEveryStrip(schedule, problem, rows))
    ++rows;
  return rows;
}

/// The candidates of `left` that can be checked on rows that suit most of them;
/// none if those rows suit nobody.
static Expected<CheckRound> commonRound(const Problem &problem,
                                        const std::vector<Schedule> &schedules,
                                        const std::vector<size_t> &left,
                                        double predictedMicroseconds,
                                        int64_t memory) {
  std::vector<Schedule> racing;
  for (size_t i : left)
    racing.push_back(schedules[i]);
  Expected<RowPlan> plan =
      planRows(problem, racing, shareToRun(predictedMicroseconds), memory);
  if (!plan)
    return plan.error();
  CheckRound round{plan->rows, {}};
  for (size_t i = 0; i < left.size(); ++i)
    if (plan->obstacles[i].empty() &&
        runsEveryStrip(racing[i], problem, plan->rows))
      round.schedules.push_back(left[i]);
  return round;
}

/// The first candidate of `left`, on as few rows as it can be checked on, with
/// those that these rows and the same packed weight suit as well.
static CheckRound ownRound(const Problem &problem,
                           const std::vector<Schedule> &schedules,
                           const std::vector<size_t> &left) {
  const Schedule &first = schedules[left.front()];
  CheckRound round{fewestRows(first, problem), {}};
  for (size_t i : left)
    if (schedules[i].panel() == first.panel() &&
        runsEveryStrip(schedules[i], problem, round.rows))
      round.schedules.push_back(i);
  return round;
}

static std::string noMemoryForRows(int64_t rows, int64_t bytes,
                                   int64_t memory) {
  return "checking it on " + std::to_string(rows) +
         (rows == 1 ? " row " : " rows ") + lackOfMemory(bytes, memory);
}

Expected<CheckPlan> planCheck(const Problem &problem,
                              const std::vector<Schedule> &schedules,
                              double predictedMicroseconds, int64_t memory) {
  if (effort(problem) <= kQuickMultiplications)
    predictedMicroseconds = 0;
  CheckPlan plan;
  plan.obstacles.resize(schedules.size());
  std::vector<size_t> left(schedules.size());
  std::iota(left.begin(), left.end(), size_t(0));
  const auto bytesOf = [&](const CheckRound &round) {
    const int64_t packed =
        packedBytes(problem, schedules[round.schedules.front()].panel());
    return MemoryNeed::of(problem, schedules).bytes(round.rows, packed);
  };
  const auto fits = [&](const CheckRound &round) {
    return bytesOf(round) <= memory;
  };
  while (!left.empty()) {
    Expected<CheckRound> round =
        commonRound(problem, schedules, left, predictedMicroseconds, memory);
    if (!round || round->schedules.empty() || !fits(*round))
      round = ownRound(problem, schedules, left);
    const int64_t needed = bytesOf(*round);
    const bool isRun = needed <= memory;
    // Those that take fewer rows may still fit; the first takes as many.
    if (!isRun)
      std::erase_if(round->schedules, [&](size_t i) {
        return fewestRows(schedules[i], problem) < round->rows;
      });
    std::erase_if(left, [&](size_t i) {
      return std::binary_search(round->schedules.begin(),
                                round->schedules.end(), i);
    });
    if (isRun)
      plan.rounds.push_back(std::move(*round));
    else
      for (size_t i : round->schedules)
        plan.obstacles[i] = noMemoryForRows(round->rows, needed, memory);
  }
  if (plan.rounds.empty())
    return Error(ErrorCode::io,
                 problemTitle(problem.text()) + ": nothing can be checked: " +
                     schedules.front().text() + ": " + plan.obstacles.front());
  return plan;
}

} // namespace lintel
