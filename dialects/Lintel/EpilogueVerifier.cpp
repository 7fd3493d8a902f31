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

static LogicalResult verifyEpilogueOperation(Operation &op) {
  auto refuse = [&]() {
    return op.emitError() << "'" << op.getName()
                          << "' cannot be in an epilogue: ";
  };
  if (!isa_and_present<arith::ArithDialect, math::MathDialect>(
          op.getDialect()) ||
      (!OpTrait::hasElementwiseMappableTraits(&op) &&
       !op.hasTrait<OpTrait::ConstantLike>()))
    return refuse()
           << "only elementwise operations of the arith and math dialects can";
  for (Type type : op.getOperandTypes())
    if (!isScalar(type))
      return refuse() << "its operand is of type " << type
                      << ", not a scalar float or signless integer";
  for (Type type : op.getResultTypes())
    if (!isScalar(type))
      return refuse() << "its result is of type " << type
                      << ", not a scalar float or signless integer";
  if (!isPure(&op))
    return refuse() << "it can trap or has side effects; divide integers by a "
                       "constant other than 0 and -1";
  return success();
}

LogicalResult verifyEpilogueBody(Region &region) {
  for (Operation &op : region.front().without_terminator())
    if (failed(verifyEpilogueOperation(op)))
      return failure();
  return success();
}

} // namespace lintel::ir
