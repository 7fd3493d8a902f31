// What a machine can do at most, measured once and kept: values and their text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/MachinePeaks.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lintel {
namespace {

constexpr std::string_view kFormat = "lintel-peaks ";
constexpr std::string_view kVersion = "9";
/// Above what any machine reaches; its digits fit the buffer of numberText().
constexpr double kLargestRate = 1e9;

/// Calls visit(name, rate) for every rate of a row, in their order in the text.
template <class Row, class Visit> void forEachRate(Row &row, Visit visit) {
  for (ProductInstruction instruction : kProductInstructions)
    visit(toString(instruction), row.gflops(instruction));
  visit("l1", row.l1Gbps);
  visit("l2", row.l2Gbps);
  visit("l3", row.l3Gbps);
  visit("memory", row.memoryGbps);
}

/// printf would obey LC_NUMERIC.
std::string numberText(double value) {
  char digits[32];
  const double bounded =
      std::isfinite(value) ? std::clamp(value, 0.0, kLargestRate) : 0;
  std::to_chars_result end = std::to_chars(digits, digits + sizeof digits,
                                           bounded, std::chars_format::fixed,
                                           /*precision=*/3);
  return std::string(digits, end.ptr);
}

/// Takes one piece after the other off the front of a text; after the first
/// that is not there, nothing more.
class Reader {
public:
  explicit Reader(std::string_view text) : rest(text) {}

  bool failed() const { return isBad; }
  bool atEnd() const { return rest.empty(); }

  void skip(std::string_view expected) {
    if (!rest.starts_with(expected))
      return fail();
    rest.remove_prefix(expected.size());
  }
  std::string line() {
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
      fail();
      return {};
    }
    std::string text(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    return text;
  }
  template <class Number> Number number() {
    Number value{};
    auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc()) {
      fail();
      return {};
    }
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    return value;
  }
  Rate rate() {
    Rate read;
    read.best = number<double>();
    skip("/");
    read.median = number<double>();
    return read;
  }

private:
  void fail() {
    isBad = true;
    rest = {};
  }
  std::string_view rest;
  bool isBad = false;
};

ThreadPeaks readRow(Reader &reader) {
  ThreadPeaks row;
  reader.skip("threads=");
  row.threads = reader.number<int>();
  reader.skip(" measured=");
  row.measuredUnixSeconds = reader.number<int64_t>();
  forEachRate(row, [&](std::string_view name, Rate &rate) {
    reader.skip(" ");
    reader.skip(name);
    reader.skip("=");
    rate = reader.rate();
  });
  reader.skip("\n");
  return row;
}

bool isSensible(const Rate &rate) {
  return rate.median >= 0 && rate.best >= rate.median &&
         rate.best <= kLargestRate && (rate.median > 0 || rate.best == 0);
}

bool isSensible(const MachinePeaks &peaks) {
  int previous = 0;
  for (const ThreadPeaks &row : peaks.rows) {
    if (row.threads <= previous || row.measuredUnixSeconds < 0)
      return false;
    bool sensible = true;
    forEachRate(row, [&](std::string_view, const Rate &rate) {
      sensible &= isSensible(rate);
    });
    if (!sensible)
      return false;
    previous = row.threads;
  }
  return peaks.measuredUnixSeconds >= 0;
}

} // namespace

Rate Rate::of(std::vector<double> samples) {
  if (samples.empty())
    return {};
  std::ranges::sort(samples);
  return {samples.back(), samples[samples.size() / 2]};
}

const ThreadPeaks *MachinePeaks::of(int threads) const {
  auto row = std::ranges::find(rows, threads, &ThreadPeaks::threads);
  return row == rows.end() ? nullptr : &*row;
}

void MachinePeaks::put(const ThreadPeaks &row) {
  auto place =
      std::ranges::lower_bound(rows, row.threads, {}, &ThreadPeaks::threads);
  if (place != rows.end() && place->threads == row.threads)
    *place = row;
  else
    rows.insert(place, row);
}

std::string MachinePeaks::text() const {
  std::string text;
  text.append(kFormat).append(kVersion).append("\nmachine ").append(machine);
  text += "\nmeasured " + std::to_string(measuredUnixSeconds) + "\n";
  for (const ThreadPeaks &row : rows) {
    text += "threads=" + std::to_string(row.threads) +
            " measured=" + std::to_string(row.measuredUnixSeconds);
    forEachRate(row, [&](std::string_view name, const Rate &rate) {
      text.append(" ").append(name) +=
          "=" + numberText(rate.best) + "/" + numberText(rate.median);
    });
    text += "\n";
  }
  return text;
}

Expected<MachinePeaks> MachinePeaks::parse(std::string_view text) {
  Reader reader(text);
  reader.skip(kFormat);
  const std::string version = reader.line();
  if (reader.failed())
    return Error(ErrorCode::corrupt,
                 "machine peaks: the text must begin with '" +
                     std::string(kFormat) + "'");
  if (version != kVersion)
    return Error(ErrorCode::unsupported, "machine peaks: version '" + version +
                                             "', this Lintel reads " +
                                             std::string(kVersion));
  MachinePeaks peaks;
  reader.skip("machine ");
  peaks.machine = reader.line();
  reader.skip("measured ");
  peaks.measuredUnixSeconds = reader.number<int64_t>();
  reader.skip("\n");
  while (!reader.failed() && !reader.atEnd())
    peaks.rows.push_back(readRow(reader));
  // One spelling: numbers with other digits or signs are not ours.
  if (reader.failed() || !isSensible(peaks) || peaks.text() != text)
    return Error(ErrorCode::corrupt,
                 "machine peaks: not what Lintel writes; measure again");
  return peaks;
}

} // namespace lintel
