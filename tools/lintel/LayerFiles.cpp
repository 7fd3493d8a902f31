// The tensors of one layer, read from files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerFiles.h"

#include "Quote.h"
#include "formats/TensorFile.h"

#include "Problem/EpilogueText.h"
#include "Reference/Element.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

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
                            const std::string &expected,
                            std::string_view suffix) {
  Expected<Tensor> tensor = readTensor(reference, suffix);
  if (!tensor)
    return tensor.error().in(option);
  if (tensor->shape().size() != 2)
    return shapeError(option, *tensor, expected);
  return tensor;
}

Expected<Tensor> readShaped(const std::string &option,
                            const std::string &reference,
                            const std::vector<int64_t> &shape,
                            const std::string &axes,
                            std::string_view suffix = kNoSuffix) {
  Expected<Tensor> tensor = readTensor(reference, suffix);
  if (!tensor)
    return tensor.error().in(option);
  if (tensor->shape() != shape)
    return shapeError(option, *tensor, shapeText(shape) + " (" + axes + ")");
  return tensor;
}

Status checkType(const std::string &option, const Tensor &tensor, DType dtype) {
  if (tensor.dtype() == dtype)
    return {};
  // NumPy has no such type.
  const char *whatCan =
      dtype == DType::bf16 ? ", as .safetensors files can and .npy cannot" : "";
  return Error(ErrorCode::invalidArgument,
               option + " holds " + std::string(toString(tensor.dtype())) +
                   ", must hold " + std::string(toString(dtype)) + whatCan);
}

/// What hands an operand over on the command line.
enum class Source { bias, operand, quantization };

/// --bias serves every bias, each of which has a name of its own.
Source sourceOf(const EpilogueOperand &operand) {
  if (operand.role != OperandRole::ofStage)
    return Source::quantization;
  return operand.broadcast == Broadcast::column ? Source::bias
                                                : Source::operand;
}

size_t countOf(const Epilogue &epilogue, Source source) {
  return size_t(std::ranges::count(epilogue.operands(), source, sourceOf));
}

/// "--x-scale" for "x_scale".
std::string optionOf(std::string name) {
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

/// What to do where a layer does not take a scale or zero point that is given.
std::string remedyFor(std::string_view name, const DataTypes &types) {
  if (!types.areIntegers())
    return "leave it out: layers of floats have no scales";
  if (!name.starts_with("result"))
    return "leave it out, or name it in a stage dequant(...)";
  if (isFloat(types.result))
    return "leave it out, or take a result of int8, as in --dtype u8s8:u8";
  return "leave it out, or name it in a stage quant(...)";
}

/// Which options the epilogue needs must be exactly those given.
Status checkOptions(const LayerFiles &files, const Epilogue &epilogue,
                    const DataTypes &types) {
  const size_t biases = countOf(epilogue, Source::bias);
  const size_t others = countOf(epilogue, Source::operand);
  const std::string subject = files.epilogue
                                  ? "epilogue '" + epilogue.text() + "'"
                                  : "a layer of " + types.text();
  if (biases > 0 && !files.bias)
    return Error(ErrorCode::invalidArgument, subject + " needs --bias");
  if (biases == 0 && files.bias)
    return Error(ErrorCode::invalidArgument,
                 subject + " has no bias; leave out --bias or add bias to it");
  if (others != files.operands.size())
    return Error(ErrorCode::invalidArgument,
                 subject + " takes " + std::to_string(others) +
                     " --operand tensors (" +
                     (files.epilogue ? "residual and mul, in its order"
                                     : "name residual or mul in --epilogue") +
                     "), " + std::to_string(files.operands.size()) + " given");
  std::string missing;
  for (const EpilogueOperand &operand : epilogue.operands())
    if (sourceOf(operand) == Source::quantization &&
        !files.quantization.contains(operand.name))
      missing += (missing.empty() ? "" : ", ") + optionOf(operand.name);
  if (!missing.empty())
    return Error(ErrorCode::invalidArgument, subject + " needs " + missing);
  for (const auto &[name, reference] : files.quantization)
    if (std::ranges::find(epilogue.operands(), name, &EpilogueOperand::name) ==
        epilogue.operands().end())
      return Error(ErrorCode::invalidArgument, subject + " has no " +
                                                   optionOf(name) + "; " +
                                                   remedyFor(name, types));
  return {};
}

/// Shape of a scale or zero point and what its axes are.
std::pair<std::vector<int64_t>, std::string>
shapeOf(const EpilogueOperand &operand, const Problem &problem) {
  if (operand.broadcast == Broadcast::row)
    return {{*problem.m()}, "M"};
  if (operand.broadcast == Broadcast::column)
    return {{problem.n()}, "N"};
  return {{}, "one number"};
}

/// Of a number that the type, f32 or s32, cannot hold.
Error outOfRange(const std::string &number, DType dtype) {
  const std::string type(toString(dtype));
  if (dtype == DType::f32 && isTiny(number))
    return Error(ErrorCode::invalidArgument,
                 number + " is too small for " + type +
                     ", whose least number above 0 is 1e-45");
  return Error(ErrorCode::invalidArgument,
               number + " is outside the range of " + type + ", " +
                   (dtype == DType::f32 ? "-3.4e38 to 3.4e38"
                                        : "-2147483648 to 2147483647"));
}

/// A tensor of so many times the number that the text is; none if it is none,
/// an error if it is one that the type cannot hold.
std::optional<Expected<Tensor>>
repeated(const std::string &text, std::vector<int64_t> shape, DType dtype) {
  const auto fill = [&](auto value) -> std::optional<Expected<Tensor>> {
    auto [end, code] =
        std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc::result_out_of_range &&
        end == text.data() + text.size())
      return outOfRange(text, dtype);
    if (code != std::errc() || end != text.data() + text.size() ||
        !std::isfinite(static_cast<double>(value)))
      return std::nullopt;
    Expected<Tensor> tensor = Tensor::allocate(std::move(shape), dtype);
    if (tensor)
      std::fill_n(reinterpret_cast<decltype(value) *>(tensor->data()),
                  tensor->elements(), value);
    return tensor;
  };
  return dtype == DType::s32 ? fill(int32_t()) : fill(float());
}

