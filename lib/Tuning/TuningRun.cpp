// One problem on its way through compiling, verifying and timing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/TuningRun.h"

#include "Runtime/Log.h"
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/JudgeAll.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/RacePlan.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace lintel {

/// Share of the budget kept for the race of the best few on all rows.
static constexpr double kConfirmationShare = 0.3;
static constexpr size_t kFinalists = 3;
/// Runs of each finalist that must fit for a confirmation to be worth it.
static constexpr double kConfirmationRuns = 4;
static bool sharesObject(const Schedule &a, const Schedule &b) {
  return a.codeText() == b.codeText();
}

TuningRun::TuningRun(const Problem &problem,
                     const std::vector<Schedule> &schedules,
                     const TuningContext &context, const TuningOptions &options)
    : problem(problem), context(context), options(options) {
  for (const Schedule &schedule : schedules) {
    Contender contender;
    contender.report.schedule = schedule;
    contenders.push_back(std::move(contender));
  }
}

//===----------------------------------------------------------------------===//
// Bookkeeping
//===----------------------------------------------------------------------===//

double TuningRun::since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

bool TuningRun::stopped() {
  if (!interrupted && options.stop && options.stop())
    interrupted = true;
  return interrupted;
}

void TuningRun::progress(size_t done, size_t total,
                         std::string_view what) const {
  if (options.progress)
    options.progress(done, total, what);
}

void TuningRun::exclude(Contender &contender, CandidateStatus status,
                        std::string reason) {
  contender.alive = false;
  contender.report.status = status;
  logger()->debug("{} {}: {}: {}", problem.text(),
                  contender.report.schedule.text(), toString(status), reason);
  contender.report.reason = std::move(reason);
}

std::vector<size_t> TuningRun::alive() const {
  std::vector<size_t> who;
  for (size_t i = 0; i < contenders.size(); ++i)
    if (contenders[i].alive)
      who.push_back(i);
  return who;
}

Error TuningRun::nothingRight() const {
  if (interrupted)
    return Error(ErrorCode::cancelled,
                 problem.text() + ": interrupted before a kernel was verified");
  const auto first =
      std::find_if(contenders.begin(), contenders.end(),
                   [](const Contender &c) { return !c.report.reason.empty(); });
  if (first == contenders.end())
    return Error(ErrorCode::internal, problem.text() + ": no schedule");
  const ErrorCode code = first->report.status == CandidateStatus::wrong
                             ? ErrorCode::wrongResult
                             : ErrorCode::compile;
  return Error(
      code, problem.text() + ": none of " + std::to_string(contenders.size()) +
                " schedules gave a right kernel; " +
                first->report.schedule.text() + ": " + first->report.reason);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

std::vector<Schedule> TuningRun::schedules() const {
  std::vector<Schedule> all;
  for (const Contender &contender : contenders)
    all.push_back(contender.report.schedule);
  return all;
}

/// Of the first candidate.
double TuningRun::predictedMicroseconds() const {
  return predictMicroseconds(contenders.front().report.schedule, problem,
                             context.target, options.threads);
}

Status TuningRun::plan() {
  Expected<RacePlan> race =
      planRace(problem, schedules(), predictedMicroseconds(), usableMemory());
  if (!race)
    return race.error();
  rows = race->rows;
  for (size_t i = 0; i < contenders.size(); ++i)
    if (!race->obstacles[i].empty())
      exclude(contenders[i], CandidateStatus::dropped, race->obstacles[i]);
  return {};
}

void TuningRun::build() {
  const Clock::time_point start = Clock::now();
  for (size_t i : alive()) {
    Contender &contender = contenders[i];
    const Schedule &schedule = contender.report.schedule;
    contender.kernel = std::find_if(codes.begin(), codes.end(),
                                    [&](const Schedule &code) {
                                      return sharesObject(code, schedule);
                                    }) -
                       codes.begin();
    if (contender.kernel == codes.size())
      codes.push_back(schedule);
  }
  kernels = context.factory.build(
      problem, codes,
      [&](size_t done) { progress(done, codes.size(), "compiling"); },
      [&] { return stopped(); });
  for (size_t i : alive())
    if (const BuiltKernel &kernel = kernels[contenders[i].kernel];
        !kernel.kernel)
      exclude(contenders[i], CandidateStatus::failed, kernel.fault);
  compileMilliseconds = since(start);
}

//===----------------------------------------------------------------------===//
// Verifying
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<Workbench>> TuningRun::workbench(int64_t benchRows,
                                                          Fill fill) {
  WorkbenchOptions bench;
  bench.rows = benchRows;
  bench.fill = fill;
  bench.threads = options.threads;
  bench.workers = context.factory.workers();
  return Workbench::create(problem, context.target, context.executor, bench);
}

void TuningRun::accept(size_t who, const Verdict &verdict) {
  Contender &contender = contenders[who];
  contender.report.maxError =
      std::max(contender.report.maxError, verdict.maxError);
  if (!verdict.right())
    exclude(contender,
            verdict.ran   ? CandidateStatus::wrong
            : interrupted ? CandidateStatus::dropped
                          : CandidateStatus::failed,
            verdict.fault);
}

/// Adds the contenders to the workbench and judges them.
void TuningRun::verify(Workbench &bench, std::vector<size_t> who) {
  std::set<PanelShape> widths;
  for (size_t i : who)
    widths.insert(contenders[i].report.schedule.panel());
  bench.packWeights({widths.begin(), widths.end()});
  std::erase_if(who, [&](size_t i) {
    Contender &contender = contenders[i];
    Expected<size_t> added =
        bench.add(contender.report.schedule,
                  kernels[contender.kernel].kernel->function());
    if (added)
      contender.bench = *added;
    else
      exclude(contender, CandidateStatus::failed, added.error().message());
    return !added;
  });
  const std::vector<Verdict> verdicts = judgeAll(
      who.size(),
      [&](size_t i) {
        progress(i, who.size(), "verifying");
        return bench.verify(contenders[who[i]].bench);
      },
      [&] { bench.forgetReference(); }, [&] { return stopped(); });
  for (size_t i = 0; i < who.size(); ++i)
    accept(who[i], verdicts[i]);
}

/// A kernel for a dynamic M has micro-kernels that the planned rows do not
/// reach. `verdicts` has one for each object already judged.
bool TuningRun::stripsAreRight(Workbench &bench, size_t who,
                               std::vector<std::optional<Verdict>> &verdicts) {
  if (problem.m())
    return true;
  std::optional<Verdict> &verdict = verdicts[contenders[who].kernel];
  if (!verdict)
    verdict = bench.verifyStrips(contenders[who].bench);
  accept(who, *verdict);
  return verdict->right();
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

RaceResult TuningRun::raceOn(Workbench &bench, const std::vector<size_t> &who,
                             double budget) {
  const Clock::time_point start = Clock::now();
  RaceOptions raceOptions;
  raceOptions.budgetMilliseconds = budget;
  RaceResult result = race(
      who.size(),
      [&](size_t i) {
        progress(static_cast<size_t>(since(start)), static_cast<size_t>(budget),
                 "timing");
        return bench.time(contenders[who[i]].bench);
      },
      [&] { return since(start); }, [&] { return stopped(); }, raceOptions);
  timeMilliseconds += since(start);
  return result;
}

/// Returns the winner; contenders get their times, scaled to all rows.
size_t TuningRun::raceOnSlice(Workbench &bench) {
  const std::vector<size_t> who = alive();
  const int64_t all = planningRows(problem);
  const double share = rows < all ? 1 - kConfirmationShare : 1;
  const RaceResult result =
      raceOn(bench, who, share * options.budgetMilliseconds);
  const double scale = static_cast<double>(all) / static_cast<double>(rows);
  for (size_t i = 0; i < who.size(); ++i) {
    Candidate &report = contenders[who[i]].report;
    report.status =
        result.dropped[i] ? CandidateStatus::dropped : CandidateStatus::timed;
    report.medianMicroseconds = result.laps[i].median() * scale;
    report.minMicroseconds = result.laps[i].minimum() * scale;
  }
  return who[result.winner];
}

/// The right ones, fastest first; what was never timed comes last.
std::vector<size_t> TuningRun::fastestFirst() const {
  std::vector<size_t> who = alive();
  auto rank = [&](size_t i) {
    const double median = contenders[i].report.medianMicroseconds;
    return std::tuple(median <= 0, median, i);
  };
  std::sort(who.begin(), who.end(),
            [&](size_t a, size_t b) { return rank(a) < rank(b); });
  return who;
}

/// The winner, or, where a micro-kernel of its object is wrong, the next best
/// whose are right.
size_t TuningRun::firstWithRightStrips(Workbench &bench, size_t winner) {
  std::vector<std::optional<Verdict>> verdicts(kernels.size());
  while (!stripsAreRight(bench, winner, verdicts)) {
    const std::vector<size_t> others = fastestFirst();
    if (others.empty())
      break;
    winner = others.front();
  }
  return winner;
}

bool TuningRun::confirmationFits(const std::vector<size_t> &who,
                                 double budget) const {
  double microseconds = 0;
  std::set<PanelShape> widths;
  for (size_t i : who) {
    microseconds += kConfirmationRuns * contenders[i].report.medianMicroseconds;
    widths.insert(contenders[i].report.schedule.panel());
  }
  const int64_t memory = MemoryNeed::of(problem).bytes(
      planningRows(problem), static_cast<int64_t>(widths.size()));
  return microseconds <= 1000 * budget && memory <= usableMemory();
}

/// Verifies and races the finalists on all rows, if that fits; returns the
/// winner.
size_t TuningRun::confirmAtFullSize(size_t winner, double budget) {
  std::vector<size_t> who = fastestFirst();
  std::erase_if(who, [&](size_t i) {
    return contenders[i].report.medianMicroseconds <= 0;
  });
  who.resize(std::min(who.size(), kFinalists));
  if (stopped() || who.empty() || !confirmationFits(who, budget))
    return winner;
  const Clock::time_point start = Clock::now();
  Expected<std::unique_ptr<Workbench>> bench =
      workbench(planningRows(problem), Fill::exact);
  if (!bench)
    return winner; // no memory after all
  verify(**bench, who);
  verifyMilliseconds += since(start);

  std::vector<size_t> right = who;
  std::erase_if(right, [&](size_t i) { return !contenders[i].alive; });
  if (right.empty())
    return winner;
  const RaceResult result = raceOn(**bench, right, budget);
  for (size_t i = 0; i < right.size(); ++i) {
    if (result.laps[i].samples.empty())
      continue;
    Candidate &report = contenders[right[i]].report;
    report.medianMicroseconds = result.laps[i].median();
    report.minMicroseconds = result.laps[i].minimum();
  }
  return right[result.winner];
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

Expected<TuningResult> TuningRun::tune() {
  if (Status planned = plan(); !planned)
    return planned.error();
  build();
  if (alive().empty())
    return nothingRight();

  const Clock::time_point start = Clock::now();
  Expected<std::unique_ptr<Workbench>> bench = workbench(rows, Fill::exact);
  if (!bench)
    return bench.error();
  verify(**bench, alive());
  verifyMilliseconds += since(start);
  if (alive().empty())
    return nothingRight();

  size_t winner = firstWithRightStrips(**bench, raceOnSlice(**bench));
  bench->reset();
  if (problem.m() && rows < *problem.m())
    winner = confirmAtFullSize(winner,
                               kConfirmationShare * options.budgetMilliseconds);
  return finish(winner);
}

/// Winner first, then by median, then what was never timed, as it came.
Expected<TuningResult> TuningRun::finish(size_t winner) {
  if (!contenders[winner].alive)
    return nothingRight();
  contenders[winner].report.status = CandidateStatus::winner;
  TuningResult result;
  const size_t kernel = contenders[winner].kernel;
  result.winnerObject = std::move(kernels[kernel].object);
  result.winnerKernel = std::move(kernels[kernel].kernel);
  result.maxError = contenders[winner].report.maxError;
  result.objectsCompiled = static_cast<int>(codes.size());
  result.interrupted = interrupted;

  std::vector<size_t> order(contenders.size());
  std::iota(order.begin(), order.end(), size_t(0));
  auto rank = [&](size_t i) {
    const double median = contenders[i].report.medianMicroseconds;
    return std::tuple(i != winner, median <= 0, median, i);
  };
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return rank(a) < rank(b); });
  for (size_t i : order)
    result.candidates.push_back(std::move(contenders[i].report));
  result.compileMilliseconds = compileMilliseconds;
  result.verifyMilliseconds = verifyMilliseconds;
  result.timeMilliseconds = timeMilliseconds;
  result.totalMilliseconds = since(started);
  return result;
}

} // namespace lintel
