// One problem on its way through compiling, verifying and timing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Runtime/Clock.h"
#include "Tuning/CheckPlan.h"
#include "Tuning/KernelFactory.h"
#include "Tuning/Race.h"
#include "Tuning/RacedPart.h"
#include "Tuning/Tuner.h"
#include "Tuning/Workbench.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lintel {

/// The parts of a tuning that outlive it.
struct TuningContext {
  const Target &target;
  const std::shared_ptr<Executor> &executor;
  KernelFactory &factory;
};

/// Used once: either tune() or check().
class TuningRun {
public:
  TuningRun(const Problem &problem, const std::vector<Schedule> &schedules,
            const TuningContext &context, const TuningOptions &options);
  Expected<TuningResult> tune();
  Expected<std::vector<Candidate>> check();

private:
  /// A candidate, its object, and its number on the current workbench.
  struct Contender {
    Candidate report;
    double onSlice = 0; ///< microseconds of the whole, going by that; 0: none
    double promise = 0; ///< the same, with what the slice could not show
    size_t kernel = 0;
    size_t bench = 0;
    bool alive = true; ///< neither wrong, failed nor shut out by the plan
  };
  /// Whether contenders have the grid that they name, or that of
  /// scheduleOnRows.
  enum class Grids { named, raced };
  /// What of the problem contenders run on.
  struct Extent {
    int64_t rows = 1;
    std::optional<SlicedColumns> columns; ///< none: all
  };
  /// What contenders run on.
  struct Arena {
    std::unique_ptr<Workbench> bench;
    Extent extent;
    Fill fill;
    Grids grids = Grids::raced;
    /// Of contenders that pack, once it was measured.
    std::map<size_t, PackingOnSlice> packing = {};
  };

  // What is raced, built and run.
  Status plan();
  void leaveOutUndealt();
  void build(const std::vector<size_t> &who);
  Expected<Arena> makeArena(const Extent &extent, Fill fill);
  Schedule scheduleIn(const Arena &arena, const Contender &contender) const;
  void verify(Arena &arena, std::vector<size_t> who);
  void measurePacking(Arena &arena, const std::vector<size_t> &who);
  std::optional<PackingOnSlice> measurePacking(Arena &arena,
                                               const Contender &contender);
  std::optional<Verdict> judgeAllStrips(Arena &arena, size_t who);
  Verdict judgeStrips(Arena &arena, size_t who,
                      std::vector<std::optional<Verdict>> &verdicts);
  bool stripsAreRight(Arena &arena, size_t who,
                      std::vector<std::optional<Verdict>> &verdicts);
  bool couldNotRun(size_t who) const;
  void putBack(size_t who, const Candidate &report);

  // The first race, and what it leads to.
  size_t raceIn(Arena &arena, const std::vector<size_t> &who,
                RaceOptions raceOptions);
  size_t explore(Arena &arena, size_t winner);
  size_t challenge(Arena &arena, size_t winner, std::vector<size_t> who,
                   double budget);
  std::vector<Schedule> onOtherTiles(size_t winner) const;
  std::optional<size_t> addContender(const Schedule &schedule);
  std::vector<size_t> addDynamicTwins(size_t winner);
  const std::vector<Schedule> &permittedSpace();
  std::vector<size_t> addNeighbours(size_t center, size_t winner);
  size_t firstWithRightStrips(Arena &arena, size_t winner);

  // Confirmation of a race on slices.
  class Confirmation;
  size_t confirm(size_t winner);
  size_t firstRightOnTheWhole(size_t loser);
  Expected<std::optional<size_t>> tryAtFullSize(std::vector<size_t> &who,
                                                std::optional<size_t> incumbent,
                                                std::vector<size_t> &unable);
  size_t decideAtFullSize(Arena &arena, const std::vector<size_t> &who,
                          std::optional<size_t> incumbent);
  int64_t rowsBeyondCaches(const std::vector<Schedule> &schedules) const;

