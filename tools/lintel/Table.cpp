// Aligned columns for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Table.h"

#include "Runtime/PrintableText.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>

namespace lintel::tool {

Table::Table(std::string indent, std::vector<Align> columns)
    : indent(std::move(indent)), columns(std::move(columns)) {}

void Table::addRow(std::vector<std::string> cells) {
  for (std::string &cell : cells)
    cell = onOneLine(cell);
  rows.push_back(std::move(cells));
}

Table::Align Table::alignmentOf(size_t column) const {
  return column < columns.size() ? columns[column] : Align::left;
}

std::string Table::text() const {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    // The last cell of a row, a remark for instance, widens nothing.
    for (size_t column = 0; column + 1 < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
    if (!row.empty() && alignmentOf(row.size() - 1) == Align::right)
      widths[row.size() - 1] =
          std::max(widths[row.size() - 1], row.back().size());
  }
  std::string text;
  for (const std::vector<std::string> &row : rows) {
    std::string line = indent;
    for (size_t column = 0; column < row.size(); ++column) {
      const std::string &cell = row[column];
      std::string padding(
          widths[column] - std::min(widths[column], cell.size()), ' ');
      line += column == 0 ? "" : "  ";
      line +=
          alignmentOf(column) == Align::left ? cell + padding : padding + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string fixed(double value, int decimals, std::string_view unit) {
  char digits[400];
  auto [end, error] = std::to_chars(digits, digits + sizeof digits, value,
                                    std::chars_format::fixed, decimals);
  return (error == std::errc() ? std::string(digits, end) : std::string("?")) +
         std::string(unit);
}

std::string millisecondsText(double microseconds) {
  constexpr int kFewest = 4, kMost = 9;
  const double milliseconds = microseconds / 1000;
  int decimals = kFewest;
  for (double digits = milliseconds * 1e4;
       digits > 0 && digits < 100 && decimals < kMost; digits *= 10)
    ++decimals;
  return fixed(milliseconds, decimals, " ms");
}

std::string counted(size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

std::string bytesText(double bytes) {
  constexpr std::string_view kUnits[] = {" B", " KiB", " MiB", " GiB", " TiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit)
    bytes /= 1024;
  bool whole = bytes == std::floor(bytes);
  return fixed(bytes, whole ? 0 : 1, kUnits[unit]);
}

std::string timeText(int64_t unixSeconds) {
  const std::time_t seconds = unixSeconds;
  std::tm local = {};
  std::array<char, 32> text{};
  if (!localtime_r(&seconds, &local) ||
      std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &local) == 0)
    return "?";
  return text.data();
}

} // namespace lintel::tool
