// MLIR's diagnostics as the text of an Error.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace lintel {

/// "file:3:5" of a place in a source file, or "" for any other; the line is
/// counted from 1 after the first `linesBefore`.
std::string locationText(mlir::Location location, unsigned linesBefore = 0);

/// While it lives, collects the errors of a context instead of printing them.
class DiagnosticText {
public:
  /// `linesBefore`: source lines that precede the user's text.
  explicit DiagnosticText(mlir::MLIRContext &context, unsigned linesBefore = 0);
  /// The first error, with its place where it has one.
  const std::string &text() const { return first; }

private:
  std::string first;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace lintel
