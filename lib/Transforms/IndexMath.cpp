// Short names for the index arithmetic and loops that kernels are made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/IndexMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace lintel::ir {

using mlir::Value;
namespace arith = mlir::arith;

mlir::LogicalResult checkStandsInFunction(mlir::Operation *op) {
  // Constants of a function around a module would be out of reach in it.
  mlir::Operation *scope =
      op->getParentWithTrait<mlir::OpTrait::IsIsolatedFromAbove>();
  if (llvm::isa_and_present<mlir::FunctionOpInterface>(scope))
    return mlir::success();
  return op->emitOpError("must stand in a func.func to be lowered");
}

Value IndexMath::constant(int64_t value) {
  mlir::Operation *function = builder.getInsertionBlock()->getParentOp();
  if (!llvm::isa<mlir::FunctionOpInterface>(function))
    function = function->getParentOfType<mlir::FunctionOpInterface>();
  mlir::Block *entry = &function->getRegion(0).front();
  Value &known = constants[{entry, value}];
  if (!known) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    known = arith::ConstantIndexOp::create(builder, loc, value);
  }
  return known;
}

Value IndexMath::fromI32(Value value) {
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    value);
}
Value IndexMath::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}
Value IndexMath::sub(Value a, Value b) {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}
Value IndexMath::mul(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}
Value IndexMath::min(Value a, Value b) {
  return builder.createOrFold<arith::MinUIOp>(loc, a, b);
}
Value IndexMath::max(Value a, Value b) {
  return builder.createOrFold<arith::MaxUIOp>(loc, a, b);
}

Value IndexMath::divBy(Value a, int64_t divisor) {
  return builder.createOrFold<arith::DivUIOp>(loc, a, constant(divisor));
}
Value IndexMath::ceilDivBy(Value a, int64_t divisor) {
  return divBy(add(a, constant(divisor - 1)), divisor);
}
Value IndexMath::roundDownTo(Value a, int64_t unit) {
  return unit == 1 ? a : mul(divBy(a, unit), constant(unit));
}
Value IndexMath::roundUpTo(Value a, int64_t unit) {
  return unit == 1 ? a : mul(ceilDivBy(a, unit), constant(unit));
}
Value IndexMath::divU32(Value a, Value b) {
  mlir::Type i32 = builder.getI32Type();
  Value narrowA = arith::IndexCastUIOp::create(builder, loc, i32, a);
  Value narrowB = arith::IndexCastUIOp::create(builder, loc, i32, b);
  Value quotient = arith::DivUIOp::create(builder, loc, narrowA, narrowB);
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                      quotient);
}

Value IndexMath::select(Value condition, Value yes, Value no) {
  return builder.createOrFold<arith::SelectOp>(loc, condition, yes, no);
}
Value IndexMath::equals(Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, a,
                                             b);
}
Value IndexMath::greater(Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ugt, a,
                                             b);
}
Value IndexMath::both(Value a, Value b) {
  return builder.createOrFold<arith::AndIOp>(loc, a, b);
}
Value IndexMath::either(Value a, Value b) {
  return builder.createOrFold<arith::OrIOp>(loc, a, b);
}
Value IndexMath::negate(Value condition) {
  return builder.createOrFold<arith::XOrIOp>(loc, condition, boolean(true));
}
Value IndexMath::boolean(bool value) {
  return arith::ConstantIntOp::create(builder, loc, value, /*width=*/1);
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

void IndexMath::loop(
    Value count, mlir::ValueRange carried,
    llvm::function_ref<llvm::SmallVector<Value>(mlir::ValueRange)> body) {
  auto loop = mlir::scf::ForOp::create(builder, loc, constant(0), count,
                                       constant(1), carried);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  mlir::scf::YieldOp::create(builder, loc, body(loop.getRegionIterArgs()));
}

void IndexMath::nest(
    const Steps &outer, const Steps &inner, mlir::ValueRange carried,
    llvm::function_ref<llvm::SmallVector<Value>(Value, Value, mlir::ValueRange)>
        body) {
  llvm::SmallVector<Value> values = {outer.begin, inner.begin};
  llvm::append_range(values, carried);
  const auto types = llvm::to_vector(mlir::ValueRange(values).getTypes());
  const llvm::SmallVector<mlir::Location> locations(types.size(), loc);
  auto loop = mlir::scf::WhileOp::create(builder, loc, types, values);
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::ValueRange at =
      builder.createBlock(&loop.getBefore(), {}, types, locations)
          ->getArguments();
  Value inside = both(greater(outer.end, at[0]), greater(inner.end, at[1]));
  mlir::scf::ConditionOp::create(builder, loc, inside, at);

  at = builder.createBlock(&loop.getAfter(), {}, types, locations)
           ->getArguments();
  llvm::SmallVector<Value> after = body(at[0], at[1], at.drop_front(2));
  Value next = add(at[1], inner.step);
  Value goesOn = greater(inner.end, next);
  values = {select(goesOn, at[0], add(at[0], outer.step)),
            select(goesOn, next, inner.begin)};
  llvm::append_range(values, after);
  mlir::scf::YieldOp::create(builder, loc, values);
}

void IndexMath::when(Value condition, llvm::function_ref<void()> body) {
  if (mlir::matchPattern(condition, mlir::m_One()))
    return body();
  auto branch = mlir::scf::IfOp::create(builder, loc, condition,
                                        /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

void IndexMath::choose(Value condition, llvm::function_ref<void()> yes,
                       llvm::function_ref<void()> no) {
  if (mlir::matchPattern(condition, mlir::m_One()))
    return yes();
  auto branch = mlir::scf::IfOp::create(builder, loc, condition,
                                        /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  yes();
  builder.setInsertionPointToStart(branch.elseBlock());
  no();
}

} // namespace lintel::ir
