// Schedules close to a good one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Neighbours.h"

#include "Schedule/Legality.h"
#include "Schedule/Partition.h"
#include "Schedule/PredictedSchedule.h"
#include "Schedule/Prefetching.h"
#include "Schedule/Ranking.h"
#include "Schedule/SameCode.h"
#include "Schedule/VectorSchedules.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace lintel {

/// Calls use(name, value) for each field of a schedule's text.
template <class Use>
static void forEachField(std::string_view text, Use &&use) {
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), field.size() + 1));
    const size_t equals = field.find('=');
    use(field.substr(0, equals), field.substr(equals + 1));
  }
}

using FieldValues = std::map<std::string, std::set<std::string>, std::less<>>;

static FieldValues valuesWithTileOf(const Schedule &schedule,
                                    const std::vector<Schedule> &space) {
  FieldValues values;
  for (const Schedule &other : space)
    if (sameTile(other, schedule) && other.panel() == schedule.panel())
      forEachField(other.text(),
                   [&](std::string_view name, std::string_view value) {
                     values[std::string(name)].emplace(value);
                   });
  // Texts leave defaults out.
  if (!values.empty()) {
    values["prefetch"].emplace("0");
    values["ahead"].emplace("0");
    values["share"].emplace("0");
    values["streams"].emplace("1");
    values["hint"].emplace("none");
    values["widen"].emplace("step");
    // Where pairs are summed in s16, nothing else races.
    if (!values["accumulate"].contains("s16"))
      values["accumulate"].emplace("f32");
    values["deal"].emplace("static");
  }
  return values;
}

/// Finer grids are for dealing out; who deals out may also be dealt to
/// beforehand.
static bool gridSuits(const Schedule &neighbour, const Schedule &center,
                      int threads) {
  const int64_t chunks = chunksOf(neighbour);
  return neighbour.deal == Dealing::dynamic
             ? chunks > threads
             : chunks <= std::max<int64_t>(threads, chunksOf(center));
}

/// A change of loops may leave strips nothing to share out.
static bool panelsSuit(const Schedule &neighbour, const Problem &problem) {
  const Partition parts =
      partition(neighbour, problem.rows().typical, problem.n(), problem.k());
  return sharingSuits(neighbour, {parts.stripsPerBlock, parts.panelsPerBlock});
}

/// How much a strip asks for of the next panel follows from how many there are,
/// and from the streams in which they ask.
static void shareAnew(Schedule &schedule, const Problem &problem,
                      const Target &target) {
  const Partition parts =
      partition(schedule, problem.rows().typical, problem.n(), problem.k());
  shareNextPanel(schedule, parts.stripsPerBlock, problem.types().weight,
                 target);
}

/// Strips on vectors ask for the panel that comes next: in the order in which
/// one does, where there are several. An order in which none does leaves them
/// nothing to ask for.
static void orderAnew(Schedule &neighbour, std::string_view changed,
                      const Problem &problem, const Target &target) {
  if (neighbour.onTiles() || neighbour.share == 0)
    return;
  if (changed == "share")
    shareAnew(neighbour, problem, target);
  if (panelsSuit(neighbour, problem))
    return;
  if (changed == "share") {
    neighbour.tiles = LoopOrder::nm;
    neighbour.blocks = LoopOrder::mn;
  } else if (changed == "tiles" || changed == "blocks") {
    neighbour.share = 0;
  }
}

/// Where panels are widened, and where no longer, what goes with it.
static void widenAnew(Schedule &neighbour, const Problem &problem,
                      const Target &target) {
  if (neighbour.widensPanels()) {
    neighbour.pack = PackA::block;
    neighbour.tiles = LoopOrder::nm;
    neighbour.ahead = 0;
    neighbour.streams = 1;
  }
  if (neighbour.share > 0)
    shareAnew(neighbour, problem, target);
}

/// On tiles any change may be one of that.
static void askAnew(Schedule &neighbour, std::string_view changed,
                    const Problem &problem, const Target &target) {
  if (!neighbour.onTiles())
    return;
  if (changed == "prefetch") {
    if (neighbour.prefetch == 0)
      neighbour.streams = 1;
    return;
  }
  if (neighbour.prefetch > 0 || neighbour.streams > 1)
    shareAnew(neighbour, problem, target);
}

std::vector<Schedule> neighboursOf(const Schedule &schedule,
                                   const std::vector<Schedule> &space,
                                   const Problem &problem, const Target &target,
                                   int threads, size_t count) {
  std::vector<PredictedSchedule> ranked;
  for (const auto &[name, values] : valuesWithTileOf(schedule, space))
    for (const std::string &value : values) {
      Schedule other = schedule;
      if (!other.setField(name, value))
        continue;
      askAnew(other, name, problem, target);
      orderAnew(other, name, problem, target);
      if (name == "widen")
        widenAnew(other, problem, target);
      other.embed = rowsToEmbed(other, problem.types(), target);
      const bool isNew =
          !(other == schedule) &&
          std::ranges::find(ranked, other, &PredictedSchedule::schedule) ==
              ranked.end();
      if (isNew && gridSuits(other, schedule, threads) &&
          panelsSuit(other, problem) && checkSchedule(other, problem, target))
        ranked.push_back({other,
                          predictMicroseconds(other, problem, target, threads),
                          ranked.size()});
    }
  std::sort(ranked.begin(), ranked.end());
  std::vector<Schedule> neighbours;
  for (size_t i = 0; i < std::min(count, ranked.size()); ++i)
    neighbours.push_back(ranked[i].schedule);
  return neighbours;
}

std::optional<Schedule> onTileOf(const Schedule &other,
                                 const Schedule &schedule,
                                 const Problem &problem, const Target &target) {
  if (other.unit != schedule.unit)
    return std::nullopt;
  Schedule moved = schedule;
  moved.mr = other.mr;
  moved.nr = other.nr;
  moved.group = other.group;
  // Dot products sum in f32 or i32, whatever tiles beside them sum in.
  if (schedule.vectorsAlongK(problem.types().weight) !=
      other.vectorsAlongK(problem.types().weight))
    moved.accumulate = other.accumulate;
  moved.mc = other.mc;
  moved.nc = other.nc;
  if (moved.prefetchesNextPanel())
    shareAnew(moved, problem, target);
  moved.embed = rowsToEmbed(moved, problem.types(), target);
  if (!panelsSuit(moved, problem) || !checkSchedule(moved, problem, target))
    return std::nullopt;
  return moved;
}

} // namespace lintel
