// What every op with an epilogue region checks of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/EpilogueVerifier.h"

#include "Lintel/ElementType.h"
#include "Lintel/LintelDialect.h"
#include "Lintel/MovesBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace lintel::ir {

LogicalResult verifyAccumulatorType(Operation *owner, Type input, Type type) {
  Builder builder(owner->getContext());
  Type expected = isa<FloatType>(input) ? Type(builder.getF32Type())
                                        : Type(builder.getI32Type());
  if (type == expected)
    return success();
  return owner->emitOpError()
         << "sums products of " << input << " in " << expected
         << ", so its accumulator must be " << expected << ", not " << type;
}

static bool isScalar(Type type) {
  return isa<FloatType>(type) || type.isSignlessInteger();
}

static InFlightDiagnostic refuse(Operation &op) {
  return op.emitError() << "'" << op.getName()
                        << "' cannot be in an epilogue: ";
}

/// Kernels hold a value in a lane of 32 bits. Of narrower floats few CPUs
/// compute in any, and conversions are known of two.
static bool fitsLane(Type type) {
  if (isa<FloatType>(type))
    return isFloatOfLayers(type);
  const unsigned bits = type.getIntOrFloatBitWidth();
  return bits >= 1 && bits <= 32;
}

/// Narrow floats are widened and rounded to, and no more: without instructions
/// for that lintel-approximate-math does it on their bits. Integers become some
/// where canonicalization leaves out the f32 in between.
static LogicalResult verifyNarrowFloat(Operation &op, Type narrow) {
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp>(
          op) ||
      movesBits(&op))
    return success();
  return refuse(op) << "it works on " << narrow
                    << "; widen operands with arith.extf to f32, and round "
                       "the result with arith.truncf";
}

static LogicalResult verifyLanes(Operation &op) {
  SmallVector<Type> types(op.getOperandTypes());
  llvm::append_range(types, op.getResultTypes());
  for (Type type : types)
    if (!fitsLane(type))
      return refuse(op) << "it works on " << type
                        << "; epilogues compute in f32 and integers of 1 to "
                           "32 bits, and convert bf16 and f16 from and to f32";
  for (Type type : types)
    if (isNarrowFloat(type))
      return verifyNarrowFloat(op, type);
  return success();
}

/// The reference and kernels, whatever instruction they have for it, round to
/// nearest and even.
static LogicalResult verifyRounding(Operation &op) {
  auto rounding = dyn_cast<arith::ArithRoundingModeInterface>(op);
  arith::RoundingModeAttr mode =
      rounding ? rounding.getRoundingModeAttr() : arith::RoundingModeAttr();
  if (!mode || mode.getValue() == arith::RoundingMode::to_nearest_even)
    return success();
  return refuse(op) << "it rounds '"
                    << arith::stringifyRoundingMode(mode.getValue())
                    << "', and epilogues round to nearest and even; leave its "
                       "rounding mode out";
}

/// CPUs trap at integer divisions by zero, and at those of the least integer by
/// -1. MLIR takes some of them for pure whatever they divide by.
static bool divisionMayTrap(Operation &op) {
  const bool isSigned = isa<arith::CeilDivSIOp, arith::DivSIOp,
                            arith::FloorDivSIOp, arith::RemSIOp>(op);
  if (!isSigned && !isa<arith::CeilDivUIOp, arith::DivUIOp, arith::RemUIOp>(op))
    return false;
  APInt divisor;
  return !matchPattern(op.getOperand(1), m_ConstantInt(&divisor)) ||
         divisor.isZero() || (isSigned && divisor.isAllOnes());
}

