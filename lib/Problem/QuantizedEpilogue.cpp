// The first and last steps of an epilogue of int8, as arith operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/QuantizedEpilogue.h"

#include "Lintel/ElementType.h"
#include "Problem/NamedEpilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace lintel {
namespace {

namespace arith = mlir::arith;
using mlir::Value;

class QuantizedEpilogueBuilder {
public:
  QuantizedEpilogueBuilder(mlir::OpBuilder &builder, mlir::Location location,
                           const Problem &problem,
                           llvm::ArrayRef<Value> arguments)
      : builder(builder), location(location), problem(problem),
        quantization(*problem.epilogue().quantization()), left(arguments) {}

  Value build() {
    Value value = dequantized();
    const bool toInteger = quantization.resultScale != Granularity::none;
    const bool hasZero = quantization.resultZero != Granularity::none;
    const size_t ofResult = size_t(toInteger) + size_t(hasZero);
    llvm::SmallVector<Value> operands;
    while (left.size() > ofResult)
      operands.push_back(widenToF32(builder, next()));
    value = buildStages(builder, location, problem.epilogue().stages(), value,
                        operands, arith::FastMathFlags::none);
    if (toInteger)
      return requantized(value);
    return roundTo(builder, value,
                   ir::typeOf(builder.getContext(), problem.types().result));
  }

private:
  template <class Op, class... Arguments> Value create(Arguments... arguments) {
    return Op::create(builder, location, arguments...);
  }
  mlir::Type f32() { return builder.getF32Type(); }
  Value constant(double value) {
    return create<arith::ConstantOp>(
        mlir::TypedAttr(builder.getF32FloatAttr(static_cast<float>(value))));
  }

  /// The next argument of the region.
  Value next() {
    Value value = left.front();
    left = left.drop_front();
    return value;
  }
  /// The same, or null where there is none.
  Value nextIf(bool given) { return given ? next() : Value(); }

  Value dequantized() {
    Value sum = next();
    const InputSums &sums = problem.epilogue().inputSums();
    Value columnSum = nextIf(sums.ofColumns), rowSum = nextIf(sums.ofRows);
    Value xScale = next();
    Value xZero = nextIf(quantization.xZero != Granularity::none);
    Value wScale = next();
    Value wZero = nextIf(quantization.wZero != Granularity::none);
    // Sums and products wrap, which does no harm: the result fits.
    if (xZero)
      sum = create<arith::SubIOp>(sum, create<arith::MulIOp>(xZero, columnSum));
    if (wZero) {
      Value row =
          xZero ? create<arith::SubIOp>(rowSum, timesDepth(xZero)) : rowSum;
      sum = create<arith::SubIOp>(sum, create<arith::MulIOp>(wZero, row));
    }
    // One product for a column of a tile, where multiplying by one scale after
    // the other would take two for every element.
    Value scale = create<arith::MulFOp>(xScale, wScale);
    return create<arith::MulFOp>(create<arith::SIToFPOp>(f32(), sum), scale);
  }

  Value timesDepth(Value zero) {
    Value depth = create<arith::ConstantOp>(mlir::TypedAttr(
        builder.getI32IntegerAttr(static_cast<int32_t>(problem.k()))));
    return create<arith::MulIOp>(zero, depth);
  }

  Value requantized(Value value) {
    const bool isUnsigned = problem.types().result == DType::u8;
    Value inverse = create<arith::DivFOp>(constant(1), next());
    Value zero = nextIf(quantization.resultZero != Granularity::none);
    value = create<mlir::math::RoundEvenOp>(
        Value(create<arith::MulFOp>(value, inverse)));
    if (zero)
      value =
          create<arith::AddFOp>(value, create<arith::SIToFPOp>(f32(), zero));
    // Both comparisons are false for NaN; each pair is one instruction.
    value = keepWhere(arith::CmpFPredicate::OGT, value,
                      constant(isUnsigned ? 0 : -128));
    value = keepWhere(arith::CmpFPredicate::OLT, value,
                      constant(isUnsigned ? 255 : 127));
    Value integer = create<arith::FPToSIOp>(builder.getI32Type(), value);
    return create<arith::TruncIOp>(builder.getI8Type(), integer);
  }

  /// `value` where it is less than, or greater than, the limit; else that.
  Value keepWhere(arith::CmpFPredicate predicate, Value value, Value limit) {
    Value inside = create<arith::CmpFOp>(predicate, value, limit);
    return create<arith::SelectOp>(inside, value, limit);
  }

  mlir::OpBuilder &builder;
  mlir::Location location;
  const Problem &problem;
  const Quantization quantization;
  llvm::ArrayRef<Value> left; ///< arguments that were not taken yet
};

} // namespace

Value buildQuantizedEpilogue(mlir::OpBuilder &builder, mlir::Location location,
                             const Problem &problem,
                             llvm::ArrayRef<Value> arguments) {
  return QuantizedEpilogueBuilder(builder, location, problem, arguments)
      .build();
}

} // namespace lintel
