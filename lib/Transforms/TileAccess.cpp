// Reading epilogue operands and writing outputs at one place of the output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/TileAccess.h"

#include "Lintel/LintelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace lintel::ir {

using mlir::Value;

Value laneMask(mlir::OpBuilder &builder, mlir::Location loc, Value count,
               Value first, int64_t lanes) {
  // 32-bit lanes: one compare of a whole vector, where 64-bit lanes would take
  // two.
  mlir::Type i32 = builder.getI32Type();
  auto type = mlir::VectorType::get(lanes, i32);
  IndexMath math(builder, loc);
  llvm::SmallVector<int32_t> lane(lanes);
  for (int64_t i = 0; i < lanes; ++i)
    lane[i] = static_cast<int32_t>(i);
  Value left = mlir::arith::SubIOp::create(builder, loc, count, first);
  Value left32 = mlir::arith::IndexCastOp::create(builder, loc, i32, left);
  Value splat = mlir::vector::BroadcastOp::create(builder, loc, type, left32);
  Value index = mlir::arith::ConstantOp::create(
      builder, loc,
      mlir::DenseIntElementsAttr::get(type, llvm::ArrayRef(lane)));
  // Signed: `left` is negative for vectors wholly outside.
  return mlir::arith::CmpIOp::create(
      builder, loc, mlir::arith::CmpIPredicate::slt, index, splat);
}

TileAccess::TileAccess(mlir::OpBuilder &builder, mlir::Location loc, Value args,
                       mlir::ArrayAttr broadcastNames, mlir::Region &epilogue)
    : builder(builder), loc(loc), math(builder, loc) {
  auto pointerType = mlir::MemRefType::get({}, builder.getF32Type());
  mlir::Type indexType = builder.getIndexType();
  auto read = [&](mlir::Type type, KernelField field,
                  int64_t position) -> Value {
    return KernelArgOp::create(builder, loc, type, args, field, position);
  };
  for (auto [position, name] :
       llvm::enumerate(broadcastNames.getAsValueRange<mlir::StringAttr>())) {
    // The verifier has checked the names.
    broadcasts.push_back(*parseBroadcast(std::string_view(name)));
    operandPointers.push_back(
        read(pointerType, KernelField::operand, position));
    operandStrides.push_back(
        read(indexType, KernelField::operand_stride, position));
  }
  unsigned outputs = epilogue.front().getTerminator()->getNumOperands();
  for (unsigned position = 0; position < outputs; ++position) {
    outputPointers.push_back(read(pointerType, KernelField::output, position));
    outputStrides.push_back(
        read(indexType, KernelField::output_stride, position));
  }
}

Value TileAccess::elements(Value pointer, Value offset, int64_t lanes) {
  return math.view(pointer, offset,
                   {math.constant(std::max<int64_t>(lanes, 1))},
                   {math.constant(1)});
}

Value TileAccess::loadContiguous(unsigned operand, Value offset, int64_t lanes,
                                 Value mask) {
  if (lanes == 0)
    return loadOne(operand, offset, lanes);
  Value from = elements(operandPointers[operand], offset, lanes),
        zero = math.constant(0);
  auto type = mlir::VectorType::get(lanes, builder.getF32Type());
  if (!mask)
    return mlir::vector::LoadOp::create(builder, loc, type, from,
                                        mlir::ValueRange{zero});
  Value rest =
      mlir::arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return mlir::vector::MaskedLoadOp::create(builder, loc, type, from,
                                            mlir::ValueRange{zero}, mask, rest);
}

Value TileAccess::loadOne(unsigned operand, Value offset, int64_t lanes) {
  Value from = elements(operandPointers[operand], offset, /*lanes=*/1);
  Value element = mlir::memref::LoadOp::create(
      builder, loc, from, mlir::ValueRange{math.constant(0)});
  if (lanes == 0)
    return element;
  auto type = mlir::VectorType::get(lanes, builder.getF32Type());
  return mlir::vector::BroadcastOp::create(builder, loc, type, element);
}

llvm::SmallVector<Value>
TileAccess::loadColumnOperands(Value column, int64_t lanes, Value mask) {
  llvm::SmallVector<Value> loaded(broadcasts.size());
  for (unsigned i = 0; i < broadcasts.size(); ++i)
    if (broadcasts[i] == Broadcast::column)
      loaded[i] = loadContiguous(i, column, lanes, mask);
  return loaded;
}

llvm::SmallVector<Value>
TileAccess::loadOperands(Value row, Value column, int64_t lanes, Value mask,
                         llvm::ArrayRef<Value> perColumn) {
  llvm::SmallVector<Value> loaded;
  for (unsigned i = 0; i < broadcasts.size(); ++i) {
    switch (broadcasts[i]) {
    case Broadcast::column:
      loaded.push_back(perColumn[i]);
      break;
    case Broadcast::scalar:
      loaded.push_back(loadOne(i, math.constant(0), lanes));
      break;
    case Broadcast::row:
      loaded.push_back(loadOne(i, math.mul(row, operandStrides[i]), lanes));
      break;
    case Broadcast::full:
      loaded.push_back(loadContiguous(
          i, math.add(math.mul(row, operandStrides[i]), column), lanes, mask));
      break;
    }
  }
  return loaded;
}

void TileAccess::storeOutputs(llvm::ArrayRef<Value> values, Value row,
                              Value column, Value mask) {
  Value zero = math.constant(0);
  for (auto [i, value] : llvm::enumerate(values)) {
    Value offset = math.add(math.mul(row, outputStrides[i]), column);
    auto vector = llvm::dyn_cast<mlir::VectorType>(value.getType());
    Value to = elements(outputPointers[i], offset,
                        vector ? vector.getNumElements() : 1);
    if (!vector)
      mlir::memref::StoreOp::create(builder, loc, value, to,
                                    mlir::ValueRange{zero});
    else if (mask)
      mlir::vector::MaskedStoreOp::create(builder, loc, to,
                                          mlir::ValueRange{zero}, mask, value);
    else
      mlir::vector::StoreOp::create(builder, loc, value, to,
                                    mlir::ValueRange{zero});
  }
}

} // namespace lintel::ir
