// mlir-opt with Lintel's dialect, passes and pipelines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/RegisterDialects.h"
#include "Pipeline/Pipelines.h"
#include "Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

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

int main(int argc, char **argv) {
  mlir::registerTransformsPasses();
  registerConversions();
  lintel::ir::registerLintelPasses();
  lintel::registerPipelines();
  mlir::DialectRegistry registry;
  lintel::ir::registerDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Lintel's pass driver\n", registry));
}
