// A compiled layer with made-up inputs, ready to be called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerCall.h"

#include "Engine/Buckets.h"
#include "Tuning/MemoryBudget.h"

namespace lintel::tool {

/// TestData has no way to say that memory ran out, so it is asked for before.
static Status checkMemory(const Linear &layer, int64_t rows) {
  const Problem &problem = layer.problem();
  const Expected<Schedule> schedule = Schedule::parse(layer.report().schedule);
  if (!schedule)
    return {}; // nothing to compute
  if (Status fits = checkMemoryOfCalls(problem, {&*schedule, 1}, rows); !fits)
    return hasBuckets(problem)
               ? Error(fits.error().code(),
                       fits.error().message() + "; name fewer rows with --rows")
               : fits.error();
  return {};
}

LayerCall::LayerCall(Linear &layer, int64_t rows)
    : layer(&layer), rows(rows),
      data(layer.problem(), rows, Fill::gaussian, /*seed=*/1) {}

Expected<LayerCall> LayerCall::create(Linear &layer, int64_t rows) {
  const Problem &problem = layer.problem();
  if (Status status = checkMemory(layer, rows); !status)
    return status.error();
  LayerCall call(layer, rows);
  const LinearInputs inputs = call.data.inputs();
  if (Status status = layer.setWeight(inputs.w.data, inputs.w.stride); !status)
    return status.error();
  for (const ConstTensorView &operand : inputs.operands)
    call.operands.push_back({operand.data, operand.stride});
  for (int i = 0; i < problem.epilogue().numResults(); ++i) {
    TypedTensor output(problem.types().result, size_t(rows * problem.n()));
    call.outputs.push_back({output.data(), problem.n()});
    call.outputTensors.push_back(std::move(output));
  }
  return call;
}

Status LayerCall::run() const {
  const LinearInputs inputs = data.inputs();
  return layer->run({inputs.x.data, inputs.x.stride}, rows, operands, outputs);
}

} // namespace lintel::tool
