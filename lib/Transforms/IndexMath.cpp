// Short names for the index arithmetic and loops that kernels are made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/IndexMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace lintel::ir {

using mlir::Value;
namespace arith = mlir::arith;

Value IndexMath::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}
Value IndexMath::fromI32(Value value) {
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    value);
}
Value IndexMath::add(Value a, Value b) {
  return arith::AddIOp::create(builder, loc, a, b);
}
Value IndexMath::sub(Value a, Value b) {
  return arith::SubIOp::create(builder, loc, a, b);
}
Value IndexMath::mul(Value a, Value b) {
  return arith::MulIOp::create(builder, loc, a, b);
}
Value IndexMath::div(Value a, Value b) {
  return arith::DivUIOp::create(builder, loc, a, b);
}
Value IndexMath::rem(Value a, Value b) {
  return arith::RemUIOp::create(builder, loc, a, b);
}
Value IndexMath::ceilDiv(Value a, Value b) {
  return div(add(a, sub(b, constant(1))), b);
}
Value IndexMath::min(Value a, Value b) {
  return arith::MinUIOp::create(builder, loc, a, b);
}
Value IndexMath::max(Value a, Value b) {
  return arith::MaxUIOp::create(builder, loc, a, b);
}
Value IndexMath::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(builder, loc, condition, yes, no);
}

Value IndexMath::equals(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
}
Value IndexMath::greater(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, a, b);
}
Value IndexMath::both(Value a, Value b) {
  return arith::AndIOp::create(builder, loc, a, b);
}
Value IndexMath::either(Value a, Value b) {
  return arith::OrIOp::create(builder, loc, a, b);
}
Value IndexMath::negate(Value condition) {
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  return arith::XOrIOp::create(builder, loc, condition, yes);
}

Value IndexMath::view(Value pointer, Value offset,
                      llvm::ArrayRef<mlir::OpFoldResult> sizes,
                      llvm::ArrayRef<mlir::OpFoldResult> strides) {
  auto element =
      llvm::cast<mlir::MemRefType>(pointer.getType()).getElementType();
  auto known = [](mlir::OpFoldResult value) {
    return mlir::getConstantIntValue(value).value_or(
        mlir::ShapedType::kDynamic);
  };
  auto fold = [&](mlir::OpFoldResult value) -> mlir::OpFoldResult {
    if (auto constant = mlir::getConstantIntValue(value))
      return builder.getIndexAttr(*constant);
    return value;
  };
  llvm::SmallVector<int64_t> shape, steps;
  llvm::SmallVector<mlir::OpFoldResult> foldedSizes, foldedStrides;
  for (mlir::OpFoldResult size : sizes) {
    shape.push_back(known(size));
    foldedSizes.push_back(fold(size));
  }
  for (mlir::OpFoldResult stride : strides) {
    steps.push_back(known(stride));
    foldedStrides.push_back(fold(stride));
  }
  auto layout = mlir::StridedLayoutAttr::get(builder.getContext(),
                                             mlir::ShapedType::kDynamic, steps);
  auto type = mlir::MemRefType::get(shape, element, layout);
  return mlir::memref::ReinterpretCastOp::create(
      builder, loc, type, pointer, offset, foldedSizes, foldedStrides);
}

void IndexMath::loop(Value begin, Value end, Value step,
                     llvm::function_ref<void(Value)> body) {
  auto loop = mlir::scf::ForOp::create(builder, loc, begin, end, step);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void IndexMath::loop(Value count, llvm::function_ref<void(Value)> body) {
  loop(constant(0), count, constant(1), body);
}

void IndexMath::when(Value condition, llvm::function_ref<void()> body) {
  auto branch = mlir::scf::IfOp::create(builder, loc, condition,
                                        /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

} // namespace lintel::ir
