// The choice of candidates for a race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/CostModel.h"
#include "Schedule/PredictedSchedule.h"
#include "Schedule/Ranking.h"
#include "Schedule/SearchSpace.h"

#include <algorithm>

namespace lintel {

// How much slower than its rivals the model must think a schedule before one
// that resembles those already chosen is preferred to it.
static constexpr double kSameTile = 0.06;
static constexpr double kSameWidth = 0.03;
static constexpr double kSameCode = 0.02;
static constexpr double kSameLoops = 0.03;
/// How much slower than the fastest the model may think a way to ask for the
/// weight that still takes part: it has them 3 to 7 % apart where they are 20
/// to 80 on Zen 4, one way up to six rows and the other way from seven on.
static constexpr double kOtherWayToAsk = 1.15;

namespace {
struct Contender {
  PredictedSchedule predicted;
  double handicap = 1; ///< grows with each chosen schedule that resembles it
  bool chosen = false;

  const Schedule &schedule() const { return predicted.schedule; }
  double score() const { return predicted.microseconds * handicap; }
};
} // namespace

static bool sameTile(const Schedule &a, const Schedule &b) {
  return a.mr == b.mr && a.nr == b.nr;
}

static bool sameCode(const Schedule &a, const Schedule &b) {
  return a.code() == b.code();
}

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

/// Whether both ask for the weight in the same ways, however far ahead.
static bool asksAlike(const Schedule &a, const Schedule &b) {
  return (a.prefetch > 0) == (b.prefetch > 0) &&
         (a.ahead > 0) == (b.ahead > 0) && a.streams == b.streams;
}

/// Moves the fastest code of each way to ask for the weight, the fastest of all
/// first, out of `codes`.
static std::vector<PredictedSchedule>
takeEachWayToAsk(std::vector<PredictedSchedule> &codes) {
  std::sort(codes.begin(), codes.end());
  std::vector<PredictedSchedule> taken, others;
  for (const PredictedSchedule &code : codes) {
    const bool known = std::any_of(
        taken.begin(), taken.end(), [&](const PredictedSchedule &one) {
          return asksAlike(one.schedule, code.schedule);
        });
    const bool hopeless =
        !taken.empty() &&
        code.microseconds > kOtherWayToAsk * taken.front().microseconds;
    (known || hopeless ? others : taken).push_back(code);
  }
  codes = std::move(others);
  return taken;
}

/// At most `count` codes: the fastest of each way to ask for the weight, then
/// tiles not yet taken before other packings and epilogue placements of those
/// that are.
static std::vector<PredictedSchedule>
selectCodes(std::vector<PredictedSchedule> codes, size_t count) {
  std::vector<PredictedSchedule> selected = takeEachWayToAsk(codes);
  selected.resize(std::min(selected.size(), count));
  auto handicapped = [&](const PredictedSchedule &code) {
    double handicap = 1;
    for (const PredictedSchedule &taken : selected) {
      if (sameTile(taken.schedule, code.schedule))
        handicap += kSameTile;
      else if (taken.schedule.nr == code.schedule.nr)
        handicap += kSameWidth;
    }
    return code.microseconds * handicap;
  };
  while (selected.size() < count && !codes.empty()) {
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
  keepCodes(contenders, selectCodes(bestOfEachCode(contenders), maxObjects));

  std::vector<PredictedSchedule> chosen;
  while (chosen.size() < count) {
    Contender *next = choose(contenders);
    if (!next)
      break;
    next->chosen = true;
    chosen.push_back(next->predicted);
    handicapAlike(contenders, next->schedule());
  }
  std::sort(chosen.begin(), chosen.end());
  std::vector<Schedule> schedules;
  for (const PredictedSchedule &predicted : chosen)
    schedules.push_back(predicted.schedule);
  return schedules;
}

} // namespace lintel
