// What kernels are made of, once they are loops over vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/KernelForm.h"

#include "Lintel/ElementType.h"
#include "Lintel/LintelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

namespace lintel::ir {

static bool isScalar(mlir::Type type) {
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(type))
    return integer.isUnsignedInteger(8) || // x of u8s8
           (integer.isSignless() && integer.getWidth() <= 64);
  return type.isIndex() || isFloatOfLayers(type);
}

static bool isTypeOfKernels(mlir::Type type) {
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
    return vector.getRank() == 1 && !vector.isScalable() &&
           isScalar(vector.getElementType());
  if (auto memref = llvm::dyn_cast<mlir::MemRefType>(type))
    return isScalar(memref.getElementType()) && memref.isStrided() &&
           !memref.getMemorySpace();
  return isScalar(type) ||
         llvm::isa<KernelArgsType, mlir::LLVM::LLVMPointerType>(type);
}

static bool isOperationOfKernels(mlir::Operation *op) {
  using namespace mlir; // the list is long enough without
  return isa<ModuleOp, func::FuncOp, func::CallOp, func::ReturnOp, scf::ForOp,
             scf::IfOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp,
             memref::LoadOp, memref::StoreOp, memref::PrefetchOp,
             memref::ReinterpretCastOp, memref::ExtractAlignedPointerAsIndexOp,
             vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
             vector::MaskedStoreOp, vector::BroadcastOp, vector::FMAOp,
             vector::ShuffleOp, vector::ExtractOp, vector::BitCastOp,
             KernelArgOp>(op) ||
         isa_and_present<arith::ArithDialect, math::MathDialect,
                         LLVM::LLVMDialect>(op->getDialect());
}

static bool isOfKernels(mlir::Operation *op) {
  // Operations of the LLVM dialect stay as they are, whatever their types.
  if (llvm::isa_and_present<mlir::LLVM::LLVMDialect>(op->getDialect()))
    return true;
  if (!isOperationOfKernels(op))
    return false;
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      if (!llvm::all_of(block.getArgumentTypes(), isTypeOfKernels))
        return false;
  if (auto function = llvm::dyn_cast<mlir::func::FuncOp>(op))
    return llvm::all_of(function.getArgumentTypes(), isTypeOfKernels) &&
           llvm::all_of(function.getResultTypes(), isTypeOfKernels);
  return llvm::all_of(op->getResultTypes(), isTypeOfKernels) &&
         llvm::all_of(op->getOperandTypes(), isTypeOfKernels);
}

bool isOfKernelForm(mlir::ModuleOp module) {
  return !module
              .walk([](mlir::Operation *op) {
                return isOfKernels(op) ? mlir::WalkResult::advance()
                                       : mlir::WalkResult::interrupt();
              })
              .wasInterrupted();
}

} // namespace lintel::ir
