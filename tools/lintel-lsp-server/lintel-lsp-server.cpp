// mlir-lsp-server with Lintel's dialect, for editors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/RegisterDialects.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  lintel::ir::registerDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
