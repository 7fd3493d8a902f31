// Inputs and outputs for calling one compiled layer again and again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/TestData.h"
#include "lintel/Engine.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <vector>

namespace lintel::bench {

/// Owns x, the weight, the operands and the outputs of a problem whose M is
/// known.
class LayerData {
public:
  /// An error if there is no memory for them and for a packed weight.
  static Expected<LayerData> create(const Problem &problem);

  const LinearInputs &inputs() const { return views; }
  const std::vector<ConstTensorRef> &operands() const { return operandRefs; }
  const std::vector<TensorRef> &outputs() const { return outputRefs; }
  /// Hands the weight to `layer`.
  Status setWeight(Linear &layer) const;
  /// One call, through the public API.
  Status run(const Linear &layer) const;

private:
  explicit LayerData(const Problem &problem);

  TestData data;
  LinearInputs views;
  std::vector<TypedTensor> outputData;
  std::vector<ConstTensorRef> operandRefs;
  std::vector<TensorRef> outputRefs;
};

} // namespace lintel::bench
