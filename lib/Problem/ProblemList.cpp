// Lists of problems, one a line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/Problem.h"

namespace lintel {

Expected<std::vector<Problem>> parseProblemList(std::string_view contents,
                                                std::string_view sourceName,
                                                const DataTypes &types) {
  std::vector<Problem> problems;
  for (size_t number = 1; !contents.empty(); ++number) {
    std::string_view line = contents.substr(0, contents.find('\n'));
    contents.remove_prefix(std::min(line.size() + 1, contents.size()));
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    Expected<Problem> problem = Problem::parse(line, types);
    if (!problem)
      return problem.error().in(std::string(sourceName) + ":" +
                                std::to_string(number));
    problems.push_back(std::move(*problem));
  }
  return problems;
}

} // namespace lintel
