// A compiled layer with made-up inputs, ready to be called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/TestData.h"
#include "lintel/Engine.h"
#include "lintel/Error.h"

#include <vector>

namespace lintel::tool {

/// Owns inputs and outputs of one call; the layer must outlive it.
class LayerCall {
public:
  /// Makes inputs of so many rows, which the layer must take, and gives it its
  /// weight.
  static Expected<LayerCall> create(Linear &layer, int64_t rows);
  Status run() const;

private:
  LayerCall(Linear &layer, int64_t rows);
  Linear *layer;
  int64_t rows;
  TestData data;
  std::vector<TypedTensor> outputTensors;
  std::vector<ConstTensorRef> operands;
  std::vector<TensorRef> outputs;
};

} // namespace lintel::tool
