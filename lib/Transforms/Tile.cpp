// lintel-tile: functions that hold a linear layer become SPMD kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lintel/LintelDialect.h"
#include "Tmm/TmmDialect.h"
#include "Transforms/LayerSchedule.h"
#include "Transforms/ModuleTarget.h"
#include "Transforms/PackKernel.h"
#include "Transforms/Passes.h"
#include "Transforms/TileKernel.h"
#include "Transforms/WholeFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include <optional>

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELTILE
#include "Transforms/Passes.h.inc"

namespace {

/// Who names which function, looked up once for all layers. No kernel names a
/// function that was there before.
class Namings {
public:
  explicit Namings(mlir::ModuleOp module) {
    if (knowsAllUses(module))
      users.emplace(symbols, module);
  }

  /// Fails if somebody names the function, or may.
  mlir::LogicalResult checkUnnamed(mlir::Operation *op,
                                   mlir::func::FuncOp function) const {
    if (!users)
      return op->emitOpError("stands in '@")
             << function.getSymName()
             << "', which an operation of the module that no dialect knows may "
                "name; a kernel takes other arguments";
    if (!users->useEmpty(function))
      return op->emitOpError("stands in '@")
             << function.getSymName()
             << "', which is called or named elsewhere; a kernel takes other "
                "arguments";
    return mlir::success();
  }

private:
  /// SymbolUserMap asks this of no table.
  static bool knowsAllUses(mlir::ModuleOp module) {
    return !module
                .walk([](mlir::Operation *op) {
                  const bool unknown =
                      op->hasTrait<mlir::OpTrait::SymbolTable>() &&
                      !mlir::SymbolTable::getSymbolUses(&op->getRegion(0));
                  return unknown ? mlir::WalkResult::interrupt()
                                 : mlir::WalkResult::advance();
                })
                .wasInterrupted();
  }

  mlir::SymbolTableCollection symbols;
  std::optional<mlir::SymbolUserMap> users; ///< none if nobody can tell
};

using Functions = llvm::iterator_range<mlir::Block::iterator>;

/// The kernel's functions beside its driver have names of their own.
mlir::LogicalResult checkNames(mlir::Operation *op, Functions functions,
                               mlir::func::FuncOp function) {
  llvm::StringSet<> names;
  for (mlir::Operation &made : functions)
    names.insert(llvm::cast<mlir::func::FuncOp>(made).getSymName());
  mlir::Block &block = *function->getBlock();
  for (mlir::Operation &other : llvm::concat<mlir::Operation>(
           llvm::make_range(block.begin(), functions.begin()),
           llvm::make_range(std::next(functions.end()), block.end())))
    if (auto symbol = llvm::dyn_cast<mlir::SymbolOpInterface>(other);
        symbol && names.contains(symbol.getName()))
      return op->emitOpError("stands in '@")
             << function.getSymName() << "', whose kernel has a function '@"
             << symbol.getName() << "'; that name is taken, rename one of them";
  return mlir::success();
}

/// What the function was beside a layer, its kernel is.
void takeOver(mlir::func::FuncOp kernel, mlir::func::FuncOp function) {
  kernel.setVisibility(function.getVisibility());
  kernel.setNoInlineAttr(function.getNoInlineAttr());
  for (mlir::NamedAttribute attribute : function->getDiscardableAttrs())
    kernel->setDiscardableAttr(attribute.getName(), attribute.getValue());
}

/// A weight that is packed already must be packed for this schedule.
mlir::LogicalResult checkPacking(LinearOp op) {
  auto packed = llvm::dyn_cast<PackedType>(op.getW().getType());
  Schedule schedule = op.getScheduleAttr().getValue();
  if (packed &&
      (packed.getN() != schedule.nr || packed.getK() != schedule.group))
    return op.emitOpError("has a weight packed with n = ")
           << packed.getN() << ", k = " << packed.getK()
           << "; its schedule reads n = " << schedule.nr
           << ", k = " << schedule.group;
  return mlir::success();
}

/// A schedule that was written by hand may be none for this layer and target.
mlir::LogicalResult checkLegality(LinearOp op) {
  const Status legal = checkScheduleOf(op, op.getScheduleAttr().getValue(),
                                       op.getTargetAttr().getValue());
  return legal ? mlir::success() : op.emitOpError(legal.error().message());
}

struct TilePass : impl::LintelTileBase<TilePass> {
  void runOnOperation() override {
    llvm::SmallVector<mlir::Operation *> wholes;
    getOperation().walk([&](mlir::Operation *op) {
      if (llvm::isa<LinearOp, PackOp>(op))
        wholes.push_back(op);
    });
    const Namings namings(getOperation());
    for (mlir::Operation *op : wholes)
      if (mlir::failed(tile(op, namings)))
        return signalPassFailure();
  }

  mlir::LogicalResult tile(mlir::Operation *op, const Namings &namings) {
    if (mlir::failed(checkWholeFunction(op)))
      return mlir::failure();
    auto function = llvm::cast<mlir::func::FuncOp>(op->getParentOp());
    if (mlir::failed(namings.checkUnnamed(op, function)) ||
        mlir::failed(checkReplaceable(op, function)))
      return mlir::failure();
    mlir::Operation *before = function->getPrevNode();
    mlir::FailureOr<mlir::func::FuncOp> kernel =
        llvm::TypeSwitch<mlir::Operation *,
                         mlir::FailureOr<mlir::func::FuncOp>>(op)
            .Case([&](LinearOp linear) { return build(linear, function); })
            .Case([&](PackOp pack) { return buildPackKernel(pack, function); });
    if (mlir::failed(kernel))
      return mlir::failure();
    mlir::Block &block = *function->getBlock();
    const Functions made(before ? std::next(before->getIterator())
                                : block.begin(),
                         function->getIterator());
    if (mlir::failed(checkNames(op, made, function))) {
      for (mlir::Operation &one : llvm::make_early_inc_range(made))
        one.erase();
      return mlir::failure();
    }
    takeOver(*kernel, function);
    function.erase();
    return mlir::success();
  }

  mlir::FailureOr<mlir::func::FuncOp> build(LinearOp op,
                                            mlir::func::FuncOp function) {
    if (!op.getScheduleAttr() || !op.getTargetAttr())
      return op.emitOpError(
          "has no schedule; run lintel-assign-schedule before lintel-tile");
    if (mlir::failed(checkLegality(op)) || mlir::failed(checkPacking(op)) ||
        mlir::failed(keepTarget(op, op.getTargetAttr())))
      return mlir::failure();
    return buildKernel(op, function);
  }
};

} // namespace
} // namespace lintel::ir
