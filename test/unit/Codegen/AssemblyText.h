// Reading LLVM's assembly text: functions, loops, stack accesses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace lintel {

using AssemblyLines = std::vector<std::string>;

struct AssemblyFunction {
  std::string name;
  AssemblyLines lines; ///< labels and instructions, without comments
};

/// The functions of `assembly`, in order.
inline std::vector<AssemblyFunction> functionsOf(const std::string &assembly) {
  std::vector<AssemblyFunction> functions;
  std::istringstream stream(assembly);
  std::string line;
  bool inside = false;
  while (std::getline(stream, line)) {
    line = line.substr(0, line.find('#'));
    bool label = !line.empty() && line.front() != '\t' && line.front() != ' ' &&
                 line.find(':') != std::string::npos;
    if (label && line.front() != '.') {
      functions.push_back({line.substr(0, line.find(':')), {}});
      inside = true;
    } else if (line.starts_with(".Lfunc_end")) {
      inside = false;
    } else if (inside) {
      functions.back().lines.push_back(line);
    }
  }
  return functions;
}

/// The bodies of the loops: what stands between a label and a jump back to it.
inline std::vector<AssemblyLines> loopsOf(const AssemblyFunction &function) {
  std::vector<AssemblyLines> loops;
  const AssemblyLines &lines = function.lines;
  for (size_t end = 0; end < lines.size(); ++end) {
    size_t target = lines[end].find(".LBB");
    if (!lines[end].starts_with("\tj") || target == std::string::npos)
      continue;
    std::string label = lines[end].substr(target);
    label = label.substr(0, label.find_first_of(" \t")) + ":";
    auto begin = std::find_if(
        lines.begin(), lines.begin() + end,
        [&](const std::string &line) { return line.starts_with(label); });
    if (begin != lines.begin() + end)
      loops.emplace_back(begin, lines.begin() + end + 1);
  }
  return loops;
}

/// Whether an instruction moves a vector register to or from the stack. Every
/// kernel realigns its stack, so rbp is the frame pointer and nothing else.
inline bool touchesStackWithVector(std::string_view line) {
  bool vector = line.find("%xmm") != line.npos ||
                line.find("%ymm") != line.npos ||
                line.find("%zmm") != line.npos;
  bool stack =
      line.find("(%rsp") != line.npos || line.find("(%rbp") != line.npos;
  return vector && stack;
}

} // namespace lintel
