// The fields of a schedule: their text, and the values they take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/Schedule.h"
#include "Basics/MessageText.h"
#include "Lintel/FieldText.h"
#include "Lintel/Target.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>
#include <vector>

namespace lintel {
namespace {

/// Bound tile and grid, so that products of two of either stay exact.
constexpr int64_t kLargestSide = int64_t(1) << 20;
constexpr int64_t kLargestGrid = int64_t(1) << 16;
/// Bytes in the widest vector there is.
constexpr NumberRange kGroups = {1, 64};
/// Bytes ahead, up to a distance beyond any use; zero leaves it to the
/// hardware.
constexpr NumberRange kDistances = {0, int64_t(1) << 20};
/// Lines of a step: those of the widest tile there is, and more.
constexpr NumberRange kSharedLines = {0, 64};
/// Rows of the tallest tile that the registers hold.
constexpr NumberRange kEmbeddedRows = {0, 32};
/// Twice what is raced; the k loop grows with each.
constexpr NumberRange kStreams = {1, 16};

/// The word of each enumerator, in order.
template <class Enum> struct Words;
template <> struct Words<PackA> {
  static constexpr std::array<std::string_view, 3> text = {"none", "block",
                                                           "whole"};
};
template <> struct Words<Widen> {
  static constexpr std::array<std::string_view, 2> text = {"step", "panel"};
};
template <> struct Words<Unit> {
  static constexpr std::array<std::string_view, 2> text = {"vector", "amx"};
};
template <> struct Words<Accumulate> {
  static constexpr std::array<std::string_view, 3> text = {"f32", "f16", "s16"};
};
template <> struct Words<StreamHint> {
  static constexpr std::array<std::string_view, 3> text = {"none", "a", "b"};
};
template <> struct Words<EpiloguePlacement> {
  static constexpr std::array<std::string_view, 3> text = {"registers", "tile",
                                                           "next"};
};
template <> struct Words<StorePolicy> {
  static constexpr std::array<std::string_view, 2> text = {"cached", "stream"};
};
template <> struct Words<Dealing> {
  static constexpr std::array<std::string_view, 2> text = {"static", "dynamic"};
};
template <> struct Words<LoopOrder> {
  static constexpr std::array<std::string_view, 2> text = {"mn", "nm"};
};

//===----------------------------------------------------------------------===//
// Kinds of fields
//===----------------------------------------------------------------------===//

/// All that text says of one field.
struct Field {
  std::string_view name;
  /// Empty where it has the default and is left out.
  std::string (*text)(const Schedule &);
  Status (*set)(Schedule &, std::string_view name, std::string_view value);
  /// Whether it is in its range; words always are.
  Status (*check)(const Schedule &, std::string_view name);
};

/// Whether a field that has the default is written.
enum class Default { written, leftOut };

template <auto member, Default whenDefault>
constexpr Field words(std::string_view name) {
  using Enum = std::remove_cvref_t<decltype(Schedule().*member)>;
  return {name,
          [](const Schedule &schedule) {
            const Enum value = schedule.*member;
            const bool said =
                whenDefault == Default::written || value != Schedule().*member;
            return said ? std::string(
                              Words<Enum>::text[static_cast<size_t>(value)])
                        : "";
          },
          [](Schedule &schedule, std::string_view name,
             std::string_view value) -> Status {
            const auto &known = Words<Enum>::text;
            const auto found = std::ranges::find(known, value);
            if (found == known.end())
              return Error(ErrorCode::parse, std::string(name) + " takes " +
                                                 listOf(known, "or", "'") +
                                                 ", not '" + shortened(value) +
                                                 "'");
            schedule.*member = static_cast<Enum>(found - known.begin());
            return {};
          },
          [](const Schedule &, std::string_view) { return Status(); }};
}

Status checkNumber(std::string_view name, int64_t number, NumberRange range) {
  if (range.holds(number))
    return {};
  return numberError(name, std::to_string(number), range);
}

template <int64_t Schedule::*member, NumberRange range>
constexpr Field number(std::string_view name) {
  return {name,
          [](const Schedule &schedule) {
            const int64_t value = schedule.*member;
            return value == Schedule().*member ? "" : std::to_string(value);
          },
          [](Schedule &schedule, std::string_view name,
             std::string_view value) -> Status {
            Expected<int64_t> number = parseNumber(name, value, range);
            if (!number)
              return number.error();
            schedule.*member = *number;
            return {};
          },
          [](const Schedule &schedule, std::string_view name) {
            return checkNumber(name, schedule.*member, range);
          }};
}

/// A size of a block: a count, or all of the dimension.
template <int64_t Schedule::*member>
constexpr Field block(std::string_view name) {
  return {name,
          [](const Schedule &schedule) {
            const int64_t size = schedule.*member;
            return size == Schedule::kWhole ? "whole" : std::to_string(size);
          },
          [](Schedule &schedule, std::string_view name,
             std::string_view value) -> Status {
            if (value == "whole") {
              schedule.*member = Schedule::kWhole;
              return {};
            }
            Expected<int64_t> size = parseCount(name, value, Schedule::kWhole);
            if (!size)
              return Error(ErrorCode::parse, size.error().message() +
                                                 "; 'whole' is the whole "
                                                 "dimension");
            schedule.*member = *size;
            return {};
          },
          [](const Schedule &schedule, std::string_view name) {
            return checkNumber(name, schedule.*member, {1, Schedule::kWhole});
          }};
}

//===----------------------------------------------------------------------===//
// Tile and grid
//===----------------------------------------------------------------------===//

struct Pair {
  int64_t first, second;
};

std::string pairText(Pair pair) {
  return std::to_string(pair.first) + "x" + std::to_string(pair.second);
}

/// `form`: what a message calls the two numbers.
Expected<Pair> parsePair(std::string_view name, std::string_view value,
                         std::string_view form, int64_t largest) {
  const size_t separator = value.find('x');
  if (separator == std::string_view::npos)
    return Error(ErrorCode::parse, std::string(name) + " takes " +
                                       std::string(form) + ", not '" +
                                       shortened(value) + "'");
  Expected<int64_t> first =
      parseCount(name, value.substr(0, separator), largest);
  if (!first)
    return first.error();
  Expected<int64_t> second =
      parseCount(name, value.substr(separator + 1), largest);
  if (!second)
    return second.error();
  return Pair{*first, *second};
}

std::string tileText(const Schedule &schedule) {
  return pairText({schedule.mr, schedule.nr});
}

Status setTile(Schedule &schedule, std::string_view name,
               std::string_view value) {
  Expected<Pair> tile =
      parsePair(name, value, "ROWSxCOLUMNS, e.g. 8x48", kLargestSide);
  if (!tile)
    return tile.error();
  schedule.mr = tile->first;
  schedule.nr = tile->second;
  return {};
}

Status checkTile(const Schedule &schedule, std::string_view name) {
  for (int64_t side : {schedule.mr, schedule.nr})
    if (Status status = checkNumber(name, side, {1, kLargestSide}); !status)
      return status;
  return {};
}

std::string gridText(const Schedule &schedule) {
  const std::string chunks = pairText({schedule.gridM, schedule.gridN});
  return schedule.gridK == 1 ? chunks
                             : chunks + "x" + std::to_string(schedule.gridK);
}

/// A pair, and a third number where there are slices of K.
Status setGrid(Schedule &schedule, std::string_view name,
               std::string_view value) {
  const size_t last = value.rfind('x');
  int64_t slices = 1;
  if (last != std::string_view::npos && value.find('x') != last) {
    Expected<int64_t> third =
        parseCount(name, value.substr(last + 1), kLargestGrid);
    if (!third)
      return third.error();
    slices = *third;
    value = value.substr(0, last);
  }
  Expected<Pair> chunks = parsePair(
      name, value, "CHUNKSxCHUNKS or CHUNKSxCHUNKSxSLICES, e.g. 1x2 or 1x1x4",
      kLargestGrid);
  if (!chunks)
    return chunks.error();
  schedule.gridM = chunks->first;
  schedule.gridN = chunks->second;
  schedule.gridK = slices;
  return {};
}

Status checkGrid(const Schedule &schedule, std::string_view name) {
  for (int64_t side : {schedule.gridM, schedule.gridN, schedule.gridK})
    if (Status status = checkNumber(name, side, {1, kLargestGrid}); !status)
      return status;
  return {};
}

//===----------------------------------------------------------------------===//
// The fields
//===----------------------------------------------------------------------===//

/// In the order of the grammar.
constexpr Field kFields[] = {
    {"tile", tileText, setTile, checkTile},
    words<&Schedule::unit, Default::leftOut>("unit"),
    words<&Schedule::accumulate, Default::leftOut>("accumulate"),
    words<&Schedule::hint, Default::leftOut>("hint"),
    number<&Schedule::group, kGroups>("group"),
    number<&Schedule::prefetch, kDistances>("prefetch"),
    number<&Schedule::ahead, kDistances>("ahead"),
    number<&Schedule::share, kSharedLines>("share"),
    number<&Schedule::streams, kStreams>("streams"),
    words<&Schedule::pack, Default::written>("pack"),
    number<&Schedule::embed, kEmbeddedRows>("embed"),
    words<&Schedule::widen, Default::leftOut>("widen"),
    words<&Schedule::epilogue, Default::written>("epilogue"),
    words<&Schedule::store, Default::leftOut>("store"),
    block<&Schedule::mc>("mc"),
    block<&Schedule::nc>("nc"),
    block<&Schedule::kc>("kc"),
    words<&Schedule::blocks, Default::written>("blocks"),
    words<&Schedule::tiles, Default::written>("tiles"),
    {"grid", gridText, setGrid, checkGrid},
    words<&Schedule::deal, Default::leftOut>("deal"),
};

std::string fieldNames() {
  std::vector<std::string_view> names;
  for (const Field &field : kFields)
    names.push_back(field.name);
  return listOf(names, "and");
}

} // namespace

Schedule Schedule::code() const {
  const Schedule defaults;
  Schedule result = *this;
  result.mc = defaults.mc;
  result.nc = defaults.nc;
  if (depth() == Depth::cut)
    result.kc = defaults.kc;
  result.blocks = defaults.blocks;
  result.tiles = widensPanels() ? LoopOrder::nm : defaults.tiles;
  result.gridM = defaults.gridM;
  result.gridN = defaults.gridN;
  // Any number of slices takes the same code; two stand for all.
  if (depth() == Depth::sliced)
    result.gridK = 2;
  result.deal = defaults.deal;
  return result;
}

std::string Schedule::text() const {
  std::string result;
  for (const Field &field : kFields)
    if (const std::string value = field.text(*this); !value.empty())
      result +=
          (result.empty() ? "" : ",") + std::string(field.name) + "=" + value;
  return result;
}

Status Schedule::setField(std::string_view name, std::string_view value) {
  const auto *field = std::ranges::find(kFields, name, &Field::name);
  if (field == std::end(kFields))
    return Error(ErrorCode::parse, "a schedule has no field '" +
                                       shortened(name) + "'; its fields are " +
                                       fieldNames());
  return field->set(*this, field->name, value);
}

Status Schedule::check() const {
  for (const Field &field : kFields)
    if (Status status = field.check(*this, field.name); !status)
      return status;
  return {};
}

Expected<Schedule> Schedule::parse(std::string_view text) {
  Schedule schedule;
  schedule.mc = schedule.nc = schedule.kc = kWhole;
  Status status =
      parseFields(text, "schedule", "tile",
                  [&](std::string_view name, std::string_view value) {
                    return schedule.setField(name, value);
                  });
  if (!status)
    return status.error();
  return schedule;
}

} // namespace lintel
