// The tensors of one layer, read from files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "TypeOptions.h"
#include "formats/Tensor.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lintel::tool {

/// Where they are: FILE or FILE:TENSOR each.
struct LayerFiles {
  std::string weight, input;
  std::optional<std::string> bias;   ///< of every bias in the epilogue
  std::vector<std::string> operands; ///< of residual and mul, in their order
  /// Of int8: by the names of the layer's operands, such as "x_scale", each a
  /// tensor or a number.
  std::map<std::string, std::string> quantization;
  /// If there is none, that of a bias alone, or of nothing.
  std::optional<std::string> epilogue;
  /// Of the layer; where no types are named they are the files', and the
  /// result is the default of these.
  NamedTypes named;
};

struct LayerTensors {
  Problem problem;
  Tensor weight, input;
  std::vector<Tensor> owned;    ///< bias, operands, scales and zero points
  std::vector<size_t> operands; ///< one per epilogue operand, into `owned`

  const Tensor &operand(size_t index) const { return owned[operands[index]]; }
};

/// Success if `output` is none of them: it would be overwritten.
Status checkIsNoInput(const std::string &output, const LayerFiles &files);

/// Reads all and checks every shape and element type. A message names the
/// option whose tensor does not fit and what it should be.
Expected<LayerTensors> readLayer(const LayerFiles &files);

} // namespace lintel::tool
