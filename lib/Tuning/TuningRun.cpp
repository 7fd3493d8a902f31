// One problem on its way through compiling, verifying and timing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/TuningRun.h"

#include "Problem/ProblemTitle.h"
#include "Runtime/Log.h"
#include "Schedule/Ranking.h"
#include "Schedule/SameCode.h"
#include "Tuning/JudgeAll.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/RacePlan.h"
#include "Tuning/WaitedForCpus.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace lintel {

/// Shares of the budget for the first race: some is left for the winner's
/// neighbours, and, after a race on slices, for the best few at full size.
static constexpr double kShareOfRace = 0.5;
static constexpr double kShareOfSlicedRace = 0.4;
/// Of the budget, until the threads of the executor are awake.
static constexpr double kShareToWake = 1.0 / 3;

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
  // Times of another window say nothing of who does not count.
  if (status != CandidateStatus::dropped)
    contender.report.medianMicroseconds = contender.report.minMicroseconds = 0;
  logMessage(LogLevel::debug, "{} {}: {}: {}", problemTitle(problem.text()),
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
  const std::string title = problemTitle(problem.text());
  if (interrupted)
    return Error(ErrorCode::cancelled,
                 title + ": interrupted before a kernel was verified");
  // A wrong result says more than what kept others out of the race.
  const auto gravity = [](const Contender &contender) {
    const CandidateStatus status = contender.report.status;
    return status == CandidateStatus::wrong    ? 2
           : status == CandidateStatus::failed ? 1
                                               : 0;
  };
  const auto first = std::ranges::max_element(contenders, {}, gravity);
  if (first == contenders.end())
    return Error(ErrorCode::internal, title + ": no schedule");
  const ErrorCode code = first->report.status == CandidateStatus::wrong
                             ? ErrorCode::wrongResult
                             : ErrorCode::compile;
  return Error(code, title + ": none of " + std::to_string(contenders.size()) +
                         " schedules gave a right kernel; " +
                         first->report.schedule.text() + ": " +
                         first->report.reason);
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
  Expected<RacePlan> race = planRace(problem, schedules(), options.threads,
                                     predictedMicroseconds(), usableMemory());
  if (!race)
    return race.error();
  raced = {race->rows.rows, race->columns};
  for (size_t i = 0; i < contenders.size(); ++i)
    if (!race->rows.obstacles[i].empty())
      exclude(contenders[i], CandidateStatus::dropped, race->rows.obstacles[i]);
  leaveOutUndealt();
  return {};
}

/// Those that would be raced as equal shares, under another name, for want of
/// rows; unless there is nobody else, as where one is pinned.
void TuningRun::leaveOutUndealt() {
  const auto races = [&](const Contender &contender) {
    return contender.alive &&
           leavesChunksToDeal(contender.report.schedule, raced.rows);
  };
  if (std::ranges::none_of(contenders, races))
    return;
  for (Contender &contender : contenders)
    if (contender.alive && !races(contender))
      exclude(contender, CandidateStatus::dropped,
              "no more chunks than threads on a slice of " +
                  std::to_string(raced.rows) + " rows");
}

/// Compiles what is not compiled yet of the code that contenders need.
void TuningRun::build(const std::vector<size_t> &who) {
  const Clock::time_point start = Clock::now();
  const size_t known = codes.size();
  for (size_t i : who) {
    Contender &contender = contenders[i];
    const Schedule &schedule = contender.report.schedule;
    contender.kernel = std::find_if(codes.begin(), codes.end(),
                                    [&](const Schedule &code) {
                                      return sameCode(code, schedule);
                                    }) -
                       codes.begin();
    if (contender.kernel == codes.size())
      codes.push_back(schedule);
  }
  const std::vector<Schedule> missing(codes.begin() + known, codes.end());
  for (BuiltKernel &kernel : context.factory.build(
           problem, missing,
           [&](size_t done) { progress(done, missing.size(), "compiling"); },
           [&] { return stopped(); }))
    kernels.push_back(std::move(kernel));
  for (size_t i : who)
    if (const BuiltKernel &kernel = kernels[contenders[i].kernel];
        !kernel.kernel)
      exclude(contenders[i],
              kernel.attempted ? CandidateStatus::failed
                               : CandidateStatus::dropped,
              kernel.fault);
  compileMilliseconds += millisecondsSince(start);
}

//===----------------------------------------------------------------------===//
// Verifying
//===----------------------------------------------------------------------===//

