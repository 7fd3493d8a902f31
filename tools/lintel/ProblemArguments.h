// Problems on a command line: text, lists, model files and MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "CommandParser.h"
#include "LayerOrigin.h"
#include "TypeOptions.h"

#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lintel::tool {

/// What stands on the command line, uninterpreted.
struct ProblemArguments {
  /// MxK:KxN, an epilogue for the problem before it, *.safetensors or *.mlir.
  std::vector<std::string> positionals = {};
  std::optional<std::string> listFile = {}; ///< --file
  /// --rows: of a model's layers, or the mix of problems with '?' rows.
  std::optional<std::string> rows = {};
  std::optional<std::string> match = {};    ///< --match, for models
  std::optional<std::string> epilogue = {}; ///< --epilogue, for models
};

/// A number of rows as a command line names it; none if it is no number that a
/// problem may have.
std::optional<int64_t> parseRowCount(std::string_view text);

void addProblemArguments(CommandParser parser, ProblemArguments &arguments);

/// A problem, and what was said about it besides.
struct LayerRequest {
  Problem problem;
  /// For '?' rows: what CompileOptions::rows shall be; empty if nothing was
  /// said.
  std::vector<int64_t> rows = {};
  LayerOrigin origin = {};
};

/// The problems in the order in which they were named, those of lists last; at
/// least one. Types of text, lists and models are those of `named`, f32 if
/// there are none; modules state theirs, and without other problems it is an
/// error to name others. A model, all .safetensors files together, stands where
/// the first of them does and contributes each distinct shape of its layers
/// once for each of --rows. Without a model --rows is the mix of every problem
/// with '?' rows, and there must be one.
Expected<std::vector<LayerRequest>>
resolveProblems(const ProblemArguments &arguments, const NamedTypes &named);

/// The same for a command that tunes, or takes the schedule that is named: this
/// makes one kernel for any rows, so that a mix of rows beside it is an error.
Expected<std::vector<LayerRequest>>
resolveProblems(const ProblemArguments &arguments, const NamedTypes &named,
                const std::string &schedule);

/// "linear(128x768, 768x3072) f32 bias+gelu_erf", on one line also when the
/// epilogue is a region.
std::string headline(const Problem &problem);

} // namespace lintel::tool
