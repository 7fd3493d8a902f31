// The contenders of a tuning, and how they are built, judged and raced.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Runtime/Clock.h"
#include "Tuning/Contenders.h"
#include "Tuning/Extent.h"
#include "Tuning/KernelFactory.h"
#include "Tuning/Race.h"
#include "Tuning/Tuner.h"
#include "Tuning/Workbench.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lintel {

/// The parts of a tuning that outlive it.
struct TuningContext {
  const Target &target;
  const std::shared_ptr<Executor> &executor;
  KernelFactory &factory;
};

/// Whether contenders have the grid that they name, or that of scheduleOnRows.
enum class Grids { named, raced };

/// What contenders run on.
struct Arena {
  std::unique_ptr<Workbench> bench;
  Extent extent;
  Fill fill;
  Grids grids = Grids::raced;
  /// Of contenders, on the workbench.
  std::map<size_t, size_t> numbers = {};
  /// Of contenders that pack, once it was measured.
  std::map<size_t, PackingOnSlice> packing = {};
};

/// What the races so far say of what they decided.
struct RaceRecord {
  bool noisy = false;          ///< any was
  std::optional<bool> hurried; ///< the first, or the best's at full size
  double spread = 0;           ///< of those that were noisy, the largest
  std::string lostToOneThread; ///< why threads are doubtful that did
};

struct MillisecondsSpent {
  double compiling = 0, verifying = 0, timing = 0;
};

/// What the stages of a tuning, or a check, have in common: each stage asks who
/// is there, adds some, has them built, judged and raced, and so goes from one
/// winner to the next. Contenders are given by their numbers.
class Contest {
public:
  Contest(const Problem &problem, const std::vector<Schedule> &schedules,
          const TuningContext &context, const TuningOptions &options);

  const Problem &problem() const { return layer; }
  const Target &target() const { return context.target; }
  const TuningOptions &options() const { return wishes; }
  int threads() const { return wishes.threads; }
  Contenders &contenders() { return field; }
  const Contenders &contenders() const { return field; }
  RaceRecord &record() { return races; }
  MillisecondsSpent &spent() { return milliseconds; }

  /// All schedules that want the weight packed as it has to be, if it has to.
  const std::vector<Schedule> &permittedSpace();
  /// Whether a tuning looks further than its first race.
  bool triesMore();
  /// Asks whether the caller wants an end.
  bool stopped();
  bool wasStopped() const { return interrupted; }
  Error nothingRight() const;

  /// Compiles what is not compiled yet of the code that contenders need.
  void build(const std::vector<size_t> &who);
  int objectsCompiled() const;
  /// The contender's object and code, which the contest has no more.
  BuiltKernel takeKernel(size_t who);

  Expected<Arena> makeArena(const Extent &extent, Fill fill) const;
  /// Adds the contenders to the arena and judges them there.
  void verify(Arena &arena, std::vector<size_t> who);
  /// The same without what the arena took for right before, or objects for.
  void verifyAfresh(Arena &arena, const std::vector<size_t> &who);

  /// A kernel for a dynamic M has micro-kernels that the planned rows do not
  /// reach. Without memory for all of them, as with a long K, those that the
  /// rows of the arena reach are judged. `verdicts` has one for each object
  /// already judged, and gets this one.
  Verdict judgeStrips(Arena &arena, size_t who,
                      std::vector<std::optional<Verdict>> &verdicts);
  /// The same, once for each object, with a warning where memory was short.
  bool stripsAreRight(Arena &arena, size_t who);
  /// The winner, or, where a micro-kernel of its object is wrong, the next best
  /// whose are right; the winner, wrong, if there is none, or an interrupt
  /// ended the search.
  size_t firstWithRightStrips(Arena &arena, size_t winner);

  /// Returns the winner; contenders get their times, scaled to the whole. The
  /// incumbent is a place in `who`, the impressions are the arena's; what noise
  /// may cost is shared with the races before.
  size_t raceIn(Arena &arena, const std::vector<size_t> &who,
                RaceOptions options);
  /// The same; those that were raced before keep their ratio to the one that
  /// leads `who`, which knows them.
  size_t raceAgain(Arena &arena, const std::vector<size_t> &who,
                   const RaceOptions &options);
  /// Microseconds of a call on the whole that takes so many on the contender's
  /// part: all grows with the part but packing, of which a slice of the columns
  /// has as much as all of them.
  double onWhole(const Arena &arena, size_t who, double microseconds) const;

private:
  void progress(size_t done, size_t total, std::string_view what) const;
  Schedule scheduleIn(const Arena &arena, size_t who) const;
  void packFor(Arena &arena, const std::vector<size_t> &who) const;
  bool addTo(Arena &arena, size_t who);
  void accept(size_t who, const Verdict &verdict);
  void measurePacking(Arena &arena, const std::vector<size_t> &who);
  std::optional<PackingOnSlice> measuredPacking(Arena &arena, size_t who) const;
  std::optional<Verdict> judgeAllStrips(Arena &arena, size_t who) const;
  Impressions impressions(const Arena &arena,
                          const std::vector<size_t> &who) const;

  Problem layer;
  TuningContext context;
  const TuningOptions &wishes;
  Contenders field;
  std::vector<Schedule> codes; ///< one schedule for each object
  std::vector<BuiltKernel> kernels;
  /// One for each object whose strips were judged: its micro-kernels are the
  /// same in every arena.
  std::vector<std::optional<Verdict>> stripVerdicts;
  std::vector<Schedule> space; ///< filled by permittedSpace()
  bool interrupted = false;
  RaceRecord races;
  MillisecondsSpent milliseconds;
};

} // namespace lintel