static LogicalResult verifyEpilogueOperation(Operation &op) {
  if (!isa_and_present<arith::ArithDialect, math::MathDialect>(
          op.getDialect()) ||
      (!OpTrait::hasElementwiseMappableTraits(&op) &&
       !op.hasTrait<OpTrait::ConstantLike>()))
    return refuse(op)
           << "only elementwise operations of the arith and math dialects can";
  for (Type type : op.getOperandTypes())
    if (!isScalar(type))
      return refuse(op) << "its operand is of type " << type
                        << ", not a scalar float or signless integer";
  for (Type type : op.getResultTypes())
    if (!isScalar(type))
      return refuse(op) << "its result is of type " << type
                        << ", not a scalar float or signless integer";
  if (divisionMayTrap(op) || !isPure(&op))
    return refuse(op)
           << "it can trap or has side effects; divide integers by a "
              "constant other than 0 and -1";
  return failure(failed(verifyLanes(op)) || failed(verifyRounding(op)));
}

LogicalResult verifyEpilogueBody(Region &region) {
  for (Operation &op : region.front().without_terminator())
    if (failed(verifyEpilogueOperation(op)))
      return failure();
  return success();
}

LogicalResult verifyBroadcasts(Operation *op, ArrayAttr broadcasts,
                               Type accumulator) {
  SmallVector<StringRef, 2> sums = {kColumnSums, kRowSums};
  for (Attribute attribute : broadcasts) {
    auto name = dyn_cast<StringAttr>(attribute);
    if (!name)
      return op->emitOpError("names each broadcast by a string, not ")
             << attribute;
    if (name != kColumnSums && name != kRowSums) {
      sums.clear();
      if (auto broadcast = lintel::parseBroadcast({name.data(), name.size()});
          !broadcast)
        return op->emitOpError() << broadcast.error().message();
      continue;
    }
    if (!accumulator.isInteger())
      return op->emitOpError("takes '")
             << name.getValue() << "' with sums of i32, not of " << accumulator;
    auto *next = llvm::find(sums, name.getValue());
    if (next == sums.end())
      return op->emitOpError("names '")
             << name.getValue()
             << "' too late or twice: broadcasts begin with 'column_sums', "
                "then 'row_sums', as far as the epilogue takes them";
    sums.erase(sums.begin(), next + 1);
  }
  return success();
}

/// Sums of columns and rows are given as the accumulator is.
static LogicalResult verifySumsOfInputs(Operation *op, Block &body,
                                        ArrayAttr broadcasts,
                                        Type accumulator) {
  for (auto [name, argument] :
       llvm::zip_equal(broadcasts.getAsValueRange<StringAttr>(),
                       body.getArguments().drop_front()))
    if ((name == kColumnSums || name == kRowSums) &&
        argument.getType() != accumulator)
      return op->emitOpError("takes '") << name << "' as " << accumulator
                                        << ", not " << argument.getType();
  return success();
}

/// Integers have no sign in a region.
static LogicalResult verifyElements(Operation *op, Block &body) {
  for (Type type : llvm::concat<const Type>(
           body.getArgumentTypes(), body.getTerminator()->getOperandTypes()))
    if (!dtypeOf(type) || scalarOf(type) != type)
      return op->emitOpError("takes and yields elements of tensors, which are "
                             "f32, bf16, f16, i8 and i32, not ")
             << type;
  return success();
}

LogicalResult verifyKernelEpilogue(Operation *op, Region &region,
                                   ArrayAttr broadcasts, Type accumulator) {
  Block &body = region.front();
  const size_t operands = broadcasts.size();
  if (body.getNumArguments() != operands + 1)
    return op->emitOpError("has ")
           << operands << " broadcasts, so its region takes " << operands + 1
           << " arguments: the accumulator and one scalar for each broadcast; "
              "it has "
           << body.getNumArguments();
  if (body.getArgument(0).getType() != accumulator)
    return op->emitOpError("holds its sums as ")
           << accumulator << ", so its region's first argument must be "
           << accumulator << ", not " << body.getArgument(0).getType();
  if (body.getTerminator()->getNumOperands() == 0)
    return op->emitOpError("has no output: its region must yield one scalar "
                           "for each");
  return failure(
      failed(verifySumsOfInputs(op, body, broadcasts, accumulator)) ||
      failed(verifyElements(op, body)) || failed(verifyEpilogueBody(region)));
}

} // namespace lintel::ir
