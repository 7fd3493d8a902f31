// How far the tuner's choice is from the best of all schedules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tunes each problem as a user would; then races every schedule of the search
// space for SECONDS; then times the tuner's choice against the best few of that
// at full size.
#include "CommandLine.h"
#include "Measure.h"
#include "ScheduleContest.h"

#include "Schedule/Ranking.h"
#include "Tuning/Tuner.h"

#include <algorithm>
#include <limits>
#include <string>

namespace lintel::bench {
namespace {

constexpr double kTolerance = 1.03;
/// Of the exhaustive race; the best of them at full size is the best of all.
constexpr size_t kRivals = 4;
constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();

constexpr const char *kUsage =
    R"(exhaustive_race [THREADS [SECONDS [[TYPES] PROBLEM...]]]

Tunes each PROBLEM as a user would, with THREADS (1) threads; races its whole search
space for SECONDS (20); then times the tuner's choice against the best of that.
Only problems whose whole space was timed are counted.
TYPES, as in bf16 or u8s8, are those of the problems after it.)";

const char *const kProblems[] = {
    "1x4864:4864x896 residual",       "1x1024:1024x1024 bias+relu",
    "3x2048:2048x2048 residual",      "8x4864:4864x896 residual",
    "16x7168:7168x1536 none",         "49x512:512x2048 bias+residual+relu",
    "197x768:768x2304 bias",          "128x4096:4096x12288 none",
    "384x768:768x3072 bias+gelu_erf", "1000x1024:1024x324 bias"};

/// The tuner's choice first, then its best rivals.
std::vector<Schedule> contestants(const TuningResult &tuned,
                                  const TuningResult &all) {
  std::vector<Schedule> schedules{tuned.winner().schedule};
  for (const Candidate &candidate : all.candidates)
    if (schedules.size() <= kRivals && candidate.medianMicroseconds > 0 &&
        !(candidate.schedule == schedules.front()))
      schedules.push_back(candidate.schedule);
  return schedules;
}

size_t timedOf(const TuningResult &result) {
  return size_t(
      std::ranges::count_if(result.candidates, [](const Candidate &one) {
        return one.medianMicroseconds > 0;
      }));
}

/// Whether the race had no time for some; what cannot run says why.
bool leftSomeUntimed(const TuningResult &result) {
  return std::ranges::any_of(result.candidates, [](const Candidate &one) {
    return one.medianMicroseconds <= 0 && one.reason.empty();
  });
}

/// What the tuner's choices are worth. Where others of the space were not
/// timed, one of them may be the best.
struct Tally {
  size_t good = 0, judged = 0;
  std::vector<std::string> unfinished; ///< the problems, and how much was timed

  void print(double seconds) const {
    std::printf("\n%zu of %zu choices are within %.0f %% of the best\n", good,
                judged, 100 * (kTolerance - 1));
    if (unfinished.empty())
      return;
    std::printf("not counted, as %g s had not room for all schedules (give "
                "more SECONDS):\n",
                seconds);
    for (const std::string &one : unfinished)
      std::printf("  %s\n", one.c_str());
  }
};

/// Prints a line and counts the choice; an error where nothing was there to
/// tell by.
Status measure(Tuner &tuner, const Machine &machine, double seconds,
               const Problem &problem, Tally &tally) {
  TuningOptions usual;
  usual.threads = machine.threads;
  Expected<TuningResult> tuned = tuner.tune(problem, usual);
  if (!tuned)
    return tuned.error();
  TuningOptions exhaustive = usual;
  exhaustive.maxCandidates = exhaustive.maxObjects = kNoLimit;
  exhaustive.budgetMilliseconds = 1000 * seconds;
  Expected<TuningResult> all = tuner.tune(problem, exhaustive);
  if (!all)
    return all.error();
  const std::vector<Schedule> schedules = contestants(*tuned, *all);
  if (schedules.size() < 2 && all->candidates.size() > 1)
    return Error(ErrorCode::internal,
                 "none of " + std::to_string(all->candidates.size()) +
                     " schedules was timed beside the choice; give the race "
                     "more SECONDS");
  auto standings = holdContest(machine, problem, schedules, seconds / 3);
  if (!standings)
    return standings.error();
  const auto best = std::min_element(standings->begin(), standings->end(),
                                     [](const Standing &a, const Standing &b) {
                                       return a.ratioToFirst < b.ratioToFirst;
                                     });
  const double behind = 1 / best->ratioToFirst;
  std::printf("| %s | %zu of %zu | %.0f ms | %.1f us | %.1f us | %+.1f %% | %s "
              "| %s |\n",
              problem.text().c_str(), timedOf(*all), all->candidates.size(),
              tuned->totalMilliseconds, standings->front().microseconds,
              best->microseconds, 100 * (behind - 1),
              schedules.front().text().c_str(),
              schedules[best - standings->begin()].text().c_str());
  std::fflush(stdout);
  if (leftSomeUntimed(*all)) {
    tally.unfinished.push_back(problem.text() + " (" +
                               std::to_string(timedOf(*all)) + " of " +
                               std::to_string(all->candidates.size()) + ")");
    return {};
  }
  ++tally.judged;
  tally.good += behind <= kTolerance;
  return {};
}

int run(const std::vector<std::string> &arguments) {
  CommandLine line(kUsage, arguments);
  const int threads = line.threads();
  const double seconds = line.positiveNumber("seconds", 20);
  const std::vector<Problem> problems = line.problems(kProblems);
  if (line.exitStatus())
    return *line.exitStatus();
  auto machine = Machine::create(threads);
  if (!machine)
    return fail(machine.error());
  auto tuner =
      Tuner::create(machine->target, machine->loader, machine->executor);
  if (!tuner)
    return fail(tuner.error());
  std::printf(
      "| problem | schedules timed | tuned in | choice | best of all | behind "
      "| choice | best |\n|---|---|---|---|---|---|---|---|\n");
  Tally tally;
  int code = 0;
  for (const Problem &problem : problems)
    if (Status measured = measure(**tuner, *machine, seconds, problem, tally);
        !measured) // the others took minutes, or will
      code = fail(measured.error().in(problem.text()));
  tally.print(seconds);
  if (tally.judged == 0)
    code = 1; // nothing is known of any
  return code;
}

} // namespace
} // namespace lintel::bench

int main(int argc, char **argv) {
  using namespace lintel::bench;
  return finishOutput(run({argv + 1, argv + argc}));
}
