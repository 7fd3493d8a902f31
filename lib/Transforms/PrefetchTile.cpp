// Asking for what an epilogue will touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/PrefetchTile.h"

#include "Schedule/Partition.h"
#include "Transforms/KernelArguments.h"
#include "Transforms/PrefetchLocality.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"

namespace lintel::ir {
namespace {

using mlir::Value;

int64_t bytesOf(mlir::Type tensor) {
  return mlir::getElementTypeOrSelf(tensor).getIntOrFloatBitWidth() / 8;
}

/// Bytes of an element of every tensor that is prefetched, together.
int64_t bytesOfElements(const KernelLayer &layer) {
  LinearOp op = layer.op;
  int64_t bytes = 0;
  if (!layer.schedule.streamsOutputs())
    for (unsigned i = 0; i < op.getNumOutputs(); ++i)
      bytes += bytesOf(op.getOutputType(i));
  for (auto [index, operand] : llvm::enumerate(op.getEpilogueOperands()))
    if (op.getBroadcast(static_cast<unsigned>(index)) == Broadcast::full)
      bytes += bytesOf(operand.getType());
  return bytes;
}

/// Rows of these tensors that fit L1 together: any number of nothing.
int64_t rowsInL1(const KernelLayer &layer) {
  const int64_t rowBytes = saturatingProduct({layer.n, bytesOfElements(layer)});
  return rowBytes == 0 ? RowRange::kLargest : layer.target.l1 / rowBytes;
}

/// The tile at (`row`, `column`) of a tensor that a kernel is given.
Value tileOf(KernelWriter &writer, mlir::Type tensor, KernelField field,
             KernelField strideField, size_t position, const TileCorner &at) {
  const KernelArguments given(writer.builder, writer.loc, at.args);
  const auto ofTensor = static_cast<int64_t>(position);
  IndexMath &math = writer.math;
  mlir::Type element = mlir::getElementTypeOrSelf(tensor);
  Value pointer = given.pointer(field, element, ofTensor);
  Value stride = given.number(strideField, ofTensor);
  Value apart =
      at.finishes ? math.select(at.finishes, stride, math.constant(0)) : stride;
  return math.view(pointer, math.add(math.mul(at.row, stride), at.column),
                   {math.constant(writer.layer.schedule.mr),
                    math.constant(writer.layer.schedule.nr)},
                   {apart, math.constant(1)});
}

} // namespace

llvm::SmallVector<Value> touchedByEpilogue(KernelWriter &writer,
                                           const TileCorner &at) {
  const KernelLayer &layer = writer.layer;
  LinearOp op = layer.op;
  llvm::SmallVector<Value> tiles;
  for (auto [index, operand] : llvm::enumerate(op.getEpilogueOperands()))
    if (op.getBroadcast(static_cast<unsigned>(index)) == Broadcast::full)
      tiles.push_back(tileOf(writer, operand.getType(), KernelField::operand,
                             KernelField::operand_stride, index, at));
  if (layer.schedule.streamsOutputs())
    return tiles;
  for (unsigned i = 0; i < op.getNumOutputs(); ++i)
    tiles.push_back(tileOf(writer, op.getOutputType(i), KernelField::output,
                           KernelField::output_stride, i, at));
  return tiles;
}

bool prefetchesTiles(const KernelLayer &layer) {
  LinearOp op = layer.op;
  return op.getRowRange().most > rowsInL1(layer) && !layer.slicesDepth() &&
         !layer.schedule.vectorsAlongK(*dtypeOf(layer.weight));
}

Value prefetchesInCall(KernelWriter &writer, Value args) {
  LinearOp op = writer.layer.op;
  const int64_t fitting = rowsInL1(writer.layer);
  if (op.getRowRange().least > fitting)
    return writer.math.boolean(true);
  return writer.math.greater(writer.number(args, KernelField::m),
                             writer.math.constant(fitting));
}

bool prefetchesInLoop(const KernelLayer &layer) {
  return layer.schedule.onTiles() && prefetchesTiles(layer);
}

int64_t linesOfRow(Value tile, int64_t columns) {
  return ceilDiv(columns * bytesOf(tile.getType()), Target::kLineBytes);
}

void prefetchLine(mlir::OpBuilder &builder, mlir::Location loc, Value tile,
                  Value row, int64_t line, unsigned locality) {
  Value column = mlir::arith::ConstantIndexOp::create(
      builder, loc, line * Target::kLineBytes / bytesOf(tile.getType()));
  mlir::memref::PrefetchOp::create(builder, loc, tile,
                                   mlir::ValueRange{row, column},
                                   /*isWrite=*/false, locality,
                                   /*isDataCache=*/true);
}

void buildTilePrefetch(KernelWriter &writer) {
  mlir::Type index = writer.indexType;
  mlir::func::FuncOp function = writer.createPrivate(
      writer.prefetchName(), {writer.argsType, index, index, index});
  writer.leavesTilesAlone(function);
  if (writer.layer.hasManySteps())
    writer.leaveUnoptimized(function);
  const TileCorner at = {function.getArgument(0), function.getArgument(1),
                         function.getArgument(2), /*finishes=*/nullptr};
  for (Value tile : touchedByEpilogue(writer, at))
    writer.math.loop(function.getArgument(3), [&](Value row) {
      for (int64_t line = 0; line < linesOfRow(tile, writer.layer.schedule.nr);
           ++line)
        prefetchLine(writer.builder, writer.loc, tile, row, line, kToL1);
    });
  writer.finish(function);
}

} // namespace lintel::ir
