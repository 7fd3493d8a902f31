// The tensors of one layer, read from files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerFiles.h"

#include "formats/TensorFile.h"

#include <algorithm>

namespace lintel::tool {

namespace {

Error shapeError(const std::string &option, const Tensor &tensor,
                 const std::string &expected) {
  return Error(ErrorCode::invalidArgument, option + " has shape " +
                                               shapeText(tensor.shape()) +
                                               ", must be " + expected);
}

/// Reads a matrix [rows, columns].
Expected<Tensor> readMatrix(const std::string &option,
                            const std::string &reference,
                            const std::string &expected) {
  Expected<Tensor> tensor = readTensor(reference);
  if (!tensor)
    return tensor.error().in(option);
  if (tensor->shape().size() != 2)
    return shapeError(option, *tensor, expected);
  return tensor;
}

Expected<Tensor> readShaped(const std::string &option,
                            const std::string &reference,
                            const std::vector<int64_t> &shape,
                            const std::string &axes) {
  Expected<Tensor> tensor = readTensor(reference);
  if (!tensor)
    return tensor.error().in(option);
  if (tensor->shape() != shape)
    return shapeError(option, *tensor, shapeText(shape) + " (" + axes + ")");
  return tensor;
}

Status checkType(const std::string &option, const Tensor &tensor, DType dtype) {
  if (tensor.dtype() == dtype)
    return {};
  return Error(ErrorCode::invalidArgument,
               option + " holds " + std::string(toString(tensor.dtype())) +
                   ", must hold " + std::string(toString(dtype)));
}

/// Whether --bias serves it. Several stages may add the bias, each under a name
/// of its own.
bool isBias(const EpilogueOperand &operand) {
  return operand.broadcast == Broadcast::column;
}

/// Which options the epilogue needs must be exactly those given.
Status checkOptions(const LayerFiles &files, const Epilogue &epilogue) {
  const auto biases = std::ranges::count_if(epilogue.operands(), isBias);
  const size_t others = epilogue.operands().size() - size_t(biases);
  const std::string subject = "epilogue '" + epilogue.text() + "'";
  if (biases > 0 && !files.bias)
    return Error(ErrorCode::invalidArgument, subject + " needs --bias");
  if (biases == 0 && files.bias)
    return Error(ErrorCode::invalidArgument,
                 subject + " has no bias; leave out --bias or add bias to it");
  if (others != files.operands.size())
    return Error(ErrorCode::invalidArgument,
                 subject + " takes " + std::to_string(others) +
                     " --operand tensors (residual and mul, in its order), " +
                     std::to_string(files.operands.size()) + " given");
  return {};
}

Status readOperands(const LayerFiles &files, LayerTensors &layer) {
  const std::vector<int64_t> full = {*layer.problem.m(), layer.problem.n()};
  for (const std::string &reference : files.operands) {
    Expected<Tensor> tensor =
        readShaped("--operand " + reference, reference, full, "M, N");
    if (!tensor)
      return tensor.error();
    layer.owned.push_back(std::move(*tensor));
  }
  if (files.bias) {
    Expected<Tensor> tensor =
        readShaped("--bias", *files.bias, {layer.problem.n()}, "N");
    if (!tensor)
      return tensor.error();
    layer.owned.push_back(std::move(*tensor));
  }
  size_t next = 0;
  for (const EpilogueOperand &operand : layer.problem.epilogue().operands()) {
    const Tensor *tensor =
        isBias(operand) ? &layer.owned.back() : &layer.owned[next++];
    const std::string option =
        isBias(operand) ? "--bias" : "--operand of " + operand.name;
    if (Status status = checkType(option, *tensor, operand.dtype); !status)
      return status;
    layer.operands.push_back(tensor);
  }
  return {};
}

} // namespace

Expected<LayerTensors> readLayer(const LayerFiles &files) {
  Expected<Epilogue> epilogue = Epilogue::parse(files.epilogue);
  if (!epilogue)
    return epilogue.error().in("--epilogue '" + files.epilogue + "'");
  if (Status status = checkOptions(files, *epilogue); !status)
    return status.error();
  auto weight = readMatrix("--weight", files.weight, "[N, K]");
  if (!weight)
    return weight.error();
  auto input = readMatrix("--input", files.input, "[M, K]");
  if (!input)
    return input.error();
  const int64_t n = weight->shape()[0], k = weight->shape()[1];
  const int64_t m = input->shape()[0];
  if (input->shape()[1] != k)
    return shapeError("--input", *input,
                      "[M, " + std::to_string(k) +
                          "]: its columns are those of the weight " +
                          shapeText(weight->shape()));
  const DataTypes types = files.types.value_or(
      DataTypes{input->dtype(), weight->dtype(), input->dtype()});
  for (const Status &status : {checkType("--input", *input, types.activation),
                               checkType("--weight", *weight, types.weight)})
    if (!status)
      return status.error();
  Expected<Problem> problem =
      Problem::create(m, n, k, types, std::move(*epilogue));
  if (!problem)
    return problem.error();
  LayerTensors layer{
      std::move(*problem), std::move(*weight), std::move(*input), {}, {}};
  if (Status status = readOperands(files, layer); !status)
    return status.error();
  return layer;
}

} // namespace lintel::tool
