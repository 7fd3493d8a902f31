// The function of a kernel that copies a strip of x.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/PackStrip.h"

#include "Schedule/Partition.h"
#include "Transforms/SplitHalves.h"
#include "Transforms/TransposeRows.h"
#include "Transforms/WidenRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace lintel::ir {
namespace {

using mlir::Value;

class PackStrip {
public:
  explicit PackStrip(KernelWriter &writer)
      : writer(writer), layer(writer.layer), builder(writer.builder),
        loc(writer.loc), math(writer.math), together(layer.packedTogether()),
        element(scalarOf(layer.activation)),
        packed(layer.splitsHalves() ? builder.getI16Type()
                                    : scalarOf(layer.packedActivation())) {}

  void build() {
    llvm::SmallVector<mlir::Type> inputs(6, writer.indexType);
    inputs.front() = writer.argsType;
    mlir::func::FuncOp function =
        writer.createPrivate(writer.packName(), inputs);
    writer.leavesTilesAlone(function);
    if (layer.schedule.onTiles() || transposesRows())
      writer.leaveUnoptimized(function);
    auto arg = [&](unsigned index) { return function.getArgument(index); };
    Value one = math.constant(1);
    rows = layer.microkernelHeights().size() == 1 && !layer.schedule.onTiles()
               ? math.constant(layer.strips.tall.front())
               : arg(2);
    depth = arg(4);
    x = writer.pointer(arg(0), KernelField::x, element);
    ldx = writer.number(arg(0), KernelField::ldx);
    begin = math.add(math.mul(arg(1), ldx), arg(3));
    from = math.view(x, begin, {rows, depth}, {ldx, one});
    copies = writer.pointer(arg(0), KernelField::workspace, packed);
    copy = arg(5);
    to = viewOfPacked();
    if (layer.schedule.onTiles())
      copyLines();
    else if (layer.widensRows())
      widenRows(writer, {from, to, rows, depth});
    else
      transpose();
    writer.finish(function);
  }

private:
  /// Elements of K that are transposed together.
  int64_t wide() const { return columnsTogether(layer.target) * together; }

  /// Some strips are high and deep enough.
  bool transposesRows() const {
    return !layer.schedule.onTiles() && !layer.widensRows() &&
           layer.strips.tall.front() >= kRowsTransposedTogether &&
           layer.k >= wide();
  }

  Value viewOfPacked() {
    Value one = math.constant(1);
    if (layer.widensRows())
      return math.view(copies, copy, {rows, math.roundUpTo(depth, together)},
                       {strideOfWidenedRows(math, depth), one});
    Value height = layer.schedule.onTiles()
                       ? math.constant(layer.strips.tall.front())
                       : rows;
    Value groupElements = math.mul(height, math.constant(together));
    Value groups = math.mul(math.ceilDivBy(depth, together),
                            math.constant(layer.schedule.partsOfFactor()));
    return math.view(copies, copy, {groups, groupElements},
                     {groupElements, one});
  }

  /// Both indices count elements, of which nobody reads how many there are.
  Value flatView(Value pointer, Value offset) {
    Value one = math.constant(1);
    Value elements = math.mul(rows, depth);
    return math.view(pointer, offset, {elements, elements}, {one, one});
  }

  /// Groups, each of which a lane takes, and then what is left of K.
  void transpose() {
    Value whole = math.roundDownTo(depth, together);
    if (transposesRows())
      math.choose(
          isHighAndDeep(whole), [&] { transposeGroups(whole); },
          [&] { copyGroups(whole); });
    else
      copyGroups(whole);
    if (together > 1)
      copyRest(whole);
  }

  /// Whether the strip is; a constant where all are.
  Value isHighAndDeep(Value whole) {
    const bool allHigh =
        layer.microkernelHeights().back() >= kRowsTransposedTogether;
    Value high =
        allHigh
            ? math.boolean(true)
            : math.greater(rows, math.constant(kRowsTransposedTogether - 1));
    Value deep = layer.wholeDepth()
                     ? math.boolean(true)
                     : math.greater(whole, math.constant(wide() - 1));
    return math.both(high, deep);
  }

  /// Four rows and as many elements of K as fit at a time. What is left of
  /// either is transposed with what is before it once more.
  void transposeGroups(Value whole) {
    const FlatRows flat = {flatView(x, begin), flatView(copies, copy),
                           math.mul(rows, math.constant(together))};
    Value four = math.constant(kRowsTransposedTogether);
    Value lastRow = math.sub(rows, four);
    Value lastK = math.sub(whole, math.constant(wide()));
    math.loop(math.constant(0), whole, math.constant(wide()), [&](Value k) {
      Value column = math.min(k, lastK);
      math.loop(math.constant(0), rows, four, [&](Value r) {
        transposeFourRows(flat, math.min(r, lastRow), column);
      });
    });
  }

  /// What LLVM is not to work out anew for every load and store.
  struct FlatRows {
    Value from, to;
    Value groupElements; ///< of all rows
  };

  void transposeFourRows(const FlatRows &flat, Value row, Value k) {
    const auto bits =
        static_cast<unsigned>(together) * element.getIntOrFloatBitWidth();
    auto lanes = mlir::VectorType::get(
        wide() / together,
        together == 1 ? element : builder.getIntegerType(bits));
    llvm::SmallVector<Value> groups;
    Value offset = math.add(math.mul(row, ldx), k);
    for (int64_t r = 0; r < kRowsTransposedTogether; ++r) {
      if (r > 0)
        offset = math.add(offset, ldx);
      groups.push_back(reinterpret(
          flipSigns(load(flat.from, {offset, math.constant(0)}, wide())),
          lanes));
    }
    auto column =
        mlir::VectorType::get(kRowsTransposedTogether * together, element);
    Value group = math.mul(math.divBy(k, together), flat.groupElements);
    Value first = math.add(group, math.mul(row, math.constant(together)));
    for (auto [i, values] : llvm::enumerate(transposed(builder, loc, groups)))
      mlir::vector::StoreOp::create(
          builder, loc, reinterpret(values, column), flat.to,
          mlir::ValueRange{first,
                           math.mul(math.constant(i), flat.groupElements)});
  }

