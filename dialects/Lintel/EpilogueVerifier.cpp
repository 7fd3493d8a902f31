// What every op with an epilogue region checks of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/EpilogueVerifier.h"

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

/// Epilogues compute in f32 or wider: narrow floats are widened and rounded to,
/// and no more, since few CPUs compute in them. lintel-approximate-math does so
/// on their bits.
static LogicalResult verifyNarrowFloat(Operation &op, Type narrow) {
  if (isa<arith::BitcastOp>(op))
    return success();
  if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
    return refuse(op) << "it works on " << narrow
                      << "; widen operands with arith.extf to f32, and round "
                         "the result with arith.truncf";
  if (!narrow.isBF16() && !narrow.isF16())
    return refuse(op) << "of the narrow floats bf16 and f16 are known, not "
                      << narrow;
  const bool fromOrToF32 =
      op.getOperand(0).getType().isF32() || op.getResult(0).getType().isF32();
  if (!fromOrToF32)
    return refuse(op) << "narrow floats are converted from and to f32, not "
                      << op.getOperand(0).getType() << " to "
                      << op.getResult(0).getType();
  return success();
}

static LogicalResult verifyNarrowFloats(Operation &op) {
  SmallVector<Type> types(op.getOperandTypes());
  llvm::append_range(types, op.getResultTypes());
  for (Type type : types)
    if (auto narrow = dyn_cast<FloatType>(type);
        narrow && narrow.getWidth() < 32)
      return verifyNarrowFloat(op, type);
  return success();
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
  if (!isPure(&op))
    return refuse(op)
           << "it can trap or has side effects; divide integers by a "
              "constant other than 0 and -1";
  return verifyNarrowFloats(op);
}

LogicalResult verifyEpilogueBody(Region &region) {
  for (Operation &op : region.front().without_terminator())
    if (failed(verifyEpilogueOperation(op)))
      return failure();
  return success();
}

} // namespace lintel::ir
