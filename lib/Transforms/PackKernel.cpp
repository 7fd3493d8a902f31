// The SPMD kernel that packs a weight.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/PackKernel.h"

#include "Lintel/ElementType.h"
#include "Transforms/IndexMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace lintel::ir {

using mlir::Value;

/// Writes sum_k from[first + n, k] for n < end, and zero up to `width`, behind
/// the panels of a packed weight of integers, where PackedLayout has them.
static void sumColumns(mlir::OpBuilder &builder, IndexMath &math, PackOp op,
                       Value args, Value from, Value first, Value end) {
  mlir::Location loc = op.getLoc();
  PackedType packed = op.getPacked().getType();
  mlir::Type i32 = builder.getI32Type();
  const int64_t width = packed.getN();
  const int64_t depth = llvm::alignTo(
      llvm::alignTo(packed.getDepth(), depthUnitOf(packed.getElementType())),
      packed.getK());
  const int64_t panelBytes = llvm::alignTo(packed.getRows(), width) * depth;
  const int64_t offset = llvm::alignTo(panelBytes, Target::kLineBytes) / 4;
  Value sums = KernelArgOp::create(builder, loc, mlir::MemRefType::get({}, i32),
                                   args, KernelField::output, /*position=*/0);
  Value to = math.view(sums, math.add(math.constant(offset), first),
                       {math.constant(width)}, {math.constant(1)});
  Value zero = mlir::arith::ConstantOp::create(builder, loc,
                                               builder.getI32IntegerAttr(0));
  math.loop(end, [&](Value n) {
    auto loop = mlir::scf::ForOp::create(builder, loc, math.constant(0),
                                         math.constant(packed.getDepth()),
                                         math.constant(1), zero);
    {
      mlir::OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      Value element = mlir::memref::LoadOp::create(
          builder, loc, from,
          mlir::ValueRange{math.add(first, n), loop.getInductionVar()});
      Value wide = mlir::arith::ExtSIOp::create(builder, loc, i32, element);
      Value sum = mlir::arith::AddIOp::create(
          builder, loc, loop.getRegionIterArgs().front(), wide);
      mlir::scf::YieldOp::create(builder, loc, sum);
    }
    mlir::memref::StoreOp::create(builder, loc, loop.getResult(0), to,
                                  mlir::ValueRange{n});
  });
  math.loop(end, math.constant(width), math.constant(1), [&](Value n) {
    mlir::memref::StoreOp::create(builder, loc, zero, to, mlir::ValueRange{n});
  });
}

void buildPackKernel(PackOp op, mlir::func::FuncOp function) {
  mlir::OpBuilder builder(function);
  mlir::Location loc = op.getLoc();
  IndexMath math(builder, loc);
  PackedType packed = op.getPacked().getType();
  mlir::Type i32 = builder.getI32Type();
  auto kernel = mlir::func::FuncOp::create(
      builder, loc, function.getSymName(),
      builder.getFunctionType(
          {KernelArgsType::get(builder.getContext()), i32, i32}, {}));
  kernel.addEntryBlock();
  builder.setInsertionPointToStart(&kernel.getBody().front());

  Value args = kernel.getArgument(0);
  auto pointer = mlir::MemRefType::get({}, packed.getElementType());
  auto read = [&](mlir::Type type, KernelField field) -> Value {
    return KernelArgOp::create(builder, loc, type, args, field, /*position=*/0);
  };
  Value depth = math.constant(packed.getDepth()),
        width = math.constant(packed.getN()),
        group = math.constant(packed.getK());
  Value groups = math.ceilDivBy(
      math.roundUpTo(depth, depthUnitOf(packed.getElementType())),
      packed.getK());
  Value paddedDepth = math.mul(groups, group);
  Value one = math.constant(1), rows = math.constant(packed.getRows());
  Value from =
      math.view(read(pointer, KernelField::x), math.constant(0), {rows, depth},
                {read(builder.getIndexType(), KernelField::ldx), one});
  Value target = read(pointer, KernelField::output);
  Value padding = mlir::arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(packed.getElementType()));
  Value panels = math.ceilDivBy(rows, packed.getN());
  math.loop(math.fromI32(kernel.getArgument(1)), panels,
            math.fromI32(kernel.getArgument(2)), [&](Value panel) {
              Value first = math.mul(panel, width);
              Value end = math.min(width, math.sub(rows, first));
              Value to = math.view(target, math.mul(first, paddedDepth),
                                   {groups, width, group},
                                   {math.mul(width, group), group, one});
              auto store = [&](Value element, Value n, Value k) {
                Value inGroup =
                    builder.createOrFold<mlir::arith::RemUIOp>(loc, k, group);
                mlir::memref::StoreOp::create(
                    builder, loc, element, to,
                    mlir::ValueRange{math.divBy(k, packed.getK()), n, inGroup});
              };
              math.loop(depth, [&](Value k) {
                math.loop(end, [&](Value n) {
                  store(mlir::memref::LoadOp::create(
                            builder, loc, from,
                            mlir::ValueRange{math.add(first, n), k}),
                        n, k);
                });
                math.loop(end, width, one,
                          [&](Value n) { store(padding, n, k); });
              });
              math.loop(depth, paddedDepth, one, [&](Value k) {
                math.loop(width, [&](Value n) { store(padding, n, k); });
              });
              if (packed.getElementType().isSignlessInteger(8))
                sumColumns(builder, math, op, args, from, first, end);
            });
  mlir::func::ReturnOp::create(builder, loc);
}

} // namespace lintel::ir
