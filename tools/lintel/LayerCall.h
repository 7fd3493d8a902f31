// A compiled layer with made-up inputs, ready to be called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Reference/TestData.h"
#include "lintel/Engine.h"
#include "lintel/Error.h"

#include <vector>

namespace lintel::tool {

/// Bytes that a LayerCall of so many rows takes, the packed weight of its layer
/// included; `schedule` may be that of any kernel of the layer.
int64_t bytesOfCall(const Problem &problem, const Schedule &schedule,
                    int64_t rows);

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
