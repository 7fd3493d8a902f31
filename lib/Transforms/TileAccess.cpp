// Reading epilogue operands and writing outputs at one place of the output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/TileAccess.h"

#include "Lintel/ElementType.h"
#include "Lintel/LintelDialect.h"
#include "Transforms/KernelArguments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

namespace lintel::ir {

using mlir::Value;

static int64_t elementBytes(mlir::ShapedType type) {
  return type.getElementType().getIntOrFloatBitWidth() / 8;
}

Value laneMask(mlir::OpBuilder &builder, mlir::Location loc, Value count,
               Value first, int64_t lanes, unsigned bits) {
  mlir::Type integer = builder.getIntegerType(bits);
  auto type = mlir::VectorType::get(lanes, integer);
  llvm::SmallVector<llvm::APInt> lane;
  for (int64_t i = 0; i < lanes; ++i)
    lane.emplace_back(bits, static_cast<uint64_t>(i));
  Value left = mlir::arith::IndexCastOp::create(
      builder, loc, integer,
      mlir::arith::SubIOp::create(builder, loc, count, first));
  Value splat = mlir::vector::BroadcastOp::create(builder, loc, type, left);
  Value index = mlir::arith::ConstantOp::create(
      builder, loc, mlir::DenseIntElementsAttr::get(type, lane));
  // Signed: `left` is negative for vectors wholly outside.
  return mlir::arith::CmpIOp::create(
      builder, loc, mlir::arith::CmpIPredicate::slt, index, splat);
}

bool isMultiple(Value count, int64_t lanes) {
  llvm::APInt known;
  return mlir::matchPattern(count, mlir::m_ConstantInt(&known)) &&
         known.getSExtValue() % lanes == 0;
}

/// Whether a row is known to have all of `width` columns.
static bool isWhole(Value columns, int64_t width) {
  llvm::APInt known;
  return mlir::matchPattern(columns, mlir::m_ConstantInt(&known)) &&
         known.getSExtValue() >= width;
}

llvm::SmallVector<Value> columnMasks(mlir::OpBuilder &builder,
                                     mlir::Location loc, const Target &target,
                                     Value columns, int64_t vectors) {
  llvm::SmallVector<Value> masks(static_cast<size_t>(vectors));
  const int64_t lanes = target.lanes();
  if (!target.hasMaskRegisters() || isWhole(columns, vectors * lanes))
    return masks;
  IndexMath math(builder, loc);
  for (int64_t v = 0; v < vectors; ++v)
    masks[static_cast<size_t>(v)] =
        laneMask(builder, loc, columns, math.constant(v * lanes), lanes);
  return masks;
}

TileAccess::TileAccess(mlir::OpBuilder &builder, mlir::Location loc, Value args,
                       Value column, mlir::ArrayAttr broadcastNames,
                       mlir::Region &epilogue)
    : builder(builder), loc(loc), math(builder, loc), column(column) {
  mlir::Block &body = epilogue.front();
  const KernelArguments given(builder, loc, args);
  int64_t position = 0; // of the next operand
  for (auto [index, name] :
       llvm::enumerate(broadcastNames.getAsValueRange<mlir::StringAttr>())) {
    mlir::Type type = body.getArgument(index + 1).getType();
    if (name == kColumnSums) {
      broadcasts.push_back(Broadcast::column);
      operandPointers.push_back(
          elements(given.pointer(KernelField::column_sums, type), column));
      operandStrides.push_back(Value());
      continue;
    }
    if (name == kRowSums) {
      broadcasts.push_back(Broadcast::row);
      operandPointers.push_back(given.pointer(KernelField::row_sums, type));
      operandStrides.push_back(math.constant(1));
      continue;
    }
    // The verifier has checked the names.
    broadcasts.push_back(*parseBroadcast(std::string_view(name)));
    Value pointer = given.pointer(KernelField::operand, type, position);
    bool strided = broadcasts.back() == Broadcast::row ||
                   broadcasts.back() == Broadcast::full;
    operandPointers.push_back(broadcasts.back() == Broadcast::column
                                  ? elements(pointer, column)
                                  : pointer);
    operandStrides.push_back(
        strided ? given.number(KernelField::operand_stride, position)
                : Value());
    ++position;
  }
  for (auto [position, type] :
       llvm::enumerate(body.getTerminator()->getOperandTypes())) {
    const auto ofOutput = static_cast<int64_t>(position);
    outputPointers.push_back(
        given.pointer(KernelField::output, type, ofOutput));
    outputStrides.push_back(given.number(KernelField::output_stride, ofOutput));
  }
}

Value TileAccess::elements(Value pointer, Value offset) {
  // A view needs a length; nothing reads it.
  return math.view(pointer, offset, {column}, {math.constant(1)});
}

Value TileAccess::loadFrom(Value view, Value offset, int64_t lanes,
                           Value mask) {
  mlir::ValueRange at(offset);
  if (lanes == 0)
    return mlir::memref::LoadOp::create(builder, loc, view, at);
  auto type = mlir::VectorType::get(
      lanes, llvm::cast<mlir::MemRefType>(view.getType()).getElementType());
  if (!mask)
    return mlir::vector::LoadOp::create(builder, loc, type, view, at);
  Value rest =
      mlir::arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return mlir::vector::MaskedLoadOp::create(builder, loc, type, view, at, mask,
                                            rest);
}

Value TileAccess::toBits(Value value) {
  mlir::Type i16 = builder.getI16Type(), type = i16;
  if (!isNarrowFloat(mlir::getElementTypeOrSelf(value.getType())))
    return value;
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(value.getType()))
    type = vector.clone(i16);
  return mlir::arith::BitcastOp::create(builder, loc, type, value);
}

