// mlir-opt with Lintel's dialect, passes and pipelines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/ParserGuards.h"
#include "Lintel/RegisterDialects.h"
#include "Pipeline/Pipelines.h"
#include "Transforms/Passes.h"
#include "lintel-c/lintel.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <optional>
#include <unistd.h>

/// MLIR's parser calls itself for each level of brackets, and so do walks over
/// what it has read: 8 MiB of stack end at some 3600 loops in each other. Long
/// affine expressions do the same, and are not looked at.
static constexpr size_t kMaxDepth = 1000;

/// The upstream conversions to the LLVM dialect, for looking at one step at a
/// time.
static void registerConversions() {
  for (std::unique_ptr<mlir::Pass> (*create)() :
       {mlir::createArithToLLVMConversionPass,
        mlir::createConvertControlFlowToLLVMPass,
        mlir::createConvertFuncToLLVMPass, mlir::createConvertIndexToLLVMPass,
        mlir::createConvertMathToLLVMPass, mlir::createConvertToLLVMPass,
        mlir::createConvertVectorToLLVMPass,
        mlir::createFinalizeMemRefToLLVMConversionPass,
        mlir::createReconcileUnrealizedCastsPass,
        mlir::createSCFToControlFlowPass, mlir::createUBToLLVMConversionPass})
    mlir::registerPass(create);
}

/// What a file holds, in memory of its own: mapped, it would change with the
/// file, which may be the output, too. Null, and a message, if it cannot be
/// read.
static std::unique_ptr<llvm::MemoryBuffer> readInput(const std::string &path) {
  // What sections of bytecode may ask for, and mapped files have.
  constexpr auto kPage = llvm::Align::Constant<4096>();
  auto contents =
      path == "-" ? llvm::MemoryBuffer::getSTDIN()
                  : llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                                /*RequiresNullTerminator=*/true,
                                                /*IsVolatile=*/true, kPage);
  if (contents)
    return std::move(*contents);
  llvm::errs() << "cannot open input file '" << path
               << "': " << contents.getError().message() << '\n';
  return nullptr;
}

/// What went wrong with a write, if anything; the stream then knows of nothing,
/// since its destructor would end the process.
static std::error_code faultOf(llvm::raw_fd_ostream &file) {
  file.flush();
  const std::error_code fault = file.error();
  file.clear_error();
  return fault;
}

/// Writes into the file, or the device, that is there.
static std::error_code writeInto(const std::string &path,
                                 llvm::StringRef contents) {
  std::error_code fault;
  llvm::raw_fd_ostream file(path, fault);
  if (fault)
    return fault;
  file << contents;
  return faultOf(file);
}

/// Whether nobody can tell another file in the place of this one: one of the
/// user's that has no other name. Descriptors are files for /dev and /proc,
/// too.
static bool isReplaceable(const std::string &path,
                          const llvm::sys::fs::file_status &there) {
  using namespace llvm::sys::fs;
  const llvm::StringRef name(path);
  return is_regular_file(there) && there.getUser() == ::geteuid() &&
         there.getLinkCount() == 1 && (there.permissions() & owner_write) &&
         !name.starts_with("/dev/") && !name.starts_with("/proc/");
}

/// Replaces a file, whole or not at all; nothing where none can be put there,
/// as in a folder of others.
static std::optional<std::error_code>
replace(const std::string &path, llvm::StringRef contents,
        llvm::sys::fs::perms permissions) {
  using namespace llvm::sys::fs;
  llvm::SmallString<256> target;
  if (real_path(path, target))
    return std::nullopt;
  llvm::Expected<TempFile> made =
      TempFile::create(target + ".%%%%%%%%", permissions);
  if (!made) {
    llvm::consumeError(made.takeError());
    return std::nullopt;
  }
  llvm::raw_fd_ostream file(made->FD, /*shouldClose=*/false);
  file << contents;
  if (const std::error_code fault = faultOf(file)) {
    llvm::consumeError(made->discard());
    return fault;
  }
  if (!setPermissions(made->FD, permissions)) // a umask has no say in them
    if (!llvm::errorToBool(made->keep(target)))
      return std::error_code();
  llvm::consumeError(made->discard());
  return std::nullopt;
}

