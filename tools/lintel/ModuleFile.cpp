// A problem stated as MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModuleFile.h"

#include "formats/InputFile.h"

#include "Lintel/LintelDialect.h"
#include "Lintel/RegisterDialects.h"
#include "Problem/DiagnosticText.h"
#include "Problem/ReadLinear.h"
#include "Problem/RegionText.h"
#include "Reference/Oracle.h"
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

namespace lintel::tool {

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

/// Behind the name of its file, unless it begins with a place there.
Error namingFile(const Error &error, const std::string &path) {
  return error.message().starts_with(path + ":") ? error : error.in(path);
}

/// What MLIR said, or `otherwise` where it failed without a word.
Error errorOf(const DiagnosticText &errors, ErrorCode code,
              const std::string &otherwise, const std::string &path) {
  return namingFile(
      Error(code, errors.text().empty() ? otherwise : errors.text()), path);
}

} // namespace

Expected<Problem> readModuleFile(const std::string &path) {
  constexpr uint64_t kMaxBytes = 64 << 20;
  Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return file.error();
  Expected<std::string> text = file->readText(kMaxBytes);
  if (!text)
    return text.error();
  // MLIR's reader of it is not made for files that were not written by MLIR.
  if (mlir::isBytecode(llvm::MemoryBufferRef(*text, path)))
    return Error(ErrorCode::unsupported,
                 path + ": is MLIR bytecode; lintel-opt writes it as text");
  if (Status status = checkParsable(*text); !status)
    return status.error().in(path);

  mlir::DialectRegistry registry;
  ir::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  const DiagnosticText errors(context);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(*text, path),
                             llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (!module)
    return errorOf(errors, ErrorCode::parse, "is not MLIR", path);
  Expected<Problem> problem = problemFromModule(*module);
  if (!problem)
    return namingFile(problem.error(), path);
  bool refused = false;
  module->walk([&](ir::LinearOp op) {
    refused |= failed(ir::checkWholeFunction(op)) ||
               failed(ir::checkReplaceable(
                   op, op->getParentOfType<mlir::func::FuncOp>())) ||
               failed(checkInline(op));
  });
  if (refused)
    return errorOf(errors, ErrorCode::unsupported, "cannot become a kernel",
                   path);
  // Every kernel is checked against the reference. Compilation would say so,
  // too, but after the problems before this one, and without the file.
  if (auto oracle = Oracle::create(*problem); !oracle)
    return namingFile(oracle.error(), path);
  return problem;
}

} // namespace lintel::tool
