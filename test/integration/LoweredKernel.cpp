// A kernel that is written as IR, compiled as layers are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoweredKernel.h"

#include "Lintel/RegisterDialects.h"
#include "Pipeline/Pipelines.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include <gtest/gtest.h>

namespace lintel::integration {

LoweredKernel::LoweredKernel(const std::string &text, Tiles tiles,
                             const Target &target) {
  mlir::DialectRegistry registry;
  ir::registerDialects(registry);
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  mlir::PassManager passes(&context);
  PipelineOptions options;
  options.emulateTiles = tiles == Tiles::emulated;
  buildKernelPipeline(passes, options);
  if (!module || mlir::failed(passes.run(*module))) {
    ADD_FAILURE() << "the kernel is not lowered";
    return;
  }
  translated = mlir::translateModuleToLLVMIR(*module, llvmContext);
  machine = std::move(*MachineCode::create(target));
  machine->prepare(*translated);
}

} // namespace lintel::integration
