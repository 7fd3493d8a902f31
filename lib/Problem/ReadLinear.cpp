// From a lintel.linear op to the problem that it states.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/ReadLinear.h"

#include "Lintel/ElementType.h"
#include "Problem/DiagnosticText.h"
#include "Problem/RegionText.h"

namespace lintel {

using ir::LinearOp;
using mlir::ShapedType;

static std::string typeText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static Error unsupported(const std::string &message) {
  return Error(ErrorCode::unsupported, message);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Of an op that was verified there is always one.
static Expected<DType> elementOf(std::string_view name, mlir::Type element) {
  if (std::optional<DType> dtype = ir::dtypeOf(element))
    return *dtype;
  return unsupported(std::string(name) + " holds " + typeText(element) +
                     ", which no layer does");
}

/// With the result that an output is of.
static Expected<DataTypes> typesOf(LinearOp op, unsigned output) {
  Expected<DType> activation = elementOf("x", op.getInputType());
  if (!activation)
    return activation.error();
  Expected<DType> weight = elementOf("w", op.getWeightType());
  if (!weight)
    return weight.error();
  Expected<DType> result =
      elementOf("an output", op.getOutputType(output).getElementType());
  if (!result)
    return result.error();
  DType accumulate = DType::f32;
  if (const std::optional<mlir::Type> sums = op.getAccumulate())
    accumulate = sums->isF16() ? DType::f16 : DType::s16; // says the verifier
  return DataTypes{*activation, *weight, *result, accumulate};
}

Expected<std::vector<Problem>> shapesOf(LinearOp op) {
  if (ShapedType::isDynamic(op.getN()) || ShapedType::isDynamic(op.getK()))
    return unsupported("w is " + typeText(op.getW().getType()) +
                       "; N and K must be numbers, only M can be '?'");
  std::vector<Problem> shapes;
  for (unsigned output = 0; output < op.getNumOutputs(); ++output) {
    Expected<DataTypes> types = typesOf(op, output);
    if (!types)
      return types.error();
    Expected<Problem> shape = Problem::create(op.getRowRange(), op.getN(),
                                              op.getK(), *types, Epilogue());
    if (!shape)
      return shape.error();
    shapes.push_back(std::move(*shape));
  }
  return shapes;
}

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

static Expected<LinearOp> onlyLinearOp(mlir::ModuleOp module) {
  llvm::SmallVector<LinearOp> found;
  module.walk([&](LinearOp op) { found.push_back(op); });
  if (found.size() == 1)
    return found.front();
  if (found.empty())
    return Error(
        ErrorCode::invalidArgument,
        "the module has no lintel.linear op; it must have exactly one");
  return Error(ErrorCode::invalidArgument,
               "the module has " + std::to_string(found.size()) +
                   " lintel.linear ops; it must have exactly one");
}

/// Each schedule reads a weight that is packed in its own way.
static Status checkUnpacked(LinearOp op) {
  if (const mlir::Type w = op.getW().getType(); !llvm::isa<ShapedType>(w))
    return unsupported("w is " + typeText(w) +
                       "; it must be a plain tensor or memref");
  return {};
}

static std::string operandName(size_t index) {
  return "operand" + std::to_string(index);
}

static Expected<std::vector<EpilogueOperand>> operandsOf(LinearOp op) {
  std::vector<EpilogueOperand> operands;
  for (auto [index, value] : llvm::enumerate(op.getEpilogueOperands())) {
    std::string name = operandName(index);
    Expected<DType> dtype = elementOf(
        name, llvm::cast<ShapedType>(value.getType()).getElementType());
    if (!dtype)
      return dtype.error();
    operands.push_back({std::move(name), op.getBroadcast(index), *dtype});
  }
  return operands;
}

/// Success if all outputs have one type.
static Status checkOutputs(const std::vector<Problem> &shapes) {
  const DType first = shapes.front().types().result;
  for (const Problem &shape : shapes)
    if (const DType result = shape.types().result; result != first)
      return unsupported("one output holds " + std::string(toString(first)) +
                         ", another " + std::string(toString(result)) +
                         "; the outputs of a layer are of one type");
  return {};
}

Expected<Problem> withEpilogueOf(LinearOp op, const Problem &shape) {
  Expected<std::vector<EpilogueOperand>> operands = operandsOf(op);
  if (!operands)
    return operands.error();
  return Problem::create(
      shape.rows(), shape.n(), shape.k(), shape.types(),
      Epilogue::fromRegion(printRegion(op.getEpilogue()), std::move(*operands),
                           int(op.getNumOutputs()), op.getInputSums()));
}

/// How a layer is computed is no part of what it computes.
static Status checkUndecided(LinearOp op) {
  if (const ir::ScheduleAttr schedule = op.getScheduleAttr())
    return unsupported("the layer states a schedule; leave it out, and pin "
                       "the schedule '" +
                       schedule.getValue().text() + "' instead");
  if (const ir::TargetAttr target = op.getTargetAttr())
    return unsupported("the layer states a target, '" +
                       target.getValue().text() +
                       "'; leave it out: kernels are made for the machine at "
                       "hand");
  return {};
}

static Expected<Problem> problemFrom(LinearOp op) {
  if (Status undecided = checkUndecided(op); !undecided)
    return undecided.error();
  if (Status unpacked = checkUnpacked(op); !unpacked)
    return unpacked.error();
  Expected<std::vector<Problem>> shapes = shapesOf(op);
  if (!shapes)
    return shapes.error();
  if (Status outputs = checkOutputs(*shapes); !outputs)
    return outputs.error();
  return withEpilogueOf(op, shapes->front());
}

Expected<Problem> problemFromModule(mlir::ModuleOp module) {
  Expected<LinearOp> op = onlyLinearOp(module);
  if (!op)
    return op.error();
  Expected<Problem> problem = problemFrom(*op);
  std::string place = locationText((*op)->getLoc());
  if (!problem && !place.empty())
    return problem.error().in(place);
  return problem;
}

} // namespace lintel
