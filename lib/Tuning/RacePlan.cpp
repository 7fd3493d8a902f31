// What of a problem fits into a race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/RacePlan.h"

#include "Problem/ProblemTitle.h"
#include "Schedule/ColdWeight.h"
#include "Schedule/Partition.h"
#include "Tuning/MemoryBudget.h"
#include "Tuning/RaceRows.h"
#include "Tuning/RacedPart.h"
#include "Tuning/Workbench.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace lintel {

/// A call that takes longer than this is raced on a slice,
static constexpr double kLongMicroseconds = 1500;
/// of about this length: fifty of them are a round, and a round leaves the
/// budget some more.
static constexpr double kSliceMicroseconds = 1000;
/// A slice is at least this high: below, reading the weight starts to dominate,
/// which it does not on all rows.
static constexpr int64_t kMinSliceRows = 96;
/// Down to this height M is cut before N: there are still blocks of it.
/// Threads that share M need as much each: one in a row of a square of them.
static constexpr int64_t kEasySliceRows = 256;
/// A slice is at least this wide: some blocks of N, and many panels. Threads
/// that share N need as much each, too: of 256 columns each of two threads had
/// two panels of 48, one of them ragged, and 8x48 was 20 % slower than on the
/// whole (512x4096:4096x4096, f32, Zen 5).
static constexpr int64_t kMinSliceColumns = 256;
/// With few rows, which stream the weight from memory, a slice has at least
/// this much of it: several times an L2.
static constexpr int64_t kMinSliceBytes = int64_t(8) << 20;
/// Rows that fill the last-level cache so often are as good as any more.
static constexpr double kTimesCache = 8;
/// And so is a weight that fills it so often. With more than a few rows blocks
/// of them may each read it again, and then find little of it there.
static constexpr int64_t kTimesCacheOfStream = 2;
static constexpr int64_t kTimesCacheOfWeight = 4;
/// But rows of so many bytes take a second to check if they are narrow: with
/// guards and what they are compared with 1 GB, each touched five times.
static constexpr double kManyBytes = 256 << 20;
/// And of the narrowest, of a few bytes beside guards of 64, no more than make
/// up half of that: they are checked row by row. A tuning of 2147483648x1:1x1
/// took 14 to 31 s without this, with it 2 to 6 (Emerald Rapids).
static constexpr double kManyCheckedBytes = 512 << 20;
/// How often rows fill a cache that is larger than that all the same.
static constexpr double kTimesHugeCache = 1.25;

/// Of a budget, for timing finalists at full size.
static constexpr double kShareOfFinal = 0.3;
/// As many runs of each of several, or as many as the whole budget allows: with
/// one or two, twenty tunings of 1024x2048:2048x8192 silu+mul (70 ms, f32, two
/// threads of Zen 5) were 14 times within 3 % of each other, with three 20
/// times.
static constexpr double kRoundsOfFinal = 3;
/// Of a last race, whatever they take: it was planned by runs that may have
/// been a thousand times quicker than one that is held up.
static constexpr size_t kLeastRoundsOfLast = 3;
/// How many times the budget noise may cost where it holds fewer rounds: such
/// runs scatter by 0.03 to 0.2 % (60 to 160 ms, f32, one thread of Zen 4). Of
/// two runs of 0.1 s one that is 3 % ahead loses no race with 0.2 %, one in
/// 1400 with 1 % and one in 27 with 2 % (simulated; with four times the budget
/// one in 210).
static constexpr double kTimesForNoiseOfLongRuns = 2;

/// Runs at full size are cut in rows to this length, so that several are timed
/// within a budget of 300 ms and its share for one is enough for it,
static constexpr double kEnoughMicroseconds = 80'000;
/// but not below so many rows for each thread, who may share M, nor below a
/// block of each schedule: of four pinned ones of 4096x4096:4096x4096 in bf16
/// (blocks of 56 to 210 rows, one thread of Zen 4), 0 to 4 % apart, 1024 and
/// 512 rows told the same.
static constexpr int64_t kFewestFinalRows = 512;
/// If that takes longer than this, fewer rows must do.
static constexpr double kLongestMicroseconds = 400'000;

/// A range may begin at more rows than a slice would have.
static int64_t fewestRacedRows(const Problem &problem) {
  return problem.m() ? 1 : std::max<int64_t>(1, problem.rows().least);
}

namespace {
/// Weights that are packed at the same time.
struct PackedWeights {
  std::set<PanelShape> panels;
  int64_t bytes = 0;
};
} // namespace

/// The packed weights that fit, in the order of the schedules.
static PackedWeights affordableWeights(const Problem &problem,
                                       const std::vector<Schedule> &schedules,
                                       int64_t memory) {
  const MemoryNeed need = MemoryNeed::of(problem, schedules);
  const int64_t fewest = fewestRacedRows(problem);
  PackedWeights weights;
  for (const Schedule &schedule : schedules) {
    const int64_t rows =
        weights.panels.empty()
            ? fewest
            : std::max(fewest, std::min(problem.rows().typical, kMinSliceRows));
    const int64_t bytes =
        weights.bytes + packedBytes(problem, schedule.panel());
    if (!weights.panels.contains(schedule.panel()) &&
        need.bytes(rows, bytes) <= memory) {
      weights.panels.insert(schedule.panel());
      weights.bytes = bytes;
    }
  }
  return weights;
}

