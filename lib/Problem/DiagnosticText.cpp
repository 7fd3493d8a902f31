// MLIR's diagnostics as the text of an Error.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/DiagnosticText.h"

#include "mlir/IR/Location.h"

namespace lintel {

std::string locationText(mlir::Location location, unsigned linesBefore) {
  auto place = llvm::dyn_cast<mlir::FileLineColLoc>(location);
  if (!place)
    return "";
  // A text that breaks off is reported on the line after its last.
  unsigned line = std::max(place.getLine(), linesBefore + 1) - linesBefore;
  return place.getFilename().str() + ":" + std::to_string(line) + ":" +
         std::to_string(place.getColumn());
}

DiagnosticText::DiagnosticText(mlir::MLIRContext &context, unsigned linesBefore)
    : handler(&context, [this, linesBefore](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error ||
            !first.empty())
          return;
        std::string place = locationText(diagnostic.getLocation(), linesBefore);
        first = (place.empty() ? "" : place + ": ") + diagnostic.str();
      }) {}

} // namespace lintel