  // Last choices, in this order, and what they share.
  size_t chooseThreads(size_t winner);
  size_t meetFewerThreads(size_t winner);
  size_t meetOneThread(size_t winner);
  size_t chooseReaders(size_t winner);
  std::optional<Schedule> rivalThatReadsLess(size_t winner) const;
  size_t chooseDealing(size_t winner);
  std::optional<Schedule> dealtRival(size_t winner, int64_t chunks) const;
  size_t chooseChunks(size_t winner);
  size_t chooseForBusyCore(size_t winner);
  size_t chooseStore(size_t winner);
  std::optional<Schedule> promisingTwin(size_t winner) const;
  size_t meetRival(size_t winner, const Schedule &schedule, int64_t benchRows,
                   double worth);
  size_t meetLastRival(size_t winner, const Schedule &rival, double worth,
                       std::string_view why);
  size_t raceRival(Arena &arena, size_t winner, size_t rival, double worth);
  size_t firstRightIn(Arena &arena, size_t loser);
  void giveWay(size_t loser, size_t chosen, std::string_view why);

  // The end.
  Expected<TuningResult> finish(size_t winner);
  std::string doubtIn(const Candidate &winner) const;
  Status checkRound(const CheckRound &round, Fill fill);
  void leaveUnchecked(const CheckRound &round);

  // What they ask.
  std::vector<Schedule> schedules() const;
  double predictedMicroseconds() const;
  std::vector<size_t> alive() const;
  std::vector<size_t> fastestFirst() const;
  ColumnSlice sliceOn(const Extent &extent, const Schedule &schedule) const;
  RacedPart partOn(const Extent &extent, const Schedule &schedule) const;
  bool sliceTriesBlocks(const Contender &contender) const;
  const Contender *bestOfTriedBlocks() const;
  void takePromises(size_t fastest);
  void reportPromises(const std::vector<size_t> &tried);
  std::vector<size_t> finalists(const std::vector<size_t> &tried) const;
  size_t affordableFinalists(const std::vector<size_t> &who) const;
  std::optional<SlicedColumns>
  confirmationColumns(const std::vector<Schedule> &schedules) const;
  bool showsMore(const Extent &extent, const std::vector<size_t> &who) const;
  Extent confirmationExtent(const std::vector<size_t> &who) const;
  int64_t affordableRows(const Problem &part,
                         const std::vector<Schedule> &schedules,
                         double microseconds) const;
  int64_t rowsForAll(const Problem &part,
                     const std::vector<Schedule> &schedules,
                     double share) const;
  bool leavesChunksToDeal(const Schedule &schedule, int64_t someRows) const;
  bool triesMore();
  bool raceIsSliced() const;
  bool coversPart(const Extent &extent) const;
  double scaleOn(const Extent &extent, size_t who) const;
  double onWhole(const Arena &arena, size_t who, double microseconds) const;
  Impressions impressions(const Arena &arena,
                          const std::vector<size_t> &who) const;
  size_t raceAgain(Arena &arena, const std::vector<size_t> &who,
                   const RaceOptions &raceOptions);
  void rescaleOthers(const std::vector<size_t> &timed, double factor,
                     double fastest);
  void exclude(Contender &contender, CandidateStatus status,
               std::string reason);
  void accept(size_t who, const Verdict &verdict);
  Error nothingRight() const;
  bool stopped();
  void progress(size_t done, size_t total, std::string_view what) const;

  Problem problem;
  TuningContext context;
  const TuningOptions &options;
  std::vector<Contender> contenders;
  std::vector<Schedule> codes; ///< one schedule for each object
  /// One for each object whose strips were judged: its micro-kernels are the
  /// same in every arena.
  std::vector<std::optional<Verdict>> stripVerdicts;
  std::vector<Schedule> space; ///< filled by permittedSpace()
  std::vector<BuiltKernel> kernels;
  Extent raced;                ///< before the confirmation
  bool noisy = false;          ///< any race was
  std::optional<bool> hurried; ///< the first race, or the best's at full size
  double spread = 0;
  std::string lostToOneThread; ///< why threads are doubtful that did
  bool interrupted = false;
  Clock::time_point started = Clock::now();
  double compileMilliseconds = 0, verifyMilliseconds = 0, timeMilliseconds = 0;
};

} // namespace lintel
