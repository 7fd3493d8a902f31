// Aligned columns for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lintel::tool {

/// Columns as wide as their widest cell, two spaces apart.
class Table {
public:
  enum class Align { left, right };
  /// Cells beyond `columns` are aligned left.
  Table(std::string indent, std::vector<Align> columns);

  void addRow(std::vector<std::string> cells);
  /// Every row on a line of its own, without trailing spaces.
  std::string text() const;

private:
  Align alignmentOf(size_t column) const;
  std::string indent;
  std::vector<Align> columns;
  std::vector<std::vector<std::string>> rows;
};

/// A number with so many decimals, and a unit behind it: "0.6123 ms" of
/// 0.61234, 4 and " ms".
std::string fixed(double value, int decimals, std::string_view unit = "");
/// A time in milliseconds, with four decimals, or with as many more as three
/// digits take, down to picoseconds: "2.6812 ms", "0.0000431 ms".
std::string millisecondsText(double microseconds);
/// "1 entry", "3 entries".
std::string counted(size_t count, std::string_view one, std::string_view many);
/// "512 B", "32 KiB", "1.5 MiB".
std::string bytesText(double bytes);
/// "2026-11-21 10:28" in local time.
std::string timeText(int64_t unixSeconds);

} // namespace lintel::tool
