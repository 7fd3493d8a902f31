// What the tensors of a layer may be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/LayerTensor.h"

#include "Lintel/ElementType.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cstdlib>
#include <optional>

using namespace mlir;

namespace lintel::ir {

namespace {
struct Elements {
  llvm::StringRef text;
  llvm::ArrayRef<DType> types;
};
} // namespace

static Elements elementsOf(LayerTensor tensor) {
  static constexpr DType kInputs[] = {DType::f32, DType::bf16, DType::f16,
                                      DType::s8, DType::u8};
  static constexpr DType kOperands[] = {DType::f32, DType::bf16, DType::f16,
                                        DType::s32};
  switch (tensor) {
  case LayerTensor::x:
  case LayerTensor::output:
    return {"f32, bf16, f16, i8 or ui8", kInputs};
  case LayerTensor::w:
    return {"f32, bf16, f16 or i8", llvm::ArrayRef(kInputs).drop_back()};
  case LayerTensor::operand:
    return {"f32, bf16, f16 or i32", kOperands};
  }
  return {};
}

LogicalResult verifyElements(Operation *op, LayerTensor tensor,
                             llvm::StringRef name, Type element) {
  const Elements known = elementsOf(tensor);
  const std::optional<DType> dtype = dtypeOf(element);
  if (dtype && llvm::is_contained(known.types, *dtype))
    return success();
  return op->emitOpError("has ")
         << name << " of " << element << "; its elements can be " << known.text;
}

/// Kernels write rows one after the other, and parts of a call at once.
static bool rowsOverlap(MemRefType type) {
  if (type.getRank() != 2 || type.getDimSize(0) == 1 || type.isDynamicDim(1))
    return false;
  const auto [strides, offset] = type.getStridesAndOffset();
  return !ShapedType::isDynamic(strides[0]) &&
         std::abs(strides[0]) < type.getDimSize(1);
}

LogicalResult verifyLayout(Operation *op, LayerTensor tensor,
                           llvm::StringRef name, Type type) {
  const auto refuse = [&]() {
    return op->emitOpError("has ") << name << " of type " << type << "; ";
  };
  if (auto onTensor = dyn_cast<RankedTensorType>(type);
      onTensor && onTensor.getEncoding())
    return refuse() << "kernels know no encodings: leave its out";
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return success();
  if (memref.getMemorySpace())
    return refuse() << "kernels know one memory: leave its space out";
  if (memref.getRank() > 0 && !memref.isLastDimUnitStride())
    return refuse()
           << "its elements must lie side by side along the last dimension";
  if (tensor == LayerTensor::output && rowsOverlap(memref))
    return refuse() << "its rows overlap: let them begin at least "
                    << memref.getDimSize(1) << " elements apart";
  return success();
}

} // namespace lintel::ir
