// mlir-opt with Lintel's dialect, passes and pipelines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/NestingDepth.h"
#include "Lintel/RegisterDialects.h"
#include "Pipeline/Pipelines.h"
#include "Transforms/Passes.h"
#include "lintel-c/lintel.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"

/// MLIR's parser calls itself for each level of brackets, and so do walks over
/// what it has read: 8 MiB of stack end at some 3600 loops in each other. Long
/// affine expressions do the same, and are not looked at.
static constexpr size_t kMaxDepth = 1000;

/// The upstream conversions to the LLVM dialect, for looking at one step at a
/// time.
static void registerConversions() {
  mlir::registerArithToLLVMConversionPass();
  mlir::registerConvertControlFlowToLLVMPass();
  mlir::registerConvertFuncToLLVMPass();
  mlir::registerConvertIndexToLLVMPass();
  mlir::registerConvertMathToLLVMPass();
  mlir::registerConvertToLLVMPass();
  mlir::registerConvertVectorToLLVMPass();
  mlir::registerFinalizeMemRefToLLVMConversionPass();
  mlir::registerReconcileUnrealizedCastsPass();
  mlir::registerSCFToControlFlowPass();
  mlir::registerUBToLLVMConversionPass();
}

/// Runs the passes of the command line on a file, as mlir-opt does, unless its
/// text nests too deep.
static llvm::LogicalResult runOnFile(const std::string &input,
                                     const std::string &output,
                                     mlir::DialectRegistry &registry,
                                     const mlir::MlirOptMainConfig &config) {
  if (input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(0))
    llvm::errs() << "(reading standard input; end it with ctrl-d)\n";
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> text = mlir::openInputFile(input, &error);
  if (!text) {
    llvm::errs() << error << '\n';
    return llvm::failure();
  }
  const size_t depth =
      mlir::isBytecode(*text) ? 0 : lintel::nestingDepth(text->getBuffer());
  if (depth > kMaxDepth) {
    llvm::errs() << text->getBufferIdentifier() << ": error: brackets nest "
                 << depth << " deep, at most " << kMaxDepth << " are allowed\n";
    return llvm::failure();
  }
  std::unique_ptr<llvm::ToolOutputFile> file =
      mlir::openOutputFile(output, &error);
  if (!file) {
    llvm::errs() << error << '\n';
    return llvm::failure();
  }
  if (failed(mlir::MlirOptMain(file->os(), std::move(text), registry, config)))
    return llvm::failure();
  file->keep();
  return llvm::success();
}

static void printVersion(llvm::raw_ostream &out) {
  out << "Lintel " << LINTEL_VERSION_MAJOR << '.' << LINTEL_VERSION_MINOR << '.'
      << LINTEL_VERSION_PATCH << '\n';
}

int main(int argc, char **argv) {
  const llvm::InitLLVM traces(argc, argv); // of the stack, after a crash
  mlir::registerTransformsPasses();
  registerConversions();
  lintel::ir::registerLintelPasses();
  lintel::registerPipelines();
  mlir::DialectRegistry registry;
  lintel::ir::registerDialects(registry);
  llvm::cl::AddExtraVersionPrinter(printVersion); // beside LLVM's
  const auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "Lintel's pass driver\n", registry);
  const auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  // These print and need no file.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  return mlir::asMainReturnCode(runOnFile(input, output, registry, config));
}
