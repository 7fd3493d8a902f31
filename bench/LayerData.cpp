// Inputs and outputs for calling one compiled layer again and again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerData.h"

#include "Tuning/MemoryBudget.h"

namespace lintel::bench {

LayerData::LayerData(const Problem &problem)
    : data(problem, *problem.m(), Fill::gaussian, /*seed=*/1),
      views(data.inputs()),
      outputData(
          problem.epilogue().numResults(),
          TypedTensor(problem.types().result, *problem.m() * problem.n())) {
  for (const ConstTensorView &operand : views.operands)
    operandRefs.push_back({operand.data, operand.stride});
  for (TypedTensor &output : outputData)
    outputRefs.push_back({output.data(), problem.n()});
}

Expected<LayerData> LayerData::create(const Problem &problem) {
  // TestData has no way to say that memory ran out.
  if (Status fits = checkMemoryOfCalls(problem, {}, *problem.m()); !fits)
    return fits.error().in(problem.text());
  return LayerData(problem);
}

Status LayerData::setWeight(Linear &layer) const {
  return layer.setWeight(views.w.data, views.w.stride);
}

Status LayerData::run(const Linear &layer) const {
  return layer.run({views.x.data, views.x.stride}, views.m, operandRefs,
                   outputRefs);
}

} // namespace lintel::bench
