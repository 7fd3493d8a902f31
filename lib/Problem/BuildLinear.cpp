// From a problem to a lintel.linear op.
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

} // namespace lintel