double shareToRun(double predictedMicroseconds) {
  return predictedMicroseconds <= kLongMicroseconds
             ? 1
             : kSliceMicroseconds / predictedMicroseconds;
}

RaceOptions finalRace(size_t finalists, double round, double budget) {
  const double share = kShareOfFinal * budget;
  const double wanted = kRoundsOfFinal * round;
  RaceOptions race;
  race.budgetMilliseconds =
      finalists > 1 ? std::max({share, round, std::min(wanted, budget)})
                    : share;
  if (wanted > budget)
    race.timesForNoise = kTimesForNoiseOfLongRuns;
  race.leastRounds = finalists > 1 ? 1 : 0;
  return race;
}

RaceOptions lastRace(double round, double budget) {
  const double share = kShareOfFinal * budget;
  const double wanted = kRoundsOfFinal * round;
  RaceOptions race;
  race.budgetMilliseconds = std::max(share, wanted);
  race.leastRounds = kLeastRoundsOfLast;
  if (wanted > share)
    race.timesForNoise = kTimesForNoiseOfLongRuns;
  return race;
}

RaceOptions withNoiseShared(RaceOptions race, double spent, double budget) {
  const double left = RaceOptions().timesForNoise * budget - spent;
  race.timesForNoise = std::max(
      1.0, std::min(race.timesForNoise, left / race.budgetMilliseconds));
  return race;
}

double shareAtFullSize(const Problem &problem,
                       const std::vector<Schedule> &schedules, int threads,
                       double microseconds) {
  const int64_t all = std::max<int64_t>(1, problem.rows().typical);
  int64_t fewest = saturatingProduct({kFewestFinalRows, int64_t(threads)});
  for (const Schedule &schedule : schedules) {
    const int64_t block = std::min(schedule.mc, ceilDiv(all, schedule.gridM));
    // Where chunks are dealt out, part of the rows has fewer of them.
    const int64_t chunks =
        scheduleOnRows(schedule, problem, /*rows=*/1, threads).gridM;
    fewest = std::max(fewest, saturatingProduct({block, chunks}));
  }
  const double time = std::max(1.0, microseconds);
  return std::min(
      1.0, std::clamp(static_cast<double>(fewest) / static_cast<double>(all),
                      kEnoughMicroseconds / time, kLongestMicroseconds / time));
}

double bytesBeyondCaches(double times, double timesHuge, const Target &target) {
  const auto cache = static_cast<double>(target.l3);
  return std::min(times * cache, std::max(timesHuge * cache, kManyBytes));
}

double shareBeyondCaches(const Problem &problem, const Target &target) {
  const auto shareOf = [&](double enough, int64_t bytesOfRow) {
    return enough /
           std::max(1.0, static_cast<double>(bytesOfRow) *
                             static_cast<double>(problem.rows().typical));
  };
  return std::min(
      {1.0,
       shareOf(bytesBeyondCaches(kTimesCache, kTimesHugeCache, target),
               bytesTouchedByRow(problem)),
       shareOf(kManyCheckedBytes, MemoryNeed::of(problem).perRow)});
}

/// A slice of few columns is no measure for threads that share them.
static int64_t fewestColumns(int threads) {
  const auto rowsOfThreads = static_cast<int64_t>(std::sqrt(threads));
  return kMinSliceColumns * ceilDiv(threads, rowsOfThreads);
}

/// A thread's share of the columns of a block, for all of them.
static int64_t blockColumns(const Schedule &schedule, int64_t n) {
  const int64_t chunk = ceilDiv(n, schedule.gridN);
  return saturatingProduct({schedule.gridN, std::min(schedule.nc, chunk)});
}

int64_t columnsBeyondCaches(const Problem &problem,
                            const std::vector<Schedule> &schedules,
                            const Target &target, int threads) {
  const int64_t times = problem.rows().typical <= kStreamingRows
                            ? kTimesCacheOfStream
                            : kTimesCacheOfWeight;
  const int64_t enough =
      times * target.l3 / std::max<int64_t>(1, weightColumnBytes(problem));
  int64_t columns = std::max(enough, fewestColumns(threads));
  for (const Schedule &schedule : schedules)
    if (schedule.depth() == Depth::cut)
      columns = std::max(columns, blockColumns(schedule, problem.n()));
  return std::min(problem.n(), columns);
}

std::optional<SlicedColumns>
sliceColumns(const std::vector<Schedule> &schedules, int64_t n,
             int64_t wanted) {
  SlicedColumns columns = {wanted, 1};
  for (const Schedule &schedule : schedules)
    columns.held = std::max(columns.held,
                            n - lastColumns(schedule, n, wanted).firstColumn);
  return columns.held < n ? std::optional(columns) : std::nullopt;
}

