// From MLIR text to the problem that it states.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel/Module.h"

#include "Lintel/LintelDialect.h"
#include "Lintel/RegisterDialects.h"
#include "Problem/DiagnosticText.h"
#include "Problem/ReadLinear.h"
#include "Problem/RegionText.h"
#include "Transforms/ModuleTarget.h"
#include "Transforms/Passes.h"
#include "Transforms/WholeFunction.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace lintel {

namespace {

/// A module with one function that computes the epilogue of `op`.
mlir::OwningOpRef<mlir::ModuleOp> epilogueAsFunction(ir::LinearOp op) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(op->getLoc());
  mlir::Block &region = op.getEpilogue().front();
  mlir::Operation *yield = region.getTerminator();
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module->getBody());
  auto function = mlir::func::FuncOp::create(
      builder, op->getLoc(), "epilogue",
      builder.getFunctionType(region.getArgumentTypes(),
                              yield->getOperandTypes()));
  mlir::IRMapping mapping;
  op.getEpilogue().cloneInto(&function.getBody(), mapping);
  mlir::Operation *copy = function.front().getTerminator();
  builder.setInsertionPoint(copy);
  mlir::func::ReturnOp::create(builder, copy->getLoc(), copy->getOperands());
  copy->erase();
  return module;
}

/// Fails, with an error on the operation, where the epilogue of `op` would have
/// to call a library. What is refused so is refused on every CPU: the pass
/// works here for one that has nothing but the baseline.
mlir::LogicalResult checkInline(ir::LinearOp op) {
  mlir::OwningOpRef<mlir::ModuleOp> function = epilogueAsFunction(op);
  Target baseline;
  baseline.isa = IsaLevel::x86_64;
  (*function)->setAttr(ir::kTargetAttribute,
                       ir::TargetAttr::get(op->getContext(), baseline));
  mlir::PassManager passes(op->getContext());
  passes.addPass(ir::createLintelApproximateMath());
  return passes.run(*function);
}

/// Fails, with an error on what is to blame, where `op` cannot become a kernel.
mlir::LogicalResult checkCompilable(ir::LinearOp op) {
  if (failed(ir::checkWholeFunction(op)) ||
      failed(
          ir::checkReplaceable(op, op->getParentOfType<mlir::func::FuncOp>())))
    return mlir::failure();
  return checkInline(op);
}

/// Errors of one text, which begin with its name.
class NamedErrors {
public:
  NamedErrors(mlir::MLIRContext &context, std::string_view name)
      : said(context), name(name) {}

  /// Unless it begins with a place in the text.
  Error naming(const Error &error) const {
    return error.message().starts_with(name + ":") ? error : error.in(name);
  }
  /// What MLIR said, or `otherwise` where it failed without a word.
  Error ofMLIR(ErrorCode code, const std::string &otherwise) const {
    return naming(Error(code, said.text().empty() ? otherwise : said.text()));
  }

private:
  const DiagnosticText said;
  const std::string name;
};

} // namespace

Expected<Problem> parseModule(std::string_view text, std::string_view name) {
  const llvm::StringRef contents(text), title(name);
  // MLIR's reader of it is not made for what was not written by MLIR.
  if (mlir::isBytecode(llvm::MemoryBufferRef(contents, title)))
    return Error(ErrorCode::unsupported,
                 "is MLIR bytecode; lintel-opt writes it as text")
        .in(name);
  if (Status status = checkParsable(text); !status)
    return status.error().in(name);

  mlir::DialectRegistry registry;
  ir::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  const NamedErrors errors(context, name);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(contents, title), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (!module)
    return errors.ofMLIR(ErrorCode::parse, "is not MLIR");
  Expected<Problem> problem = problemFromModule(*module);
  if (!problem)
    return errors.naming(problem.error());
  bool refused = false;
  module->walk(
      [&](ir::LinearOp op) { refused |= failed(checkCompilable(op)); });
  if (refused)
    return errors.ofMLIR(ErrorCode::unsupported, "cannot become a kernel");
  return problem;
}

} // namespace lintel
