// Building and judging the contenders of a tuning.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Contest.h"

#include "Problem/ProblemTitle.h"
#include "Schedule/SameCode.h"
#include "Schedule/SearchSpace.h"
#include "Tuning/JudgeAll.h"

#include <algorithm>
#include <utility>

namespace lintel {

/// Of the budget, until the threads of the executor are awake.
static constexpr double kShareToWake = 1.0 / 3;

Contest::Contest(const Problem &problem, const std::vector<Schedule> &schedules,
                 const TuningContext &context, const TuningOptions &options)
    : layer(problem), context(context), wishes(options),
      field(schedules, problemTitle(problem.text())) {}

const std::vector<Schedule> &Contest::permittedSpace() {
  if (space.empty()) {
    space = enumerateSchedules(layer, target(), threads());
    std::erase_if(space, [&](const Schedule &schedule) {
      return wishes.panel && schedule.panel() != *wishes.panel;
    });
  }
  return space;
}

bool Contest::triesMore() {
  return wishes.maxNeighbours > 0 && wishes.budgetMilliseconds > 0 &&
         !stopped();
}

bool Contest::stopped() {
  if (!interrupted && wishes.stop && wishes.stop())
    interrupted = true;
  return interrupted;
}

void Contest::progress(size_t done, size_t total, std::string_view what) const {
  if (wishes.progress)
    wishes.progress(done, total, what);
}

Error Contest::nothingRight() const {
  if (interrupted)
    return Error(ErrorCode::cancelled,
                 problemTitle(layer.text()) +
                     ": interrupted before a kernel was verified" +
                     field.firstWrong());
  return field.nothingRight();
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

void Contest::build(const std::vector<size_t> &who) {
  const Clock::time_point start = Clock::now();
  const size_t known = codes.size();
  for (size_t i : who) {
    const Schedule &schedule = field.scheduleOf(i);
    const auto code = std::ranges::find_if(codes, [&](const Schedule &other) {
      return sameCode(other, schedule);
    });
    field[i].kernel = code - codes.begin();
    if (code == codes.end())
      codes.push_back(schedule);
  }
  const std::vector<Schedule> missing(codes.begin() + known, codes.end());
  for (BuiltKernel &kernel : context.factory.build(
           layer, missing,
           [&](size_t done) { progress(done, missing.size(), "compiling"); },
           [&] { return stopped(); }))
    kernels.push_back(std::move(kernel));
  for (size_t i : who)
    if (const BuiltKernel &kernel = kernels[field[i].kernel]; !kernel.kernel)
      field.exclude(i,
                    kernel.attempted ? CandidateStatus::failed
                                     : CandidateStatus::dropped,
                    kernel.fault);
  milliseconds.compiling += millisecondsSince(start);
}

int Contest::objectsCompiled() const {
  return static_cast<int>(
      std::ranges::count(kernels, true, &BuiltKernel::attempted));
}

BuiltKernel Contest::takeKernel(size_t who) {
  return std::move(kernels[field[who].kernel]);
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

Expected<Arena> Contest::makeArena(const Extent &extent, Fill fill) const {
  WorkbenchOptions bench;
  bench.rows = extent.rows;
  if (extent.columns)
    bench.columns = extent.columns->held;
  bench.fill = fill;
  bench.threads = threads();
  bench.workers = context.factory.workers();
  bench.mostWakingMilliseconds = std::min(
      bench.mostWakingMilliseconds, kShareToWake * wishes.budgetMilliseconds);
  Expected<std::unique_ptr<Workbench>> made =
      Workbench::create(layer, target(), context.executor, bench);
  if (!made)
    return made.error();
  return Arena{std::move(*made), extent, fill};
}

void Contest::accept(size_t who, const Verdict &verdict) {
  Candidate &report = field[who].report;
  report.maxError = std::max(report.maxError, verdict.maxError);
  if (verdict.right())
    return;
  if (verdict.ran())
    field.exclude(who, CandidateStatus::wrong, verdict.fault);
  else
    field.exclude(
        who, interrupted ? CandidateStatus::dropped : CandidateStatus::failed,
        Error(*verdict.failure, verdict.fault));
}

Schedule Contest::scheduleIn(const Arena &arena, size_t who) const {
  const Schedule &schedule = field.scheduleOf(who);
  return arena.grids == Grids::named
             ? schedule
             : scheduleOnRows(schedule, layer, arena.extent.rows, threads());
}

/// Packs the weight once for each panel shape, from the first column on that
/// anybody needs.
void Contest::packFor(Arena &arena, const std::vector<size_t> &who) const {
  std::map<PanelShape, int64_t> firstColumns;
  for (size_t i : who) {
    const Schedule &schedule = field.scheduleOf(i);
    const int64_t first = sliceOn(arena.extent, schedule, layer).firstColumn;
    int64_t &known =
        firstColumns.try_emplace(schedule.panel(), first).first->second;
    known = std::min(known, first);
  }
  arena.bench->packWeights(firstColumns);
}

/// False, and the contender out, if it could not be added.
bool Contest::addTo(Arena &arena, size_t who) {
  Expected<size_t> added = arena.bench->add(
      scheduleIn(arena, who), kernels[field[who].kernel].kernel->function(),
      sliceOn(arena.extent, field.scheduleOf(who), layer));
  if (added)
    arena.numbers[who] = *added;
  else
    field.exclude(who, CandidateStatus::failed, added.error());
  return bool(added);
}

void Contest::verify(Arena &arena, std::vector<size_t> who) {
  packFor(arena, who);
  std::erase_if(who, [&](size_t i) { return !addTo(arena, i); });
  Workbench &bench = *arena.bench;
  const std::vector<Verdict> verdicts = judgeAll(
      who.size(),
      [&](size_t i) {
        progress(i, who.size(), "verifying");
        return bench.verify(arena.numbers.at(who[i]));
      },
      [&] { bench.forgetReference(); }, [&] { return stopped(); });
  for (size_t i = 0; i < who.size(); ++i)
    accept(who[i], verdicts[i]);
  if (arena.extent.columns)
    measurePacking(arena, who);
}

void Contest::verifyAfresh(Arena &arena, const std::vector<size_t> &who) {
  arena.bench->forgetReference();
  stripVerdicts.clear();
  verify(arena, who);
}

} // namespace lintel
