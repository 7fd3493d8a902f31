// Whether tuning the same problem again chooses an equally fast kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tunes each problem RUNS times from nothing, then times all the different
// choices against each other at full size. The table goes to stdout, each
// choice to stderr.
#include "CommandLine.h"
#include "Measure.h"
#include "ScheduleContest.h"

#include "Tuning/Statistics.h"
#include "Tuning/Tuner.h"

#include <algorithm>
#include <string>

namespace lintel::bench {
namespace {

constexpr double kTolerance = 1.03;
constexpr double kContestSeconds = 8;

constexpr const char *kUsage =
    R"(repeat_tuning [THREADS [RUNS [[TYPES] PROBLEM...]]]

Tunes each PROBLEM RUNS (20) times from nothing, with THREADS (1) threads, then times
all the different choices against each other. TYPES, as in bf16 or u8s8, are those of
the problems after it.)";

const char *const kProblems[] = {
    "1x4864:4864x896 residual", "8x4864:4864x896 residual",
    "128x768:768x3072 bias+gelu_erf", "512x1024:1024x1024 none"};

/// What repeated tuning chose, and how often.
struct Choices {
  std::vector<Schedule> schedules;
  std::vector<int> counts;
  std::vector<double> milliseconds; ///< of each tuning
  int noisy = 0;

  void add(const TuningResult &result) {
    const Schedule &winner = result.winner().schedule;
    const auto known = std::find(schedules.begin(), schedules.end(), winner);
    const size_t place = known - schedules.begin();
    if (known == schedules.end()) {
      schedules.push_back(winner);
      counts.push_back(0);
    }
    ++counts[place];
    milliseconds.push_back(result.totalMilliseconds);
    noisy += result.noisy();
  }
};

Expected<Choices> tuneRepeatedly(const Machine &machine, const Problem &problem,
                                 int runs) {
  auto tuner = Tuner::create(machine.target, machine.loader, machine.executor);
  if (!tuner)
    return tuner.error();
  TuningOptions options;
  options.threads = machine.threads;
  Choices choices;
  for (int run = 0; run < runs; ++run) {
    Expected<TuningResult> result = (*tuner)->tune(problem, options);
    if (!result)
      return result.error();
    choices.add(*result);
  }
  return choices;
}

int measure(const Machine &machine, const Problem &problem, int runs) {
  Expected<Choices> choices = tuneRepeatedly(machine, problem, runs);
  if (!choices)
    return fail(choices.error().in(problem.text()));
  auto standings =
      holdContest(machine, problem, choices->schedules, kContestSeconds);
  if (!standings)
    return fail(standings.error().in(problem.text()));
  double best = 1, worst = 1;
  for (const Standing &standing : *standings) {
    best = std::min(best, standing.ratioToFirst);
    worst = std::max(worst, standing.ratioToFirst);
  }
  int good = 0;
  for (size_t i = 0; i < standings->size(); ++i)
    if ((*standings)[i].ratioToFirst <= kTolerance * best)
      good += choices->counts[i];
  std::printf("| %s | %d | %zu | %d | %+.1f %% | %d | %.0f ms |\n",
              problem.text().c_str(), runs, choices->schedules.size(), good,
              100 * (worst / best - 1), choices->noisy,
              medianOf(choices->milliseconds));
  std::fflush(stdout);
  for (size_t i = 0; i < standings->size(); ++i)
    std::fprintf(stderr, "%+6.1f %%  %d times  %s\n",
                 100 * ((*standings)[i].ratioToFirst / best - 1),
                 choices->counts[i], choices->schedules[i].text().c_str());
  return 0;
}

int run(const std::vector<std::string> &arguments) {
  CommandLine line(kUsage, arguments);
  const int threads = line.threads();
  const int runs = line.wholeNumber("runs", 20);
  const std::vector<Problem> problems = line.problems(kProblems);
  if (line.exitStatus())
    return *line.exitStatus();
  auto machine = Machine::create(threads);
  if (!machine)
    return fail(machine.error());
  std::printf("| problem | tunings | different choices | within %.0f %% of the "
              "best of them | worst | noisy | a tuning |\n"
              "|---|---|---|---|---|---|---|\n",
              100 * (kTolerance - 1));
  int code = 0;
  for (const Problem &problem : problems) // after one that fails, the others
    code = std::max(code, measure(*machine, problem, runs));
  return code;
}

} // namespace
} // namespace lintel::bench

int main(int argc, char **argv) {
  using namespace lintel::bench;
  return finishOutput(run({argv + 1, argv + argc}));
}
