// The choice of candidates for a race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/CostModel.h"
#include "Schedule/PredictedSchedule.h"
#include "Schedule/Ranking.h"
#include "Schedule/SameCode.h"
#include "Schedule/SearchSpace.h"

#include <algorithm>

namespace lintel {

// How much slower than its rivals the model must think a schedule before one
// that resembles those already chosen is preferred to it.
static constexpr double kSameTile = 0.06;
static constexpr double kSameWidth = 0.03;
static constexpr double kSameButForStreams = 0.06;
static constexpr double kSameCode = 0.02;
static constexpr double kSameLoops = 0.03;
/// How much slower than the fastest the model may think a way to read that
/// still takes part: it has them 3 to 7 % apart where they were 6 to 50
/// (decisions 84, 85 and 96).
static constexpr double kOtherWayToRead = 1.15;
/// The same of the other way to cut K: for 48x7168:7168x512 in bf16, 16 threads
/// of Emerald Rapids, it has whole K at 1.27 of slices on the same tile, and at
/// 1.5 of the best, where slices took 9 to 12 % longer.
static constexpr double kOtherCutOfDepth = 1.6;

namespace {
struct Contender {
  PredictedSchedule predicted;
  double handicap = 1; ///< grows with each chosen schedule that resembles it
  bool chosen = false;

