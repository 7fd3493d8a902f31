// From a problem to a lintel.linear op, and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/BuildLinear.h"
#include "Lintel/ElementType.h"
#include "Lintel/LintelDialect.h"
#include "Problem/DiagnosticText.h"
#include "Problem/NamedEpilogue.h"
#include "Problem/QuantizedEpilogue.h"
#include "Problem/RegionText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Verifier.h"

namespace lintel {

using ir::LinearOp;
using mlir::ShapedType;

//===----------------------------------------------------------------------===//
// Problem to IR
//===----------------------------------------------------------------------===//

static mlir::Type elementType(mlir::OpBuilder &builder, DType dtype) {
  return ir::typeOf(builder.getContext(), dtype);
}

static llvm::SmallVector<int64_t> shapeOf(Broadcast broadcast, int64_t m,
                                          int64_t n) {
  switch (broadcast) {
  case Broadcast::scalar:
    return {};
  case Broadcast::column:
    return {n};
  case Broadcast::row:
    return {m, 1};
  case Broadcast::full:
    return {m, n};
  }
  return {};
}

/// @linear's type: (x, w, operands...) -> outputs.
static mlir::FunctionType functionType(mlir::OpBuilder &builder,
                                       const Problem &problem) {
  int64_t m = problem.m().value_or(ShapedType::kDynamic);
  const DataTypes &types = problem.types();
  llvm::SmallVector<mlir::Type> inputs = {
      mlir::RankedTensorType::get({m, problem.k()},
                                  elementType(builder, types.activation)),
      mlir::RankedTensorType::get({problem.n(), problem.k()},
                                  elementType(builder, types.weight))};
  for (const EpilogueOperand &operand : problem.epilogue().operands())
    inputs.push_back(
        mlir::RankedTensorType::get(shapeOf(operand.broadcast, m, problem.n()),
                                    elementType(builder, operand.dtype)));
  llvm::SmallVector<mlir::Type> outputs(
      problem.epilogue().numResults(),
      mlir::RankedTensorType::get({m, problem.n()},
                                  elementType(builder, types.result)));
  return builder.getFunctionType(inputs, outputs);
}

/// Null unless the rows are bound to a range.
static mlir::DenseI64ArrayAttr rowsAttribute(mlir::OpBuilder &builder,
                                             const RowRange &rows) {
  if (rows.isKnown() || (rows.least == 0 && !rows.isBounded()))
    return {};
  return builder.getDenseI64ArrayAttr({rows.least, rows.most});
}

/// Null unless sums may be of another type than f32.
static mlir::TypeAttr accumulateAttribute(mlir::OpBuilder &builder,
                                          DType accumulate) {
  if (accumulate == DType::f32)
    return {};
  return mlir::TypeAttr::get(elementType(builder, accumulate));
}

/// Fills the op's region from named stages.
static void buildNamedEpilogue(mlir::OpBuilder &builder, LinearOp op,
                               const Problem &problem) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  const Epilogue &epilogue = problem.epilogue();
  mlir::Type sum = elementType(builder, problem.types().accumulator());
  llvm::SmallVector<mlir::Type> types(op.getArgumentOf(0), sum);
  for (const EpilogueOperand &operand : epilogue.operands())
    types.push_back(elementType(builder, operand.dtype));
  llvm::SmallVector<mlir::Location> locations(types.size(), op.getLoc());
  mlir::Block *body =
      builder.createBlock(&op.getEpilogue(), {}, types, locations);
  llvm::SmallVector<mlir::Value> arguments(body->getArguments());
  if (epilogue.quantization()) {
    ir::YieldOp::create(
        builder, op.getLoc(),
        buildQuantizedEpilogue(builder, op.getLoc(), problem, arguments));
    return;
  }
  for (mlir::Value &argument : arguments)
    argument = widenToF32(builder, argument);
  // Sums and products may fuse into one FMA: rounding once is never less exact.
  mlir::Value value =
      buildStages(builder, op.getLoc(), epilogue.stages(), arguments.front(),
                  llvm::ArrayRef(arguments).drop_front(),
                  mlir::arith::FastMathFlags::contract);
  ir::YieldOp::create(
      builder, op.getLoc(),
      roundTo(builder, value, elementType(builder, problem.types().result)));
}

static Status buildEpilogue(mlir::OpBuilder &builder, LinearOp op,
                            const Problem &problem) {
  const Epilogue &epilogue = problem.epilogue();
  if (epilogue.isRegion())
    return parseRegion(epilogue.text(), op.getEpilogue());
  buildNamedEpilogue(builder, op, problem);
  return {};
}

static Status verifyModule(mlir::ModuleOp module) {
  DiagnosticText diagnostics(*module.getContext(), /*linesBefore=*/1);
  if (mlir::succeeded(mlir::verify(module)))
    return {};
  return Error(ErrorCode::invalidArgument,
               "the epilogue is not valid: " + diagnostics.text());
}