  Value reinterpret(Value vector, mlir::VectorType type) {
    if (vector.getType() == type)
      return vector;
    return mlir::vector::BitCastOp::create(builder, loc, type, vector);
  }

  /// Row by row, a group at a time.
  void copyGroups(Value whole) {
    math.loop(rows, [&](Value r) {
      Value first = math.mul(r, math.constant(together));
      math.loop(math.constant(0), whole, math.constant(together), [&](Value k) {
        copyGroup(r, k, together, {math.divBy(k, together), first});
      });
    });
  }

  void copyRest(Value whole) {
    Value group = math.divBy(whole, together);
    math.loop(rows, [&](Value r) {
      Value first = math.mul(r, math.constant(together));
      math.loop(whole, depth, math.constant(1), [&](Value k) {
        copyGroup(r, k, 1, {group, math.add(first, math.sub(k, whole))});
      });
    });
  }

  Value load(Value view, mlir::ValueRange place, int64_t count) {
    return mlir::vector::LoadOp::create(
        builder, loc, mlir::VectorType::get(count, element), view, place);
  }

  void copyGroup(Value row, Value k, int64_t count, mlir::ValueRange place) {
    mlir::vector::StoreOp::create(
        builder, loc, flipSigns(load(from, {row, k}, count)), to, place);
  }

  /// As products take elements: signed ones that stand for x + 128 have their
  /// sign bit flipped.
  Value flipSigns(Value elements) {
    if (!layer.shiftsX())
      return elements;
    auto type = llvm::cast<mlir::VectorType>(elements.getType());
    Value signs = mlir::arith::ConstantOp::create(
        builder, loc, mlir::DenseElementsAttr::get(type, llvm::APInt(8, 128)));
    return mlir::arith::XOrIOp::create(builder, loc, elements, signs);
  }

  /// A group is a cache line, the last one of K padded with zeros: what it
  /// meets in w is padding too, but NaN times zero would be NaN.
  void copyLines() {
    Value whole = math.roundDownTo(depth, together);
    math.loop(math.constant(0), whole, math.constant(together),
              [&](Value k) { copyColumn(k, Value()); });
    if (layer.k % together == 0)
      return;
    math.when(math.greater(depth, whole), [&] {
      copyColumn(whole, firstElements(math.sub(depth, whole)));
    });
  }

  /// A mask of the first `count` elements of a line: an integer that has a bit
  /// for each, where comparing would take vectors longer than a line.
  Value firstElements(Value count) {
    mlir::Type bits = builder.getIntegerType(static_cast<unsigned>(together));
    Value one = mlir::arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(bits, 1));
    Value power = mlir::arith::ShLIOp::create(
        builder, loc, one,
        mlir::arith::IndexCastOp::create(builder, loc, bits, count));
    return mlir::LLVM::BitcastOp::create(
        builder, loc, mlir::VectorType::get(together, builder.getI1Type()),
        mlir::arith::SubIOp::create(builder, loc, power, one));
  }

  void copyColumn(Value k, Value mask) {
    auto type = mlir::VectorType::get(together, element);
    Value group = math.divBy(k, together);
    math.loop(rows, [&](Value r) {
      Value line;
      if (mask) {
        Value zero = mlir::arith::ConstantOp::create(builder, loc,
                                                     builder.getZeroAttr(type));
        line = mlir::vector::MaskedLoadOp::create(
            builder, loc, type, from, mlir::ValueRange{r, k}, mask, zero);
      } else {
        line = mlir::vector::LoadOp::create(builder, loc, type, from,
                                            mlir::ValueRange{r, k});
      }
      storeLine(line, group, math.mul(r, math.constant(together)));
    });
  }

  /// The line, or the two that its elements are split into: first all rows of
  /// the high parts, and then those of the low ones.
  void storeLine(Value line, Value group, Value column) {
    const auto storeAt = [&](Value elements, Value row, Value at) {
      mlir::vector::StoreOp::create(builder, loc, elements, to,
                                    mlir::ValueRange{row, at});
    };
    if (!layer.splitsHalves())
      return storeAt(line, group, column);
    Value high = math.mul(group, math.constant(2));
    Value low = math.add(high, math.constant(1));
    // As many as a vector of f32 holds at a time.
    for (int64_t first = 0; first < together; first += layer.target.lanes()) {
      const auto lanes = llvm::to_vector(
          llvm::seq<int64_t>(first, first + layer.target.lanes()));
      const HighAndLow halves = splitHalves(
          builder, loc,
          mlir::vector::ShuffleOp::create(builder, loc, line, line, lanes));
      Value at = math.add(column, math.constant(first));
      storeAt(upperBits(builder, loc, halves.high), high, at);
      storeAt(upperBits(builder, loc, halves.low), low, at);
    }
  }

  KernelWriter &writer;
  const KernelLayer &layer;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexMath &math;
  const int64_t together;
  const mlir::Type element; ///< of x; a copy asks for no sign
  const mlir::Type packed;  ///< the same of packed rows; of parts their bits
  Value rows, depth;
  Value x, ldx, begin, from; ///< `begin`: the offset of the strip
  Value copies, copy, to;    ///< `copy`: the offset of the packed strip
};

} // namespace

void buildPackStrip(KernelWriter &writer) { PackStrip(writer).build(); }

} // namespace lintel::ir