/// Writes the file, which may be the input: where it can be, an older one is
/// lost only once all of the new one is there.
static std::error_code writeFile(const std::string &path,
                                 llvm::StringRef contents) {
  llvm::sys::fs::file_status there;
  const bool isNew = bool(llvm::sys::fs::status(path, there));
  if (!isNew && isReplaceable(path, there))
    if (const auto fault = replace(path, contents, there.permissions()))
      return *fault;
  llvm::FileRemover part(path, isNew && !llvm::sys::fs::is_symlink_file(path));
  const std::error_code fault = writeInto(path, contents);
  if (!fault)
    part.releaseFile();
  return fault;
}

static llvm::LogicalResult writeOutput(const std::string &path,
                                       llvm::StringRef contents) {
  const std::error_code fault = writeFile(path, contents);
  if (!fault)
    return llvm::success();
  llvm::errs() << "cannot write output file '" << path
               << "': " << fault.message() << '\n';
  return llvm::failure();
}

/// Fails, with a message, on text that MLIR's parser would end the process on.
static llvm::LogicalResult checkText(const llvm::MemoryBuffer &text) {
  const auto error = [&]() -> llvm::raw_ostream & {
    return llvm::errs() << text.getBufferIdentifier() << ": error: ";
  };
  const size_t depth = lintel::nestingDepth(text.getBuffer());
  if (depth > kMaxDepth) {
    error() << "brackets nest " << depth << " deep, at most " << kMaxDepth
            << " are allowed\n";
    return llvm::failure();
  }
  if (lintel::holdsArrayOfIndex(text.getBuffer())) {
    error() << "holds an array of index or of a type by an alias, which MLIR's "
               "parser may crash on; write array<i64: ...>\n";
    return llvm::failure();
  }
  if (lintel::holdsUnalignedResource(text.getBuffer())) {
    error() << "holds a resource of alignment 0, on which MLIR's parser ends "
               "the process\n";
    return llvm::failure();
  }
  return llvm::success();
}

/// Runs the passes of the command line on a file, as mlir-opt does, unless the
/// parser could not take it. An output file is touched once there is an output.
static llvm::LogicalResult runOnFile(const std::string &input,
                                     const std::string &output,
                                     mlir::DialectRegistry &registry,
                                     const mlir::MlirOptMainConfig &config) {
  if (input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(0))
    llvm::errs() << "(reading standard input; end it with ctrl-d)\n";
  std::unique_ptr<llvm::MemoryBuffer> text = readInput(input);
  if (!text)
    return llvm::failure();
  if (!mlir::isBytecode(*text) && failed(checkText(*text)))
    return llvm::failure();
  // What comes before an error, too.
  if (output == "-" || output == "/dev/stdout")
    return mlir::MlirOptMain(llvm::outs(), std::move(text), registry, config);
  std::string result;
  llvm::raw_string_ostream stream(result);
  if (failed(mlir::MlirOptMain(stream, std::move(text), registry, config)))
    return llvm::failure();
  return writeOutput(output, result);
}

static void printVersion(llvm::raw_ostream &out) {
  out << "Lintel " << LINTEL_VERSION_MAJOR << '.' << LINTEL_VERSION_MINOR << '.'
      << LINTEL_VERSION_PATCH << '\n';
}

int main(int argc, char **argv) {
  const llvm::InitLLVM traces(argc, argv); // of the stack, after a crash
  // A file that may not grow is an error of its write, as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  // Nobody else does after `--help` where LLVM is in a library whose objects
  // are not destroyed, as in packages.
  llvm::outs();
  std::atexit([] { llvm::outs().flush(); });
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
