// Rows of A that multiply-adds broadcast from memory themselves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/EmbeddedRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace lintel::ir {

using mlir::Value;
namespace LLVM = mlir::LLVM;

static constexpr int64_t kElementBytes = 4;
static constexpr int64_t kLineElements = Target::kLineBytes / kElementBytes;

/// A strip that is lower than the tile has its share of them.
static int64_t rowsEmbedded(const Schedule &schedule, int64_t rows) {
  return rows * schedule.embed / std::max(rows, schedule.mr);
}

EmbeddedRows::EmbeddedRows(MicrokernelOp op, mlir::OpBuilder &builder,
                           IndexMath &math, DistancesInA apart)
    : op(op), builder(builder), math(math), apart(apart), rows(op.getRows()),
      embedded(rowsEmbedded(op.getSchedule().getValue(), rows)),
      vectors(op.getSchedule().getValue().nr /
              op.getTarget().getValue().lanes()) {
  Value base = mlir::memref::ExtractAlignedPointerAsIndexOp::create(
      builder, op.getLoc(), op.getA());
  begin =
      math.add(base, math.mul(op.getAOffset(), math.constant(kElementBytes)));
}

EmbeddedRows::Pointers EmbeddedRows::at(Value k) {
  Value address =
      math.add(begin, math.mul(k, math.constant(apart.depth * kElementBytes)));
  Value integer = mlir::arith::IndexCastOp::create(
      builder, op.getLoc(), builder.getI64Type(), address);
  Value pointer = LLVM::IntToPtrOp::create(
      builder, op.getLoc(), LLVM::LLVMPointerType::get(builder.getContext()),
      integer);
  Pointers pointers;
  for (int64_t vector = 0; vector < vectors; ++vector)
    pointers.push_back(advanced(pointer, vector * kLineElements));
  return pointers;
}

EmbeddedRows::Pointers EmbeddedRows::after(mlir::ValueRange pointers,
                                           int64_t depth) {
  Pointers later;
  for (Value pointer : pointers)
    later.push_back(advanced(pointer, depth * apart.depth));
  return later;
}

Value EmbeddedRows::element(mlir::ValueRange pointers, int64_t row,
                            int64_t vector, int64_t depth) {
  const int64_t elements =
      row * apart.row + depth * apart.depth - vector * kLineElements;
  return LLVM::LoadOp::create(builder, op.getLoc(), builder.getF32Type(),
                              advanced(pointers[vector], elements),
                              kElementBytes);
}

Value EmbeddedRows::advanced(Value pointer, int64_t elements) {
  if (elements == 0)
    return pointer;
  // An index in the operation itself has fewer bits than an int32_t.
  LLVM::GEPArg index(static_cast<int32_t>(elements));
  if (!llvm::isIntN(LLVM::kGEPConstantBitWidth, elements))
    index = LLVM::ConstantOp::create(builder, op.getLoc(), builder.getI64Type(),
                                     builder.getI64IntegerAttr(elements))
                .getResult();
  return LLVM::GEPOp::create(builder, op.getLoc(), pointer.getType(),
                             builder.getF32Type(), pointer,
                             llvm::ArrayRef<LLVM::GEPArg>{index});
}

} // namespace lintel::ir
