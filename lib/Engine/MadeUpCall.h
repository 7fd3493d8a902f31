// Made-up inputs, and outputs, for calling compiled layers again and again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Reference/TestData.h"
#include "lintel/Engine.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lintel {

/// Owns x, the weight, the operands and the outputs of calls with so many rows.
class MadeUpCall {
public:
  /// An error if there is no memory for them, for a packed weight and for what
  /// calls of kernels with these schedules take besides.
  static Expected<MadeUpCall> create(const Problem &problem, int64_t rows,
                                     std::span<const Schedule> schedules = {});
  /// Copies would refer to the tensors of the original.
  MadeUpCall(MadeUpCall &&) = default;

  const LinearInputs &inputs() const { return views; }
  const std::vector<ConstTensorRef> &operands() const { return operandRefs; }
  const std::vector<TensorRef> &outputs() const { return outputRefs; }
  /// Hands the weight to `layer`.
  Status setWeight(Linear &layer) const;
  /// One call, through the public API.
  Status run(const Linear &layer) const;

private:
  MadeUpCall(const Problem &problem, int64_t rows);

  TestData data;
  LinearInputs views;
  std::vector<TypedTensor> outputData;
  std::vector<ConstTensorRef> operandRefs;
  std::vector<TensorRef> outputRefs;
};

} // namespace lintel
