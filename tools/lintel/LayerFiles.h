// The tensors of one layer, read from files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "formats/Tensor.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lintel::tool {

/// Where they are: FILE or FILE:TENSOR each.
struct LayerFiles {
  std::string weight, input;
  std::optional<std::string> bias;   ///< of every bias in the epilogue
  std::vector<std::string> operands; ///< of residual and mul, in their order
  std::string epilogue = "none";
  /// Of the layer; none: the files', and the result is of the input's.
  std::optional<DataTypes> types;
};

struct LayerTensors {
  Problem problem;
  Tensor weight, input;
  std::vector<Tensor> owned; ///< bias and operands
  std::vector<const Tensor *>
      operands; ///< one per epilogue operand, into `owned`
};

/// Reads all and checks every shape and element type. A message names the
/// option whose tensor does not fit and what it should be.
Expected<LayerTensors> readLayer(const LayerFiles &files);

} // namespace lintel::tool
