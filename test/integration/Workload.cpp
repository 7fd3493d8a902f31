// Data from the reference room, judged by its oracle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Workload.h"

#include "Reference/TypedTensor.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace lintel::integration {

OperandShape operandShape(Broadcast broadcast, int64_t rows, int64_t columns) {
  switch (broadcast) {
  case Broadcast::scalar:
    return {1, 1};
  case Broadcast::column:
    return {1, columns};
  case Broadcast::row:
    return {rows, 1};
  case Broadcast::full:
    return {rows, columns};
  }
  return {0, 0};
}

Workload::Workload(const Problem &problem, int64_t rows, Fill fill,
                   uint64_t seed, const Edit &edit)
    : layer(problem), rowCount(rows), results(problem.epilogue().numResults()) {
  TestData generated(problem, rows, fill, seed);
  data = {generated.x().floats(),
          generated.w().floats(),
          {},
          generated.exactSums()};
  for (const TypedTensor &operand : generated.operands())
    data.operands.push_back(operand.floats());
  originText = std::string("fill=") +
               (fill == Fill::exact ? "exact" : "gaussian") +
               (edit ? " (edited)" : "") + " seed=" + std::to_string(seed);
  if (edit)
    edit(data);
  evaluate();
}

static TypedTensor typed(const std::vector<float> &values, DType dtype) {
  TypedTensor tensor(dtype, values.size());
  withElement(dtype, [&](auto element) {
    using Element = decltype(element);
    std::transform(values.begin(), values.end(), tensor.as<Element>().begin(),
                   [](float value) { return narrowTo<Element>(value); });
  });
  return tensor;
}

void Workload::evaluate() {
  Expected<std::unique_ptr<Oracle>> oracle = Oracle::create(layer);
  reference.resize(size_t(rowCount * results * layer.n()));
  if (!oracle) {
    ADD_FAILURE() << oracle.error().message();
    return;
  }
  const TypedTensor x = typed(data.x, layer.types().activation);
  const TypedTensor w = typed(data.w, layer.types().weight);
  LinearInputs inputs{
      rowCount, {x.data(), layer.k()}, {w.data(), layer.k()}, {}};
  const std::vector<EpilogueOperand> &operands = layer.epilogue().operands();
  std::vector<TypedTensor> tensors;
  for (size_t i = 0; i < operands.size(); ++i) {
    tensors.push_back(typed(data.operands[i], operands[i].dtype));
    inputs.operands.push_back(
        {tensors.back().data(),
         operandShape(operands[i].broadcast, rowCount, layer.n()).columns});
  }
  std::vector<ReferenceElement> row;
  for (int64_t r = 0; r < rowCount; ++r) {
    (*oracle)->evaluateRow(inputs, r, data.exactSums, row);
    std::copy(row.begin(), row.end(),
              reference.begin() + r * int64_t(row.size()));
  }
}

} // namespace lintel::integration
