// A compiled layer with made-up inputs, ready to be called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerCall.h"

#include "Schedule/SearchSpace.h"

namespace lintel::tool {

LayerCall::LayerCall(Linear &layer, int64_t rows)
    : layer(&layer), rows(rows),
      data(layer.problem(), rows, Fill::gaussian, /*seed=*/1) {}

Expected<LayerCall> LayerCall::create(Linear &layer) {
  const Problem &problem = layer.problem();
  LayerCall call(layer, planningRows(problem));
  const LinearInputs inputs = call.data.inputs();
  if (Status status = layer.setWeight(inputs.w.data, inputs.w.stride); !status)
    return status.error();
  for (const ConstTensorView &operand : inputs.operands)
    call.operands.push_back({operand.data, operand.stride});
  for (int i = 0; i < problem.epilogue().numResults(); ++i) {
    Expected<Tensor> output = Tensor::allocate({call.rows, problem.n()});
    if (!output)
      return output.error();
    call.outputs.push_back({output->data(), problem.n()});
    call.outputTensors.push_back(std::move(*output));
  }
  return call;
}

Status LayerCall::run() const {
  const LinearInputs inputs = data.inputs();
  return layer->run({inputs.x.data, inputs.x.stride}, rows, operands, outputs);
}

} // namespace lintel::tool