Value TileAccess::loadOne(Value pointer, Value offset, int64_t lanes) {
  Value element = toBits(loadFrom(elements(pointer, offset), math.constant(0),
                                  /*lanes=*/0, Value()));
  if (lanes == 0)
    return element;
  return mlir::vector::BroadcastOp::create(
      builder, loc, mlir::VectorType::get(lanes, element.getType()), element);
}

Value TileAccess::fromBits(Value value, mlir::Type element) {
  if (!isNarrowFloat(element))
    return value;
  mlir::Type type = element;
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(value.getType()))
    type = vector.clone(element);
  return mlir::arith::BitcastOp::create(builder, loc, type, value);
}

llvm::SmallVector<Value> TileAccess::loadScalars(int64_t lanes) {
  llvm::SmallVector<Value> scalars(broadcasts.size());
  for (unsigned i = 0; i < broadcasts.size(); ++i)
    if (broadcasts[i] == Broadcast::scalar)
      scalars[i] = loadOne(operandPointers[i], math.constant(0), lanes);
  return scalars;
}

RowOffsets TileAccess::offsetsOf(Value row) {
  RowOffsets offsets;
  for (auto [broadcast, stride] : llvm::zip(broadcasts, operandStrides)) {
    if (broadcast == Broadcast::row)
      offsets.push_back(math.mul(row, stride));
    else if (broadcast == Broadcast::full)
      offsets.push_back(math.add(math.mul(row, stride), column));
    else
      offsets.push_back(Value());
  }
  for (Value stride : outputStrides)
    offsets.push_back(math.add(math.mul(row, stride), column));
  return offsets;
}

RowOffsets TileAccess::movedBy(const RowOffsets &row, Value columns) {
  RowOffsets moved = row;
  for (auto [i, offset] : llvm::enumerate(moved))
    if (i >= broadcasts.size() || broadcasts[i] == Broadcast::full)
      offset = math.add(offset, columns);
  return moved;
}

RowOffsets TileAccess::below(const RowOffsets &row) {
  RowOffsets offsets;
  for (auto [offset, stride] :
       llvm::zip(row, llvm::concat<const Value>(operandStrides, outputStrides)))
    offsets.push_back(offset ? math.add(offset, stride) : Value());
  return offsets;
}

TileRow TileAccess::rowAt(Value row, int64_t lanes,
                          llvm::ArrayRef<Value> scalars) {
  return rowFrom(offsetsOf(row), lanes, scalars);
}

TileRow TileAccess::nextRow(const TileRow &row, int64_t lanes) {
  return rowFrom(below(row.offsets), lanes, row.operands);
}

