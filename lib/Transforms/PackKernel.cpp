// The SPMD kernel that packs a weight.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/PackKernel.h"

#include "Transforms/IndexMath.h"
#include "Transforms/KernelArguments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace lintel::ir {

using mlir::Value;

namespace {

/// Deals panels out to the threads, and copies each from the rows of w.
class PackKernel {
public:
  PackKernel(PackOp op, mlir::func::FuncOp function)
      : packed(op.getPacked().getType()), builder(function), loc(op.getLoc()),
        math(builder, loc), name(function.getSymName()) {}

  mlir::func::FuncOp build() {
    mlir::Type i32 = builder.getI32Type();
    auto kernel = mlir::func::FuncOp::create(
        builder, loc, name,
        builder.getFunctionType(
            {KernelArgsType::get(builder.getContext()), i32, i32}, {}));
    kernel.addEntryBlock();
    builder.setInsertionPointToStart(&kernel.getBody().front());
    args = kernel.getArgument(0);
    readSizes();
    math.loop(math.fromI32(kernel.getArgument(1)),
              math.ceilDivBy(rows, packed.getN()),
              math.fromI32(kernel.getArgument(2)),
              [&](Value panel) { packPanel(panel); });
    mlir::func::ReturnOp::create(builder, loc);
    return kernel;
  }

private:
  void readSizes() {
    const KernelArguments given(builder, loc, args);
    const mlir::Type element = packed.getElementType();
    depth = math.constant(packed.getDepth());
    paddedDepth = math.constant(packed.getPaddedDepth());
    width = math.constant(packed.getN());
    group = math.constant(packed.getK());
    one = math.constant(1);
    rows = math.constant(packed.getRows());
    from = math.view(given.pointer(KernelField::x, element), math.constant(0),
                     {rows, depth}, {given.number(KernelField::ldx), one});
    target = given.pointer(KernelField::output, element);
    padding = mlir::arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(packed.getElementType()));
  }

  /// Rows [first, first + end) of w, and padding up to `width`.
  void packPanel(Value panel) {
    Value first = math.mul(panel, width);
    Value end = math.min(width, math.sub(rows, first));
    Value groups = math.constant(packed.getPaddedDepth() / packed.getK());
    Value to =
        math.view(target, math.mul(first, paddedDepth), {groups, width, group},
                  {math.mul(width, group), group, one});
    math.loop(depth, [&](Value k) {
      math.loop(end,
                [&](Value n) { store(load(math.add(first, n), k), to, n, k); });
      math.loop(end, width, one, [&](Value n) { store(padding, to, n, k); });
    });
    math.loop(depth, paddedDepth, one, [&](Value k) {
      math.loop(width, [&](Value n) { store(padding, to, n, k); });
    });
    if (packed.getElementType().isSignlessInteger(8))
      sumColumns(first, end);
  }

  Value load(Value n, Value k) {
    return mlir::memref::LoadOp::create(builder, loc, from,
                                        mlir::ValueRange{n, k});
  }

  void store(Value element, Value to, Value n, Value k) {
    Value inGroup = builder.createOrFold<mlir::arith::RemUIOp>(loc, k, group);
    mlir::memref::StoreOp::create(
        builder, loc, element, to,
        mlir::ValueRange{math.divBy(k, packed.getK()), n, inGroup});
  }

  /// Writes the sums of rows [first, first + end), and zero up to `width`,
  /// behind the panels, where PackedLayout has them.
  void sumColumns(Value first, Value end) {
    mlir::Type i32 = builder.getI32Type();
    const int64_t panelBytes = llvm::alignTo(packed.getRows(), packed.getN()) *
                               packed.getPaddedDepth();
    const int64_t offset = llvm::alignTo(panelBytes, Target::kLineBytes) / 4;
    Value sums =
        KernelArguments(builder, loc, args).pointer(KernelField::output, i32);
    Value to =
        math.view(sums, math.add(math.constant(offset), first), {width}, {one});
    Value zero = mlir::arith::ConstantOp::create(builder, loc,
                                                 builder.getI32IntegerAttr(0));
    math.loop(end, [&](Value n) {
      Value sum = sumOfRow(math.add(first, n), zero);
      mlir::memref::StoreOp::create(builder, loc, sum, to, mlir::ValueRange{n});
    });
    math.loop(end, width, one, [&](Value n) {
      mlir::memref::StoreOp::create(builder, loc, zero, to,
                                    mlir::ValueRange{n});
    });
  }

  Value sumOfRow(Value n, Value zero) {
    auto loop = mlir::scf::ForOp::create(builder, loc, math.constant(0), depth,
                                         one, zero);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value wide = mlir::arith::ExtSIOp::create(builder, loc, zero.getType(),
                                              load(n, loop.getInductionVar()));
    Value sum = mlir::arith::AddIOp::create(
        builder, loc, loop.getRegionIterArgs().front(), wide);
    mlir::scf::YieldOp::create(builder, loc, sum);
    return loop.getResult(0);
  }

  PackedType packed;
  mlir::OpBuilder builder;
  mlir::Location loc;
  IndexMath math;
  llvm::StringRef name;
  Value args, from, target, padding;
  Value rows, depth, paddedDepth, width, group, one;
};

} // namespace

mlir::func::FuncOp buildPackKernel(PackOp op, mlir::func::FuncOp function) {
  return PackKernel(op, function).build();
}

} // namespace lintel::ir
