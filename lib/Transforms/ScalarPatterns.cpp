// Arithmetic on scalar integers to the LLVM dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/ScalarPatterns.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace lintel::ir {
namespace {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
using mlir::Value;

/// Of an operation whose result is a scalar integer.
template <class Op> struct ScalarPattern : mlir::ConvertOpToLLVMPattern<Op> {
  using Adaptor = typename Op::Adaptor;

  explicit ScalarPattern(const mlir::LLVMTypeConverter &converter)
      : mlir::ConvertOpToLLVMPattern<Op>(converter, /*benefit=*/2) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isIntOrIndex())
      return rewriter.notifyMatchFailure(op, "not a scalar integer");
    rewriter.replaceOp(op, emit(op, adaptor, rewriter));
    return mlir::success();
  }

  virtual Value emit(Op op, Adaptor adaptor,
                     mlir::OpBuilder &builder) const = 0;
};

struct LowerConstant : ScalarPattern<arith::ConstantOp> {
  using ScalarPattern::ScalarPattern;
  Value emit(arith::ConstantOp op, Adaptor,
             mlir::OpBuilder &builder) const override {
    return LLVM::ConstantOp::create(
        builder, op.getLoc(), getTypeConverter()->convertType(op.getType()),
        op.getValue());
  }
};

template <class Op, class LLVMOp> struct LowerSum : ScalarPattern<Op> {
  using ScalarPattern<Op>::ScalarPattern;
  Value emit(Op op, typename Op::Adaptor adaptor,
             mlir::OpBuilder &builder) const override {
    return LLVMOp::create(
        builder, op.getLoc(), adaptor.getLhs(), adaptor.getRhs(),
        arith::convertArithOverflowFlagsToLLVM(op.getOverflowFlags()));
  }
};

struct LowerQuotient : ScalarPattern<arith::DivUIOp> {
  using ScalarPattern::ScalarPattern;
  Value emit(arith::DivUIOp op, Adaptor adaptor,
             mlir::OpBuilder &builder) const override {
    return LLVM::UDivOp::create(builder, op.getLoc(), adaptor.getLhs(),
                                adaptor.getRhs(), op.getIsExact());
  }
};

struct LowerAnd : ScalarPattern<arith::AndIOp> {
  using ScalarPattern::ScalarPattern;
  Value emit(arith::AndIOp op, Adaptor adaptor,
             mlir::OpBuilder &builder) const override {
    return LLVM::AndOp::create(builder, op.getLoc(), adaptor.getLhs(),
                               adaptor.getRhs());
  }
};

struct LowerSelect : ScalarPattern<arith::SelectOp> {
  using ScalarPattern::ScalarPattern;
  Value emit(arith::SelectOp op, Adaptor adaptor,
             mlir::OpBuilder &builder) const override {
    return LLVM::SelectOp::create(builder, op.getLoc(), adaptor.getCondition(),
                                  adaptor.getTrueValue(),
                                  adaptor.getFalseValue());
  }
};

/// The smaller or the larger of two numbers by a comparison. LLVM's intrinsic
/// is shorter, but goes through instruction selection by itself where functions
/// are taken as they are written: a fiftieth of an object's time.
template <class Op, LLVM::ICmpPredicate kTakesFirst>
struct LowerExtremum : ScalarPattern<Op> {
  using ScalarPattern<Op>::ScalarPattern;
  Value emit(Op op, typename Op::Adaptor adaptor,
             mlir::OpBuilder &builder) const override {
    Value first = adaptor.getLhs(), second = adaptor.getRhs();
    Value takesFirst =
        LLVM::ICmpOp::create(builder, op.getLoc(), kTakesFirst, first, second);
    return LLVM::SelectOp::create(builder, op.getLoc(), takesFirst, first,
                                  second);
  }
};

} // namespace

void populateScalarPatterns(const mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns) {
  patterns
      .add<LowerConstant, LowerSum<arith::AddIOp, LLVM::AddOp>,
           LowerSum<arith::SubIOp, LLVM::SubOp>,
           LowerSum<arith::MulIOp, LLVM::MulOp>, LowerQuotient, LowerAnd,
           LowerSelect, LowerExtremum<arith::MinUIOp, LLVM::ICmpPredicate::ult>,
           LowerExtremum<arith::MaxUIOp, LLVM::ICmpPredicate::ugt>>(converter);
}

} // namespace lintel::ir