Expected<Tensor> readQuantization(const std::string &reference,
                                  const EpilogueOperand &operand,
                                  const Problem &problem) {
  const auto [shape, axes] = shapeOf(operand, problem);
  if (std::optional<Expected<Tensor>> filled =
          repeated(reference, shape, operand.dtype)) {
    if (!*filled)
      return filled->error().in(optionOf(operand.name));
    return std::move(*filled);
  }
  if (!namesAFile(reference))
    return Error(ErrorCode::invalidArgument,
                 optionOf(operand.name) + ": '" + reference + "' is neither " +
                     (operand.dtype == DType::s32 ? "a whole" : "a finite") +
                     " number nor a file");
  const std::string stage = operand.role == OperandRole::resultScale ||
                                    operand.role == OperandRole::resultZero
                                ? "quant(...)"
                                : "dequant(...)";
  return readShaped(optionOf(operand.name), reference, shape,
                    axes + ", unless " + stage +
                        " in --epilogue says otherwise");
}

/// Sums are exact for zero points in the range of their elements.
Status checkZeroPoints(const std::string &option, const Tensor &tensor,
                       DType elements) {
  const int32_t least = elements == DType::u8 ? 0 : -128;
  const int32_t most = elements == DType::u8 ? 255 : 127;
  const auto *zeros = reinterpret_cast<const int32_t *>(tensor.data());
  const auto *wrong =
      std::find_if(zeros, zeros + tensor.elements(),
                   [&](int32_t zero) { return zero < least || zero > most; });
  if (wrong == zeros + tensor.elements())
    return {};
  return Error(ErrorCode::invalidArgument,
               option + " is or holds " + std::to_string(*wrong) +
                   ", must be from " + std::to_string(least) + " to " +
                   std::to_string(most) + ", as elements of " +
                   std::string(toString(elements)));
}

/// Scales are finite. Results are multiplied by the reciprocal of theirs, which
/// must be finite, too; a column of zeros may have the scale 0.
Status checkScales(const std::string &option, const Tensor &tensor,
                   const EpilogueOperand &operand) {
  const bool divides = operand.role == OperandRole::resultScale;
  const auto *scales = reinterpret_cast<const float *>(tensor.data());
  const auto *wrong =
      std::find_if(scales, scales + tensor.elements(), [&](float scale) {
        return !std::isfinite(scale) ||
               (divides && (scale <= 0 || !std::isfinite(1 / scale)));
      });
  if (wrong == scales + tensor.elements())
    return {};
  return Error(ErrorCode::invalidArgument,
               option + " is or holds " + floatText(*wrong) + ", must be " +
                   (divides
                        ? "finite and above zero, and so must be its reciprocal"
                        : "finite"));
}

/// Reads the tensor of one operand; `next` counts those of --operand.
Expected<Tensor> readOperand(const LayerFiles &files, const Problem &problem,
                             const EpilogueOperand &operand, size_t &next) {
  switch (sourceOf(operand)) {
  case Source::quantization:
    return readQuantization(files.quantization.at(operand.name), operand,
                            problem);
  case Source::bias:
    return readShaped("--bias", *files.bias, {problem.n()}, "N", kBiasSuffix);
  case Source::operand:
    break;
  }
  const std::string &reference = files.operands[next++];
  return readShaped("--operand " + reference, reference,
                    {*problem.m(), problem.n()}, "M, N");
}

