// MLIR's diagnostics as the text of an Error.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/DiagnosticText.h"

#include "mlir/IR/Location.h"

namespace lintel {

std::string locationText(mlir::Location location, unsigned linesBefore) {
  auto place = llvm::dyn_cast<mlir::FileLineColLoc>(location);
  if (!place)
    return "";
  const std::string file = place.getFilename().str() + ":";
  // Where a token is missing MLIR names the end of the line before.
  if (place.getLine() <= linesBefore)
    return file + "1:1";
  return file + std::to_string(place.getLine() - linesBefore) + ":" +
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
