// Made-up inputs, and outputs, for calling compiled layers again and again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/MadeUpCall.h"

#include "Tuning/MemoryBudget.h"

namespace lintel {

MadeUpCall::MadeUpCall(const Problem &problem, int64_t rows)
    : data(problem, rows, Fill::gaussian, /*seed=*/1), views(data.inputs()),
      outputData(problem.epilogue().numResults(),
                 TypedTensor(problem.types().result, rows * problem.n())) {
  for (const ConstTensorView &operand : views.operands)
    operandRefs.push_back({operand.data, operand.stride});
  for (TypedTensor &output : outputData)
    outputRefs.push_back({output.data(), problem.n()});
}

Expected<MadeUpCall> MadeUpCall::create(const Problem &problem, int64_t rows,
                                        std::span<const Schedule> schedules) {
  // TestData has no way to say that memory ran out.
  if (Status fits = checkMemoryOfCalls(problem, schedules, rows); !fits)
    return fits.error();
  return MadeUpCall(problem, rows);
}

Status MadeUpCall::setWeight(Linear &layer) const {
  return layer.setWeight(views.w.data, views.w.stride);
}

Status MadeUpCall::run(const Linear &layer) const {
  return layer.run({views.x.data, views.x.stride}, views.m, operandRefs,
                   outputRefs);
}

} // namespace lintel
