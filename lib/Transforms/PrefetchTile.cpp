// The function of a kernel that asks for what an epilogue will touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/PrefetchTile.h"

#include "Schedule/Partition.h"
#include "Transforms/PrefetchLocality.h"

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

class TilePrefetch {
public:
  explicit TilePrefetch(KernelWriter &writer)
      : writer(writer), layer(writer.layer), math(writer.math) {}

  void build() {
    mlir::Type index = writer.indexType;
    mlir::func::FuncOp function = writer.createPrivate(
        writer.prefetchName(), {writer.argsType, index, index, index});
    writer.leavesTilesAlone(function);
    args = function.getArgument(0);
    row = function.getArgument(1);
    column = function.getArgument(2);
    rows = function.getArgument(3);
    LinearOp op = layer.op;
    for (auto [index, operand] : llvm::enumerate(op.getEpilogueOperands()))
      if (op.getBroadcast(static_cast<unsigned>(index)) == Broadcast::full)
        prefetch(operand.getType(), KernelField::operand,
                 KernelField::operand_stride, index);
    if (!layer.schedule.streamsOutputs())
      for (unsigned i = 0; i < op.getNumOutputs(); ++i)
        prefetch(op.getOutputType(i), KernelField::output,
                 KernelField::output_stride, i);
    writer.finish(function);
  }

private:
  /// The lines of the tile in one tensor, as if its rows began with lines: what
  /// a row goes beyond them is the next tile's. As for reading, outputs too:
  /// instructions that ask for a line to write are an extension of their own.
  void prefetch(mlir::Type tensor, KernelField field, KernelField strideField,
                size_t position) {
    mlir::Type element = mlir::getElementTypeOrSelf(tensor);
    const auto read = [&](mlir::Type type, KernelField of) -> Value {
      return KernelArgOp::create(writer.builder, writer.loc, type, args, of,
                                 static_cast<int64_t>(position));
    };
    Value pointer = read(mlir::MemRefType::get({}, element), field);
    Value stride = read(writer.indexType, strideField);
    const int64_t columns = layer.schedule.nr;
    Value tile =
        math.view(pointer, math.add(math.mul(row, stride), column),
                  {rows, math.constant(columns)}, {stride, math.constant(1)});
    math.loop(rows, [&](Value r) {
      for (int64_t c = 0; c < columns;
           c += Target::kLineBytes / bytesOf(tensor))
        mlir::memref::PrefetchOp::create(writer.builder, writer.loc, tile,
                                         mlir::ValueRange{r, math.constant(c)},
                                         /*isWrite=*/false, kToL1,
                                         /*isDataCache=*/true);
    });
  }

  KernelWriter &writer;
  const KernelLayer &layer;
  IndexMath &math;
  Value args, row, column, rows;
};

} // namespace

bool prefetchesTiles(const KernelLayer &layer) {
  LinearOp op = layer.op;
  const int64_t bytes = saturatingProduct(
      {op.getRowRange().most, layer.n, bytesOfElements(layer)});
  return bytes > layer.target.l1 && !layer.slicesDepth() &&
         !layer.schedule.vectorsAlongK(*dtypeOf(layer.weight));
}

void buildTilePrefetch(KernelWriter &writer) { TilePrefetch(writer).build(); }

} // namespace lintel::ir