Expected<mlir::OwningOpRef<mlir::ModuleOp>>
buildModule(mlir::MLIRContext &context, const Problem &problem) {
  context.loadDialect<ir::LintelDialect, mlir::arith::ArithDialect,
                      mlir::func::FuncDialect, mlir::math::MathDialect>();
  mlir::OpBuilder builder(&context);
  mlir::Location location = builder.getUnknownLoc();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(location);
  builder.setInsertionPointToEnd(module->getBody());
  mlir::FunctionType type = functionType(builder, problem);
  auto function =
      mlir::func::FuncOp::create(builder, location, kLinearFunctionName, type);
  mlir::Block *entry = function.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  auto op = LinearOp::create(
      builder, location, type.getResults(), entry->getArgument(0),
      entry->getArgument(1), entry->getArguments().drop_front(2),
      /*outs=*/mlir::ValueRange(), rowsAttribute(builder, problem.rows()),
      /*schedule=*/ir::ScheduleAttr(),
      /*target=*/ir::TargetAttr(), problem.epilogue().inputSums().ofColumns,
      problem.epilogue().inputSums().ofRows,
      accumulateAttribute(builder, problem.types().accumulate));
  mlir::func::ReturnOp::create(builder, location, op.getResults());
  if (Status status = buildEpilogue(builder, op, problem); !status)
    return status.error();
  if (Status status = verifyModule(*module); !status)
    return status.error();
  return module;
}

//===----------------------------------------------------------------------===//
// IR to problem
//===----------------------------------------------------------------------===//

static std::string typeText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static Error unsupported(const std::string &message) {
  return Error(ErrorCode::unsupported, message);
}

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

/// The element type of a tensor or memref whose rows can be described by a
/// pointer and a stride.
static Expected<DType> elementOf(std::string_view name, mlir::Value value) {
  auto type = llvm::dyn_cast<ShapedType>(value.getType());
  if (!type)
    return unsupported(std::string(name) + " is " + typeText(value.getType()) +
                       "; it must be a plain tensor or memref");
  auto memref = llvm::dyn_cast<mlir::MemRefType>(type);
  if (memref && memref.getRank() > 0 && !memref.isLastDimUnitStride())
    return unsupported(
        std::string(name) + " is " + typeText(memref) +
        "; its elements must lie side by side along the last dimension");
  if (std::optional<DType> dtype = ir::dtypeOf(type.getElementType()))
    return *dtype;
  return unsupported(std::string(name) + " holds " +
                     typeText(type.getElementType()) +
                     "; layers hold f32, bf16, f16, i8, ui8 and i32");
}

/// The type of every output; all must have the same.
static Expected<DType> resultOf(llvm::ArrayRef<mlir::Value> outputs) {
  std::optional<DType> result;
  for (mlir::Value output : outputs) {
    Expected<DType> dtype = elementOf("an output", output);
    if (!dtype)
      return dtype.error();
    if (result && *result != *dtype)
      return unsupported("one output holds " + std::string(toString(*result)) +
                         ", another " + std::string(toString(*dtype)) +
                         "; the outputs of a layer are of one type");
    result = *dtype;
  }
  return *result;
}

static Expected<std::vector<EpilogueOperand>> operandsOf(LinearOp op) {
  std::vector<EpilogueOperand> operands;
  for (auto [index, value] : llvm::enumerate(op.getEpilogueOperands())) {
    std::string name = "operand" + std::to_string(index);
    Expected<DType> dtype = elementOf(name, value);
    if (!dtype)
      return dtype.error();
    operands.push_back({std::move(name), op.getBroadcast(index), *dtype});
  }
  return operands;
}

static Expected<Problem> problemFrom(LinearOp op) {
  if (ShapedType::isDynamic(op.getN()) || ShapedType::isDynamic(op.getK()))
    return unsupported("w is " + typeText(op.getW().getType()) +
                       "; N and K must be numbers, only M can be '?'");
  Expected<DType> activation = elementOf("x", op.getX());
  if (!activation)
    return activation.error();
  Expected<DType> weight = elementOf("w", op.getW());
  if (!weight)
    return weight.error();
  llvm::SmallVector<mlir::Value> outputs(op.getOuts());
  llvm::append_range(outputs, op.getResults());
  Expected<DType> result = resultOf(outputs);
  if (!result)
    return result.error();
  Expected<std::vector<EpilogueOperand>> operands = operandsOf(op);
  if (!operands)
    return operands.error();
  const DType accumulate =
      op.getAccumulate() ? DType::f16 : DType::f32; // the verifier saw to it
  return Problem::create(
      op.getRowRange(), op.getN(), op.getK(),
      {*activation, *weight, *result, accumulate},
      Epilogue::fromRegion(printRegion(op.getEpilogue()), std::move(*operands),
                           int(outputs.size()), op.getInputSums()));
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
