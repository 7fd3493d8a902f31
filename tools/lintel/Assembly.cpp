// What assembly text says about a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Assembly.h"

#include <algorithm>
#include <bitset>
#include <cctype>

namespace lintel::tool {

namespace {

/// A label that is not local begins a function.
bool beginsFunction(std::string_view line) {
  return !line.empty() && line[0] != '.' && line[0] != '#' &&
         !std::isspace(static_cast<unsigned char>(line[0])) &&
         line.find(':') != std::string_view::npos;
}

/// Those whose names begin with one of `kinds` and go on with "mm".
void markRegisters(std::string_view line, std::string_view kinds,
                   std::bitset<32> &used) {
  for (size_t at = line.find("mm"); at != std::string_view::npos;
       at = line.find("mm", at + 2)) {
    // Intel's syntax has no '%'; "mm" alone also occurs in mnemonics.
    if (at == 0 || kinds.find(line[at - 1]) == std::string_view::npos)
      continue;
    size_t number = 0, digit = at + 2;
    for (; digit < line.size() && digit < at + 4 &&
           std::isdigit(static_cast<unsigned char>(line[digit]));
         ++digit)
      number = number * 10 + size_t(line[digit] - '0');
    if (digit > at + 2 && number < used.size())
      used.set(number);
  }
}

int countRegisters(std::string_view assembly, std::string_view kinds) {
  size_t most = 0;
  std::bitset<32> used;
  while (!assembly.empty()) {
    const size_t end = std::min(assembly.find('\n'), assembly.size() - 1);
    const std::string_view line = assembly.substr(0, end + 1);
    assembly.remove_prefix(end + 1);
    if (beginsFunction(line))
      used.reset();
    markRegisters(line, kinds, used);
    most = std::max(most, used.count());
  }
  return int(most);
}

} // namespace

int countVectorRegisters(std::string_view assembly) {
  return countRegisters(assembly, "xyz");
}

int countTileRegisters(std::string_view assembly) {
  return countRegisters(assembly, "t");
}

} // namespace lintel::tool
