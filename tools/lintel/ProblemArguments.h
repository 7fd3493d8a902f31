// Problems on a command line: text, lists, model files and MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/DType.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace lintel::tool {

/// What stands on the command line, uninterpreted.
struct ProblemArguments {
  /// MxK:KxN, an epilogue for the problem before it, *.safetensors or *.mlir.
  std::vector<std::string> positionals = {};
  std::optional<std::string> listFile = {}; ///< --file
  std::optional<std::string> rows = {};     ///< --rows, for models
  std::optional<std::string> match = {};    ///< --match, for models
  std::optional<std::string> epilogue = {}; ///< --epilogue, for models
};

void addProblemArguments(CLI::App &parser, ProblemArguments &arguments);

/// The problems in the order in which they were named; at least one. A model
/// contributes each distinct shape of its layers once for each of --rows.
Expected<std::vector<Problem>>
resolveProblems(const ProblemArguments &arguments, DType dtype);

/// "linear(128x768, 768x3072) f32 bias+gelu_erf", on one line also when the
/// epilogue is a region.
std::string headline(const Problem &problem);

} // namespace lintel::tool
