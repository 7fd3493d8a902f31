// Named epilogue stages as arith and math operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/NamedEpilogue.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace lintel {

namespace {

namespace arith = mlir::arith;
namespace math = mlir::math;
using mlir::Value;

/// Makes one stage's operations; a thin notation over the builder.
class StageBuilder {
public:
  StageBuilder(mlir::OpBuilder &builder, mlir::Location location,
               arith::FastMathFlags flags)
      : builder(builder), location(location), flags(flags) {}

  Value add(Value a, Value b) { return create<arith::AddFOp>(a, b, flags); }
  Value add(Value a, float b) { return add(a, constant(b)); }
  Value mul(Value a, Value b) { return create<arith::MulFOp>(a, b, flags); }
  Value mul(Value a, float b) { return mul(a, constant(b)); }
  Value tanh(Value v) { return create<math::TanhOp>(v); }

  // A compare and a select, because the select keeps v, and so NaN, whenever
  // the comparison is not true; on x86 the pair becomes one max or min
  // instruction.
  Value atLeast(Value v, float lo) {
    return replaceIf(arith::CmpFPredicate::OLT, v, lo);
  }
  Value atMost(Value v, float hi) {
    return replaceIf(arith::CmpFPredicate::OGT, v, hi);
  }

  Value geluErf(Value v) {
    Value erf = create<math::ErfOp>(mul(v, 0.70710678118654752f));
    return mul(mul(v, 0.5f), add(erf, 1.0f));
  }
  Value geluTanh(Value v) {
    constexpr float twiceSlope = 1.5957691216057307f; // 2 sqrt(2 / pi)
    Value square = mul(v, v);
    Value slope = add(mul(square, twiceSlope * 0.044715f), twiceSlope);
    return create<arith::DivFOp>(v, logisticDenominator(mul(v, slope)));
  }
  /// 1 + exp(-v)
  Value logisticDenominator(Value v) {
    return add(create<math::ExpOp>(create<arith::NegFOp>(v)), 1.0f);
  }
  Value silu(Value v) {
    return create<arith::DivFOp>(v, logisticDenominator(v));
  }
  Value sigmoid(Value v) {
    return create<arith::DivFOp>(constant(1.0f), logisticDenominator(v));
  }

private:
  template <class Op, class... Arguments> Value create(Arguments... arguments) {
    return Op::create(builder, location, arguments...);
  }
  Value constant(float value) {
    return create<arith::ConstantOp>(
        mlir::TypedAttr(builder.getF32FloatAttr(value)));
  }
  Value replaceIf(arith::CmpFPredicate predicate, Value v, float bound) {
    Value limit = constant(bound);
    Value beyond = create<arith::CmpFOp>(predicate, v, limit);
    return create<arith::SelectOp>(beyond, limit, v);
  }

  mlir::OpBuilder &builder;
  mlir::Location location;
  const arith::FastMathFlags flags;
};

} // namespace

Value widenToF32(mlir::OpBuilder &builder, Value value) {
  if (value.getType().isF32())
    return value;
  return arith::ExtFOp::create(builder, value.getLoc(), builder.getF32Type(),
                               value);
}

Value roundTo(mlir::OpBuilder &builder, Value value, mlir::Type type) {
  if (type.isF32())
    return value;
  return arith::TruncFOp::create(builder, value.getLoc(), type, value);
}

Value buildStages(mlir::OpBuilder &builder, mlir::Location location,
                  const std::vector<EpilogueStage> &stages, Value accumulator,
                  llvm::ArrayRef<Value> operands, arith::FastMathFlags flags) {
  StageBuilder make(builder, location, flags);
  Value v = accumulator;
  auto nextOperand = [&] {
    Value operand = operands.front();
    operands = operands.drop_front();
    return operand;
  };
  for (const EpilogueStage &stage : stages) {
    switch (stage.op) {
    case EpilogueOp::bias:
    case EpilogueOp::residual:
      v = make.add(v, nextOperand());
      break;
    case EpilogueOp::mul:
      v = make.mul(v, nextOperand());
      break;
    case EpilogueOp::relu:
      v = make.atLeast(v, 0.0f);
      break;
    case EpilogueOp::clamp:
      v = make.atMost(make.atLeast(v, stage.lo), stage.hi);
      break;
    case EpilogueOp::geluErf:
      v = make.geluErf(v);
      break;
    case EpilogueOp::geluTanh:
      v = make.geluTanh(v);
      break;
    case EpilogueOp::silu:
      v = make.silu(v);
      break;
    case EpilogueOp::sigmoid:
      v = make.sigmoid(v);
      break;
    case EpilogueOp::tanh:
      v = make.tanh(v);
      break;
    }
  }
  return v;
}

} // namespace lintel
