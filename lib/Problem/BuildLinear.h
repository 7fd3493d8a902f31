// From a problem to a lintel.linear op; ReadLinear.h has the way back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"
#include "lintel/Problem.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace lintel {

/// Name of the function that buildModule makes.
inline constexpr std::string_view kLinearFunctionName = "linear";

/// A module with one function @linear(x, w, operands...) -> results on tensors
/// that holds one lintel.linear op. Loads the dialects it needs. An epilogue
/// region that does not parse or verify is an error.
///
/// The text of a region epilogue is the op's region in generic form on one
/// line, braces included (RegionText.h); printing and building are inverse.
Expected<mlir::OwningOpRef<mlir::ModuleOp>>
buildModule(mlir::MLIRContext &context, const Problem &problem);

} // namespace lintel
