// The fields of a schedule: their text, and the values they take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/Schedule.h"
#include "Lintel/FieldText.h"
#include "Lintel/Target.h"

#include <array>

namespace lintel {
namespace {

/// Bound tile and grid, so that products of two of either stay exact.
constexpr int64_t kLargestSide = int64_t(1) << 20;
constexpr int64_t kLargestGrid = int64_t(1) << 16;
/// Bytes in the widest vector there is.
constexpr int64_t kLargestGroup = 64;
/// Bytes ahead, up to a distance beyond any use; zero leaves it to the
/// hardware.
constexpr NumberRange kDistances = {0, int64_t(1) << 20};
/// Lines of a step: those of the widest tile there is, and more.
constexpr NumberRange kSharedLines = {0, 64};
/// Rows of the tallest tile that the registers hold.
constexpr NumberRange kEmbeddedRows = {0, 32};
/// Twice what is raced; the k loop grows with each.
constexpr int64_t kMostStreams = 16;

struct BlockField {
  std::string_view name;
  int64_t Schedule::*member;
};
constexpr std::array<BlockField, 3> kBlockFields = {{
    {"mc", &Schedule::mc},
    {"nc", &Schedule::nc},
    {"kc", &Schedule::kc},
}};

struct PairField {
  std::string_view name;
  std::string_view form; ///< what its message calls the two numbers
  int64_t Schedule::*first;
  int64_t Schedule::*second;
  int64_t largest;
};
constexpr PairField kTile = {"tile", "ROWSxCOLUMNS, e.g. 8x48", &Schedule::mr,
                             &Schedule::nr, kLargestSide};
constexpr PairField kGrid = {"grid",
                             "CHUNKSxCHUNKS or CHUNKSxCHUNKSxSLICES, e.g. 1x2 "
                             "or 1x1x4",
                             &Schedule::gridM, &Schedule::gridN, kLargestGrid};

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

template <class Enum> std::string wordOf(Enum value) {
  return std::string(Words<Enum>::text[static_cast<size_t>(value)]);
}

template <class Enum>
Status setWord(Enum &field, std::string_view name, std::string_view value) {
  const auto &words = Words<Enum>::text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == value) {
      field = static_cast<Enum>(i);
      return {};
    }
  }
  std::string legal;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view separator = i == 0                  ? ""
                                       : i + 1 == words.size() ? " or "
                                                               : ", ";
    legal += std::string(separator) + "'" + std::string(words[i]) + "'";
  }
  return Error(ErrorCode::parse, std::string(name) + " takes " + legal +
                                     ", not '" + std::string(value) + "'");
}

Status setPair(Schedule &schedule, const PairField &field,
               std::string_view value) {
  size_t separator = value.find('x');
  if (separator == std::string_view::npos)
    return Error(ErrorCode::parse, std::string(field.name) + " takes " +
                                       std::string(field.form) + ", not '" +
                                       std::string(value) + "'");
  Expected<int64_t> first =
      parseCount(field.name, value.substr(0, separator), field.largest);
  if (!first)
    return first.error();
  Expected<int64_t> second =
      parseCount(field.name, value.substr(separator + 1), field.largest);
  if (!second)
    return second.error();
  schedule.*field.first = *first;
  schedule.*field.second = *second;
  return {};
}

Status setNumber(int64_t &field, std::string_view name, std::string_view value,
                 NumberRange range) {
  Expected<int64_t> number = parseNumber(name, value, range);
  if (!number)
    return number.error();
  field = *number;
  return {};
}

Status checkNumber(std::string_view name, int64_t number, NumberRange range) {
  if (range.holds(number))
    return {};
  return numberError(name, std::to_string(number), range);
}

Status setCount(int64_t &field, std::string_view name, std::string_view value,
                int64_t largest) {
  return setNumber(field, name, value, {1, largest});
}

/// Like a pair, and a third number where there are slices of K.
Status setGrid(Schedule &schedule, std::string_view value) {
  size_t last = value.rfind('x');
  int64_t slices = 1;
  if (last != std::string_view::npos && value.find('x') != last) {
    if (Status status =
            setCount(slices, kGrid.name, value.substr(last + 1), kGrid.largest);
        !status)
      return status;
    value = value.substr(0, last);
  }
  if (Status status = setPair(schedule, kGrid, value); !status)
    return status;
  schedule.gridK = slices;
  return {};
}

Status setBlock(Schedule &schedule, const BlockField &field,
                std::string_view value) {
  if (value == "whole") {
    schedule.*field.member = Schedule::kWhole;
    return {};
  }
  Expected<int64_t> size = parseCount(field.name, value, Schedule::kWhole);
  if (!size)
    return Error(ErrorCode::parse, size.error().message() + "; 'whole' is the "
                                                            "whole dimension");
  schedule.*field.member = *size;
  return {};
}

std::string pairText(const Schedule &schedule, const PairField &field) {
  return std::string(field.name) + "=" + std::to_string(schedule.*field.first) +
         "x" + std::to_string(schedule.*field.second);
}