Expected<TuningRun::Arena> TuningRun::makeArena(const Extent &extent,
                                                Fill fill) {
  WorkbenchOptions bench;
  bench.rows = extent.rows;
  if (extent.columns)
    bench.columns = extent.columns->held;
  bench.fill = fill;
  bench.threads = options.threads;
  bench.workers = context.factory.workers();
  bench.mostWakingMilliseconds = std::min(
      bench.mostWakingMilliseconds, kShareToWake * options.budgetMilliseconds);
  Expected<std::unique_ptr<Workbench>> made =
      Workbench::create(problem, context.target, context.executor, bench);
  if (!made)
    return made.error();
  return Arena{std::move(*made), extent, fill};
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

/// Somewhere, as on a machine short of memory; it is not known to be wrong.
bool TuningRun::couldNotRun(size_t who) const {
  return !contenders[who].alive &&
         contenders[who].report.status != CandidateStatus::wrong;
}

/// One that could not run, and has run before.
void TuningRun::putBack(size_t who, const Candidate &report) {
  contenders[who].report = report;
  contenders[who].alive = true;
}

Schedule TuningRun::scheduleIn(const Arena &arena,
                               const Contender &contender) const {
  const Schedule &schedule = contender.report.schedule;
  return arena.grids == Grids::named
             ? schedule
             : scheduleOnRows(schedule, problem, arena.extent.rows,
                              options.threads);
}

/// Adds the contenders to the workbench and judges them.
void TuningRun::verify(Arena &arena, std::vector<size_t> who) {
  Workbench &bench = *arena.bench;
  const auto sliceOf = [&](const Contender &contender) {
    return sliceOn(arena.extent, contender.report.schedule);
  };
  std::map<PanelShape, int64_t> firstColumns;
  for (size_t i : who) {
    const int64_t first = sliceOf(contenders[i]).firstColumn;
    int64_t &known =
        firstColumns.try_emplace(contenders[i].report.schedule.panel(), first)
            .first->second;
    known = std::min(known, first);
  }
  bench.packWeights(firstColumns);
  std::erase_if(who, [&](size_t i) {
    Contender &contender = contenders[i];
    Expected<size_t> added = bench.add(
        scheduleIn(arena, contender),
        kernels[contender.kernel].kernel->function(), sliceOf(contender));
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
  if (arena.extent.columns)
    measurePacking(arena, who);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

Expected<TuningResult> TuningRun::tune() {
  if (Status planned = plan(); !planned)
    return planned.error();
  build(alive());
  if (alive().empty())
    return nothingRight();

  const Clock::time_point start = Clock::now();
  Expected<Arena> arena = makeArena(raced, Fill::exact);
  if (!arena)
    return arena.error();
  verify(*arena, alive());
  verifyMilliseconds += millisecondsSince(start);
  if (alive().empty())
    return nothingRight();

  const double share = raceIsSliced() ? kShareOfSlicedRace : kShareOfRace;
  size_t winner =
      raceIn(*arena, alive(),
             {.budgetMilliseconds = share * options.budgetMilliseconds});
  if (!options.pinned)
    winner = explore(*arena, winner);
  winner = firstWithRightStrips(*arena, winner);
  arena->bench.reset();
  if (raceIsSliced() && contenders[winner].alive)
    winner = confirm(winner);
  using Choice = size_t (TuningRun::*)(size_t);
  for (Choice choose : {&TuningRun::chooseThreads, &TuningRun::chooseReaders,
                        &TuningRun::chooseDealing,
                        &TuningRun::chooseForBusyCore, &TuningRun::chooseStore})
    if (!options.pinned && contenders[winner].alive)
      winner = (this->*choose)(winner);
  return finish(winner);
}

/// Why the winner may not be the fastest; empty if there is no reason.
std::string TuningRun::doubtIn(const Candidate &winner) const {
  const bool untimed = winner.medianMicroseconds <= 0 && !interrupted;
  const double predicted = predictMicroseconds(winner.schedule, problem,
                                               context.target, options.threads);
  std::string doubt;
  // Emulation is slow by itself.
  if (!context.target.emulatesTiles() &&
      waitedForCpus(winner.medianMicroseconds, predicted))
    doubt = timesTheEstimate(winner.medianMicroseconds, predicted);
  else if (!lostToOneThread.empty())
    doubt = lostToOneThread;
  else if (noisy)
    doubt = fmt::format("timings scatter by {:.1f}%, too much to tell the "
                        "fastest apart",
                        100 * spread);
  else if (hurried.value_or(false) || untimed)
    doubt = untimed ? "there was no time to time any candidate"
                    : "there was no time to time anybody twice in a race that "
                      "decides";
  else
    return "";
  if (options.threads > context.target.cores)
    doubt += fmt::format(", with more threads ({}) than CPUs ({})",
                         options.threads, context.target.cores);
  return doubt;
}

/// Winner first, then by median, then what was never timed, as it came.
Expected<TuningResult> TuningRun::finish(size_t winner) {
  if (!contenders[winner].alive)
    return nothingRight();
  contenders[winner].report.status = CandidateStatus::winner;
  // It may have given way before it won again.
  contenders[winner].report.reason.clear();
  TuningResult result;
  const size_t kernel = contenders[winner].kernel;
  result.winnerObject = std::move(kernels[kernel].object);
  result.winnerKernel = std::move(kernels[kernel].kernel);
  result.maxError = contenders[winner].report.maxError;
  result.objectsCompiled = static_cast<int>(
      std::ranges::count(kernels, true, &BuiltKernel::attempted));
  result.interrupted = interrupted;
  result.doubt = doubtIn(contenders[winner].report);

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
  result.totalMilliseconds = millisecondsSince(started);
  return result;
}

} // namespace lintel