/// Models keep narrow biases, which a layer with a result in f32 takes in f32:
/// each is one of those exactly.
Expected<Tensor> widenedTo(DType dtype, Tensor tensor) {
  if (dtype != DType::f32 || !isFloat(tensor.dtype()) ||
      tensor.dtype() == DType::f32)
    return tensor;
  Expected<Tensor> wide = Tensor::allocate(tensor.shape());
  if (!wide)
    return wide.error();
  for (int64_t i = 0; i < tensor.elements(); ++i)
    wide->floats()[i] =
        static_cast<float>(elementAt(tensor.dtype(), tensor.data(), i));
  return wide;
}

Status readOperands(const LayerFiles &files, LayerTensors &layer) {
  std::optional<size_t> bias;
  size_t next = 0;
  for (const EpilogueOperand &operand : layer.problem.epilogue().operands()) {
    const Source source = sourceOf(operand);
    if (source == Source::bias && bias) {
      layer.operands.push_back(*bias);
      continue;
    }
    Expected<Tensor> read = readOperand(files, layer.problem, operand, next);
    if (!read)
      return read.error();
    Expected<Tensor> tensor = source == Source::quantization
                                  ? std::move(read)
                                  : widenedTo(operand.dtype, std::move(*read));
    if (!tensor)
      return tensor.error();
    const std::string option =
        source == Source::operand ? "--operand of " + operand.name
        : source == Source::bias  ? "--bias"
                                  : optionOf(operand.name);
    if (Status status = checkType(option, *tensor, operand.dtype); !status)
      return status;
    if (const auto elements =
            typeOfZeroPoint(operand.role, layer.problem.types()))
      if (Status status = checkZeroPoints(option, *tensor, *elements); !status)
        return status;
    if (isScale(operand.role))
      if (Status status = checkScales(option, *tensor, operand); !status)
        return status;
    if (source == Source::bias)
      bias = layer.owned.size();
    layer.operands.push_back(layer.owned.size());
    layer.owned.push_back(std::move(*tensor));
  }
  return {};
}

/// The types of the layer that the files make, where none are named.
DataTypes typesOf(const Tensor &input, const Tensor &weight) {
  const bool integers = !isFloat(input.dtype());
  return {input.dtype(), weight.dtype(), integers ? DType::f32 : input.dtype()};
}

} // namespace

Status checkIsNoInput(const std::string &output, const LayerFiles &files) {
  std::vector<std::pair<std::string, std::string>> inputs = {
      {"--weight", files.weight}, {"--input", files.input}};
  if (files.bias)
    inputs.emplace_back("--bias", *files.bias);
  for (const std::string &operand : files.operands)
    inputs.emplace_back("--operand", operand);
  for (const auto &[name, reference] : files.quantization)
    inputs.emplace_back(optionOf(name), reference);
  for (const auto &[option, reference] : inputs)
    if (isTheFileOf(output, reference))
      return Error(ErrorCode::invalidArgument,
                   output + " is the file of " + option +
                       ", which it would replace; name another one");
  return {};
}

Expected<LayerTensors> readLayer(const LayerFiles &files) {
  auto weight = readMatrix("--weight", files.weight, "[N, K]", kWeightSuffix);
  if (!weight)
    return weight.error();
  auto input = readMatrix("--input", files.input, "[M, K]", kNoSuffix);
  if (!input)
    return input.error();
  const int64_t n = weight->shape()[0], k = weight->shape()[1];
  const int64_t m = input->shape()[0];
  if (input->shape()[1] != k)
    return shapeError("--input", *input,
                      "[M, " + std::to_string(k) +
                          "]: its columns are those of the weight " +
                          shapeText(weight->shape()) +
                          (input->shape()[1] == n
                               ? ", which must be [N, K] and looks like [K, N]"
                               : ""));
  Expected<DataTypes> types = files.named.over(typesOf(*input, *weight));
  if (!types)
    return types.error();
  if (Status supported = types->check(); !supported)
    return supported.error().in("--input and --weight do not go together");
  for (const Status &status : {checkType("--input", *input, types->activation),
                               checkType("--weight", *weight, types->weight)})
    if (!status)
      return status.error();
  const std::string stages =
      files.epilogue.value_or(files.bias ? "bias" : "none");
  Expected<Epilogue> epilogue = Epilogue::parse(stages, *types);
  if (!epilogue)
    return epilogue.error().in("--epilogue " + inQuotes(stages));
  Expected<Problem> problem =
      Problem::create(m, n, k, *types, std::move(*epilogue));
  if (!problem)
    return problem.error();
  if (Status status =
          checkOptions(files, problem->epilogue(), problem->types());
      !status)
    return status.error();
  LayerTensors layer{
      std::move(*problem), std::move(*weight), std::move(*input), {}, {}};
  if (Status status = readOperands(files, layer); !status)
    return status.error();
  return layer;
}

} // namespace lintel::tool
