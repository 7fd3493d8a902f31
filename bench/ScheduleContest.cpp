// Times a few schedules of one problem against each other, at full size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleContest.h"

#include "MachineTarget.h"

#include "Runtime/Clock.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/Statistics.h"
#include "Tuning/Workbench.h"

namespace lintel::bench {

Expected<Machine> Machine::create(int threads) {
  Expected<Target> target = machineTarget(readHostFacts());
  if (!target)
    return target.error();
  Expected<std::shared_ptr<Loader>> loader = Loader::create();
  if (!loader)
    return loader.error();
  return Machine{*target, std::move(*loader), openMPExecutor(threads), threads};
}

/// Places the schedules' kernels on the workbench; they have the numbers from 0
/// on there.
static Status enter(Workbench &workbench, const Problem &problem,
                    const std::vector<Schedule> &schedules,
                    const std::vector<BuiltKernel> &kernels) {
  for (size_t i = 0; i < schedules.size(); ++i) {
    const Error where(ErrorCode::compile, problem.text() + ", " +
                                              schedules[i].text() + ": " +
                                              kernels[i].fault);
    if (!kernels[i].kernel)
      return where;
    Expected<size_t> added =
        workbench.add(schedules[i], kernels[i].kernel->function());
    if (!added)
      return added.error();
    if (Verdict verdict = workbench.verify(*added); !verdict.right())
      return Error(ErrorCode::wrongResult, verdict.fault)
          .in(schedules[i].text());
  }
  return {};
}

namespace {
/// Times of each schedule, and their ratios to the first's of the same round.
struct Scores {
  std::vector<std::vector<double>> times, ratios;

  explicit Scores(size_t schedules) : times(schedules), ratios(schedules) {}

  /// Every schedule once, in an order that alternates.
  void addRound(Workbench &workbench, int round) {
    const size_t last = times.size() - 1;
    for (size_t position = 0; position <= last; ++position) {
      const size_t i = round % 2 == 0 ? position : last - position;
      times[i].push_back(workbench.time(i));
    }
    for (size_t i = 0; i <= last; ++i)
      ratios[i].push_back(times[i].back() / times.front().back());
  }
};
} // namespace

Expected<std::vector<Standing>>
holdContest(const Machine &machine, const Problem &problem,
            const std::vector<Schedule> &schedules, double seconds) {
  // Where a weight happens to lie in memory can matter more than the schedule.
  constexpr int kPlaces = 3, kFewestRounds = 3, kMostRounds = 100;
  const int64_t rows = problem.rows().typical;
  if (Status fits = checkMemoryOfCalls(problem, schedules, rows); !fits)
    return fits.error().in(problem.text());
  auto factory = KernelFactory::create(machine.target, machine.loader);
  if (!factory)
    return factory.error();
  const std::vector<BuiltKernel> kernels = (*factory)->build(
      problem, schedules, [](size_t) {}, [] { return false; });
  WorkbenchOptions options;
  options.rows = rows;
  options.threads = machine.threads;
  Scores scores(schedules.size());
  for (int place = 0; place < kPlaces; ++place) {
    auto workbench =
        Workbench::create(problem, machine.target, machine.executor, options);
    if (!workbench)
      return workbench.error();
    if (Status entered = enter(**workbench, problem, schedules, kernels);
        !entered)
      return entered.error();
    const double end = millisecondsNow() + 1000 * seconds / kPlaces;
    for (int round = 0; round < kFewestRounds ||
                        (round < kMostRounds && millisecondsNow() < end);
         ++round)
      scores.addRound(**workbench, round);
  }
  std::vector<Standing> standings;
  for (size_t i = 0; i < schedules.size(); ++i)
    standings.push_back(
        {medianOf(scores.times[i]), medianOf(scores.ratios[i])});
  return standings;
}

} // namespace lintel::bench