TileRow TileAccess::rowFrom(RowOffsets offsets, int64_t lanes,
                            llvm::ArrayRef<Value> scalars) {
  TileRow result;
  for (unsigned i = 0; i < broadcasts.size(); ++i) {
    switch (broadcasts[i]) {
    case Broadcast::column:
      result.operands.push_back(Value());
      break;
    case Broadcast::scalar:
      result.operands.push_back(scalars[i]);
      break;
    case Broadcast::row:
      result.operands.push_back(loadOne(operandPointers[i], offsets[i], lanes));
      break;
    case Broadcast::full:
      result.operands.push_back(elements(operandPointers[i], offsets[i]));
      break;
    }
  }
  for (auto [pointer, offset] :
       llvm::zip(outputPointers,
                 llvm::ArrayRef(offsets).drop_front(broadcasts.size())))
    result.outputs.push_back(elements(pointer, offset));
  result.offsets = std::move(offsets);
  return result;
}

llvm::SmallVector<Value> TileAccess::loadColumns(Value offset, int64_t lanes,
                                                 Value mask) {
  llvm::SmallVector<Value> loaded(broadcasts.size());
  for (unsigned i = 0; i < broadcasts.size(); ++i)
    if (broadcasts[i] == Broadcast::column)
      loaded[i] = toBits(loadFrom(operandPointers[i], offset, lanes, mask));
  return loaded;
}

llvm::SmallVector<Value> TileAccess::load(const TileRow &row, Value offset,
                                          int64_t lanes, Value mask,
                                          llvm::ArrayRef<Value> columns) {
  llvm::SmallVector<Value> loaded;
  for (unsigned i = 0; i < broadcasts.size(); ++i) {
    if (broadcasts[i] == Broadcast::full) {
      loaded.push_back(loadFrom(row.operands[i], offset, lanes, mask));
      continue;
    }
    loaded.push_back(fromBits(
        broadcasts[i] == Broadcast::column ? columns[i] : row.operands[i],
        llvm::cast<mlir::MemRefType>(operandPointers[i].getType())
            .getElementType()));
  }
  return loaded;
}

void TileAccess::store(llvm::ArrayRef<Value> values, const TileRow &row,
                       Value offset, Value mask) {
  mlir::ValueRange at(offset);
  for (auto [value, view] : llvm::zip(values, row.outputs)) {
    if (!llvm::isa<mlir::VectorType>(value.getType()))
      mlir::memref::StoreOp::create(builder, loc, value, view, at);
    else if (mask)
      mlir::vector::MaskedStoreOp::create(builder, loc, view, at, mask, value);
    else
      mlir::vector::StoreOp::create(builder, loc, value, view, at);
  }
}

Value TileAccess::fillsLines(Value columns, int64_t width) {
  Value bits;
  const auto collect = [&](Value more) {
    bits = bits ? Value(mlir::arith::OrIOp::create(builder, loc, bits, more))
                : more;
  };
  for (auto [pointer, stride] : llvm::zip(outputPointers, outputStrides)) {
    collect(mlir::memref::ExtractAlignedPointerAsIndexOp::create(builder, loc,
                                                                 pointer));
    const int64_t bytes =
        elementBytes(llvm::cast<mlir::MemRefType>(pointer.getType()));
    collect(math.mul(stride, math.constant(bytes)));
  }
  Value inLine = mlir::arith::AndIOp::create(
      builder, loc, bits, math.constant(Target::kLineBytes - 1));
  return math.both(math.equals(inLine, math.constant(0)),
                   math.equals(columns, math.constant(width)));
}

void TileAccess::stream(llvm::ArrayRef<Value> values, const TileRow &row,
                        Value offset) {
  for (auto [value, view] : llvm::zip(values, row.outputs)) {
    auto type = llvm::cast<mlir::VectorType>(value.getType());
    mlir::vector::StoreOp::create(
        builder, loc, value, view, mlir::ValueRange(offset),
        /*nontemporal=*/true,
        llvm::MaybeAlign(type.getNumElements() * elementBytes(type)));
  }
}

} // namespace lintel::ir