  const Schedule &schedule() const { return predicted.schedule; }
  double score() const { return predicted.microseconds * handicap; }
};
} // namespace

static bool sameLoops(const Schedule &a, const Schedule &b) {
  return a.blocks == b.blocks && a.tiles == b.tiles && a.kc == b.kc &&
         a.gridM == b.gridM && a.gridK == b.gridK;
}

/// The best schedule of each object: of those that differ only in kernel
/// arguments.
static std::vector<PredictedSchedule>
bestOfEachCode(const std::vector<Contender> &contenders) {
  std::vector<PredictedSchedule> codes;
  for (const Contender &contender : contenders) {
    auto known = std::find_if(
        codes.begin(), codes.end(), [&](const PredictedSchedule &code) {
          return sameCode(code.schedule, contender.schedule());
        });
    if (known == codes.end())
      codes.push_back(contender.predicted);
    else if (contender.predicted < *known)
      *known = contender.predicted;
  }
  return codes;
}

/// Whether panels are loaded past L1, which strips have to themselves.
static bool loadsPanelsPastStrips(const Schedule &schedule) {
  return schedule.hint == StreamHint::b && schedule.mc > schedule.mr;
}

/// Whether both read rows of x in place or packed, widen w in the same place,
/// load panels past L1 or not, and ask for the weight in the same ways, however
/// far ahead: into L1 (on tiles, for the next panel), into L2, for the next
/// panel, in several places.
static bool readAlike(const Schedule &a, const Schedule &b) {
  return a.unit == b.unit && a.packsA() == b.packsA() && a.widen == b.widen &&
         (a.prefetch > 0) == (b.prefetch > 0) &&
         (a.ahead > 0) == (b.ahead > 0) && (a.share > 0) == (b.share > 0) &&
         a.streams == b.streams &&
         loadsPanelsPastStrips(a) == loadsPanelsPastStrips(b);
}

static bool sameButForReading(Schedule a, const Schedule &b) {
  a.pack = b.pack;
  a.embed = b.embed;
  a.widen = b.widen;
  a.hint = b.hint;
  a.prefetch = b.prefetch;
  a.ahead = b.ahead;
  a.share = b.share;
  a.streams = b.streams;
  return sameCode(a, b);
}

/// Whether both are on tiles and ask for the next panel, one of them in
/// streams: to race both for each tile would leave the other tiles no room.
static bool sameButForStreams(Schedule a, const Schedule &b) {
  if (!a.onTiles() || a.streams == b.streams || a.prefetch == 0 ||
      b.prefetch == 0)
    return false;
  a.streams = b.streams;
  a.prefetch = b.prefetch;
  return sameCode(a, b);
}

/// Whether one cuts K into slices for threads and the other does not, on the
/// same unit.
static bool cutsDepthOtherwise(const Schedule &a, const Schedule &b) {
  return a.unit == b.unit && (a.gridK > 1) != (b.gridK > 1);
}

/// The fastest of the sorted codes that cut K otherwise than the fastest of
/// all, unless it is hopeless.
static std::optional<PredictedSchedule>
fastestOfOtherCut(const std::vector<PredictedSchedule> &codes) {
  const PredictedSchedule &first = codes.front();
  const auto other = std::ranges::find_if(codes, [&](const auto &code) {
    return cutsDepthOtherwise(first.schedule, code.schedule);
  });
  if (other == codes.end() ||
      other->microseconds > kOtherCutOfDepth * first.microseconds)
    return std::nullopt;
  return *other;
}

/// The fastest code, and the fastest of each other way to read; of those that
/// cut K otherwise than the fastest the fastest, too: `count` at most, and none
/// that is hopeless. Dot products never pack nor ask, and stand for no way.
static std::vector<PredictedSchedule>
fastestOfEachKind(std::vector<PredictedSchedule> codes, size_t count,
                  DType weight) {
  if (codes.empty() || count == 0)
    return {};
  std::sort(codes.begin(), codes.end());
  const PredictedSchedule first = codes[0];
  const std::optional<PredictedSchedule> otherCut = fastestOfOtherCut(codes);
  std::erase_if(codes, [&](const PredictedSchedule &code) {
    return code.microseconds > kOtherWayToRead * first.microseconds;
  });
  std::vector<PredictedSchedule> fastest = {first};
  const auto standsForWay = [&](const PredictedSchedule &one) {
    return !one.schedule.vectorsAlongK(weight);
  };
  for (const PredictedSchedule &code : codes) {
    const bool known = std::any_of(
        fastest.begin(), fastest.end(), [&](const PredictedSchedule &one) {
          return standsForWay(one) && readAlike(one.schedule, code.schedule);
        });
    if (fastest.size() < count && standsForWay(code) && !known)
      fastest.push_back(code);
  }
  const auto cutsOtherwise = [&](const PredictedSchedule &code) {
    return cutsDepthOtherwise(first.schedule, code.schedule);
  };
  if (!otherCut || std::ranges::any_of(fastest, cutsOtherwise))
    return fastest;
  // One that seems far behind takes no place of two.
  const bool isNear =
      otherCut->microseconds <= kOtherWayToRead * first.microseconds;
  if (fastest.size() == count && count > (isNear ? 1 : 2))
    fastest.pop_back();
  if (fastest.size() < count)
    fastest.push_back(*otherCut);
  return fastest;
}

/// The taken codes, one of those that differ only in how they read.
static std::vector<PredictedSchedule>
withoutOtherWays(const std::vector<PredictedSchedule> &taken) {
  std::vector<PredictedSchedule> distinct;
  for (const PredictedSchedule &code : taken)
    if (std::none_of(distinct.begin(), distinct.end(),
                     [&](const PredictedSchedule &one) {
                       return sameButForReading(one.schedule, code.schedule);
                     }))
      distinct.push_back(code);
  return distinct;
}

/// `selected` and at most `count` codes with them: tiles not yet taken before
/// other packings and epilogue placements of those that are.
static std::vector<PredictedSchedule>
selectCodes(std::vector<PredictedSchedule> codes,
            std::vector<PredictedSchedule> selected, size_t count) {
  std::erase_if(codes, [&](const PredictedSchedule &code) {
    return std::any_of(selected.begin(), selected.end(),
                       [&](const PredictedSchedule &taken) {
                         return taken.position == code.position;
                       });
  });
  std::vector<PredictedSchedule> distinct;
  auto handicapped = [&](const PredictedSchedule &code) {
    double handicap = 1;
    for (const PredictedSchedule &taken : distinct) {
      if (sameTile(taken.schedule, code.schedule))
        handicap += kSameTile;
      else if (taken.schedule.nr == code.schedule.nr)
        handicap += kSameWidth;
    }
    if (std::any_of(selected.begin(), selected.end(),
                    [&](const PredictedSchedule &taken) {
                      return sameButForStreams(taken.schedule, code.schedule);
                    }))
      handicap += kSameButForStreams;
    return code.microseconds * handicap;
  };
  while (selected.size() < count && !codes.empty()) {
    distinct = withoutOtherWays(selected);
    auto next = std::min_element(
        codes.begin(), codes.end(),
        [&](const PredictedSchedule &a, const PredictedSchedule &b) {
          return handicapped(a) < handicapped(b);
        });
    selected.push_back(*next);
    codes.erase(next);
  }
  return selected;
}

static void keepCodes(std::vector<Contender> &contenders,
                      const std::vector<PredictedSchedule> &codes) {
  std::erase_if(contenders, [&](const Contender &contender) {
    return std::none_of(codes.begin(), codes.end(),
                        [&](const PredictedSchedule &code) {
                          return sameCode(code.schedule, contender.schedule());
                        });
  });
}

static Contender *choose(std::vector<Contender> &contenders) {
  Contender *next = nullptr;
  for (Contender &contender : contenders)
    if (!contender.chosen && (!next || contender.score() < next->score()))
      next = &contender;
  return next;
}

static void handicapAlike(std::vector<Contender> &contenders,
                          const Schedule &taken) {
  for (Contender &contender : contenders) {
    if (!sameCode(contender.schedule(), taken))
      continue;
    contender.handicap += kSameCode;
    if (sameLoops(contender.schedule(), taken))
      contender.handicap += kSameLoops;
  }
}

/// How many of a race's objects may be there for how they read: no more than
/// half, since a small race has other things to try.
static size_t mostWaysToRead(size_t count, size_t maxObjects) {
  const size_t half = std::min(count, maxObjects) / 2;
  return std::min(maxObjects, std::max<size_t>(1, half));
}

/// The contenders that take part, `ways` first: at most `count`.
static std::vector<PredictedSchedule>
chooseAmong(std::vector<Contender> contenders,
            const std::vector<PredictedSchedule> &ways, size_t count) {
  std::vector<PredictedSchedule> chosen;
  const auto take = [&](Contender &next) {
    next.chosen = true;
    chosen.push_back(next.predicted);
    handicapAlike(contenders, next.schedule());
  };
  for (Contender &contender : contenders) {
    const bool isWay = std::any_of(
        ways.begin(), ways.end(), [&](const PredictedSchedule &way) {
          return way.position == contender.predicted.position;
        });
    if (isWay && chosen.size() < count)
      take(contender);
  }
  while (chosen.size() < count) {
    Contender *next = choose(contenders);
    if (!next)
      break;
    take(*next);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<Schedule> selectCandidates(const Problem &problem,
                                       const Target &target, int threads,
                                       size_t count, size_t maxObjects,
                                       std::optional<PanelShape> panel) {
  const CostModel model(problem, target, threads);
  std::vector<Contender> contenders;
  for (const Schedule &schedule : enumerateSchedules(problem, target, threads))
    if (!panel || schedule.panel() == *panel)
      contenders.push_back(
          {{schedule, model.microseconds(schedule), contenders.size()}});
  std::vector<PredictedSchedule> codes = bestOfEachCode(contenders);
  const std::vector<PredictedSchedule> ways = fastestOfEachKind(
      codes, mostWaysToRead(count, maxObjects), problem.types().weight);
  keepCodes(contenders, selectCodes(std::move(codes), ways, maxObjects));
  std::vector<Schedule> schedules;
  for (const PredictedSchedule &predicted :
       chooseAmong(std::move(contenders), ways, count))
    schedules.push_back(predicted.schedule);
  return schedules;
}

} // namespace lintel