Status checkCount(std::string_view field, int64_t value, int64_t largest) {
  return checkNumber(field, value, {1, largest});
}

} // namespace

static std::string tileText(const Schedule &schedule) {
  std::string text = pairText(schedule, kTile);
  if (schedule.unit != Unit::vector)
    text += ",unit=" + wordOf(schedule.unit);
  if (schedule.accumulate != Accumulate::f32)
    text += ",accumulate=" + wordOf(schedule.accumulate);
  if (schedule.hint != StreamHint::none)
    text += ",hint=" + wordOf(schedule.hint);
  if (schedule.group != 1)
    text += ",group=" + std::to_string(schedule.group);
  if (schedule.prefetch != 0)
    text += ",prefetch=" + std::to_string(schedule.prefetch);
  if (schedule.ahead != 0)
    text += ",ahead=" + std::to_string(schedule.ahead);
  if (schedule.share != 0)
    text += ",share=" + std::to_string(schedule.share);
  if (schedule.streams != 1)
    text += ",streams=" + std::to_string(schedule.streams);
  text += ",pack=" + wordOf(schedule.pack);
  if (schedule.embed != 0)
    text += ",embed=" + std::to_string(schedule.embed);
  if (schedule.widensPanels())
    text += ",widen=" + wordOf(schedule.widen);
  text += ",epilogue=" + wordOf(schedule.epilogue);
  if (schedule.store != StorePolicy::cached)
    text += ",store=" + wordOf(schedule.store);
  return text;
}

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

static std::string gridText(const Schedule &schedule) {
  std::string text = pairText(schedule, kGrid);
  if (schedule.gridK != 1)
    text += "x" + std::to_string(schedule.gridK);
  return text;
}

std::string Schedule::text() const {
  std::string result = tileText(*this);
  for (const BlockField &field : kBlockFields) {
    int64_t size = this->*field.member;
    result += "," + std::string(field.name) + "=" +
              (size == kWhole ? "whole" : std::to_string(size));
  }
  result += ",blocks=" + wordOf(blocks) + ",tiles=" + wordOf(tiles) + "," +
            gridText(*this);
  if (deal != Dealing::fixed)
    result += ",deal=" + wordOf(deal);
  return result;
}

Status Schedule::setField(std::string_view name, std::string_view value) {
  for (const BlockField &field : kBlockFields)
    if (field.name == name)
      return setBlock(*this, field, value);
  if (name == kTile.name)
    return setPair(*this, kTile, value);
  if (name == kGrid.name)
    return setGrid(*this, value);
  if (name == "group")
    return setCount(group, name, value, kLargestGroup);
  if (name == "prefetch")
    return setNumber(prefetch, name, value, kDistances);
  if (name == "ahead")
    return setNumber(ahead, name, value, kDistances);
  if (name == "share")
    return setNumber(share, name, value, kSharedLines);
  if (name == "streams")
    return setCount(streams, name, value, kMostStreams);
  if (name == "unit")
    return setWord(unit, name, value);
  if (name == "accumulate")
    return setWord(accumulate, name, value);
  if (name == "hint")
    return setWord(hint, name, value);
  if (name == "pack")
    return setWord(pack, name, value);
  if (name == "embed")
    return setNumber(embed, name, value, kEmbeddedRows);
  if (name == "widen")
    return setWord(widen, name, value);
  if (name == "epilogue")
    return setWord(epilogue, name, value);
  if (name == "store")
    return setWord(store, name, value);
  if (name == "blocks")
    return setWord(blocks, name, value);
  if (name == "tiles")
    return setWord(tiles, name, value);
  if (name == "deal")
    return setWord(deal, name, value);
  return Error(ErrorCode::parse,
               "a schedule has no field '" + std::string(name) +
                   "'; its fields are tile, unit, accumulate, hint, group, "
                   "prefetch, ahead, share, streams, pack, embed, widen, "
                   "epilogue, store, "
                   "mc, nc, kc, blocks, tiles, grid and deal");
}

Status Schedule::check() const {
  for (const PairField &field : {kTile, kGrid})
    for (int64_t Schedule::*member : {field.first, field.second})
      if (Status status = checkCount(field.name, this->*member, field.largest);
          !status)
        return status;
  if (Status status = checkCount(kGrid.name, gridK, kGrid.largest); !status)
    return status;
  if (Status status = checkCount("group", group, kLargestGroup); !status)
    return status;
  if (Status status = checkNumber("prefetch", prefetch, kDistances); !status)
    return status;
  if (Status status = checkNumber("ahead", ahead, kDistances); !status)
    return status;
  if (Status status = checkNumber("share", share, kSharedLines); !status)
    return status;
  if (Status status = checkCount("streams", streams, kMostStreams); !status)
    return status;
  if (Status status = checkNumber("embed", embed, kEmbeddedRows); !status)
    return status;
  for (const BlockField &field : kBlockFields)
    if (Status status = checkCount(field.name, this->*field.member, kWhole);
        !status)
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