/// A share of the rows, in no more than a quarter of the memory that the
/// weights leave, since a slice may come out that much larger.
static int64_t wantedRows(const Problem &problem, double share,
                          int64_t memoryForRows) {
  const int64_t quick =
      std::llround(share * static_cast<double>(problem.rows().typical));
  const int64_t affordable =
      memoryForRows / std::max<int64_t>(1, MemoryNeed::of(problem).perRow);
  return std::min(std::max(kMinSliceRows, quick),
                  std::max<int64_t>(1, affordable / 4));
}

static Error tooLittleMemory(const Problem &problem, int64_t bytes,
                             int64_t memory) {
  return Error(ErrorCode::io, problemTitle(problem.text()) + ": tuning " +
                                  lackOfMemory(bytes, memory) +
                                  "; free some, or cut the layer into several "
                                  "of fewer columns or rows");
}

/// What tuning the least demanding of the schedules takes.
static int64_t leastBytes(const Problem &problem, const MemoryNeed &need,
                          const std::vector<Schedule> &schedules) {
  int64_t packed = std::numeric_limits<int64_t>::max();
  for (const Schedule &schedule : schedules)
    packed = std::min(packed, packedBytes(problem, schedule.panel()));
  return need.bytes(fewestRacedRows(problem), packed);
}

Expected<RowPlan> planRows(const Problem &problem,
                           const std::vector<Schedule> &schedules, double share,
                           int64_t memory) {
  const MemoryNeed need = MemoryNeed::of(problem, schedules);
  const PackedWeights weights = affordableWeights(problem, schedules, memory);
  if (weights.panels.empty())
    return tooLittleMemory(problem, leastBytes(problem, need, schedules),
                           memory);
  std::vector<Schedule> fitting;
  for (const Schedule &schedule : schedules)
    if (weights.panels.contains(schedule.panel()))
      fitting.push_back(schedule);

  RowPlan plan;
  plan.rows = sliceRows(
      problem, fitting,
      wantedRows(problem, share, memory - need.bytes(0, weights.bytes)));
  // More rows than were wanted may be the fewest that suit the schedules.
  if (const int64_t bytes = need.bytes(plan.rows, weights.bytes);
      bytes > memory)
    return tooLittleMemory(problem, bytes, memory);
  for (const Schedule &schedule : schedules) {
    std::string obstacle;
    if (!weights.panels.contains(schedule.panel()))
      obstacle = "no memory for another packed weight";
    else if (!canRunOnRows(schedule.mr, problem, plan.rows))
      obstacle = "its strips differ on a slice of " +
                 std::to_string(plan.rows) + " rows";
    plan.obstacles.push_back(std::move(obstacle));
  }
  // Only a lack of memory keeps a slice so short that no schedule suits it.
  if (std::ranges::none_of(plan.obstacles, &std::string::empty))
    return Error(ErrorCode::io, problemTitle(problem.text()) +
                                    ": tuning has memory for a slice of " +
                                    std::to_string(plan.rows) +
                                    " rows, on which no schedule runs as it "
                                    "does on all; free some");
  return plan;
}

/// Columns that a race of a share of the work should take, if the rows are cut
/// first as far as that is easy.
static int64_t wantedColumns(const Problem &problem, int threads,
                             double share) {
  const int64_t rows = problem.rows().typical;
  const auto rowsOfThreads = static_cast<int64_t>(std::sqrt(threads));
  const double easy =
      std::min(1.0, static_cast<double>(kEasySliceRows * rowsOfThreads) /
                        static_cast<double>(std::max<int64_t>(1, rows)));
  const double ofColumns = share / std::max(share, easy);
  const int64_t fewest = std::max(
      fewestColumns(threads),
      rows <= kStreamingRows
          ? kMinSliceBytes / std::max<int64_t>(1, weightColumnBytes(problem))
          : 0);
  return std::clamp(
      static_cast<int64_t>(ofColumns * static_cast<double>(problem.n())),
      std::min(fewest, problem.n()), problem.n());
}

Expected<RacePlan> planRace(const Problem &problem,
                            const std::vector<Schedule> &schedules, int threads,
                            double predictedMicroseconds, int64_t memory) {
  const MemoryNeed need = MemoryNeed::of(problem);
  if (const int64_t bytes = need.bytes(1, need.leastPacked); bytes > memory)
    return tooLittleMemory(problem, bytes, memory);
  const double share = shareToRun(predictedMicroseconds);
  RacePlan plan;
  plan.columns = sliceColumns(schedules, problem.n(),
                              wantedColumns(problem, threads, share));
  const Problem narrow = narrowed(problem, plan.columns);
  const double ofColumns = plan.columns
                               ? static_cast<double>(plan.columns->wanted) /
                                     static_cast<double>(problem.n())
                               : 1;
  Expected<RowPlan> rows =
      planRows(narrow, schedules, std::min(1.0, share / ofColumns), memory);
  if (!rows)
    return rows.error();
  plan.rows = std::move(*rows);
  return plan;
}

} // namespace lintel
