// From a lintel.linear op to the problem that it states.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace lintel {

/// What schedules look at, shape and types without the epilogue: a problem for
/// each output, of whose type its result is. An error names the type that no
/// layer has, or the size that is not known.
Expected<std::vector<Problem>> shapesOf(ir::LinearOp op);

/// The problem of the output that `shape` is of, with the epilogue of `op`:
/// what schedules are chosen for.
Expected<Problem> withEpilogueOf(ir::LinearOp op, const Problem &shape);

/// The problem that the only lintel.linear op of `module` states; its epilogue
/// is a region epilogue whose text is the op's region in generic form. Errors
/// when there is no such op, more than one, or a type that Problem cannot
/// express.
Expected<Problem> problemFromModule(mlir::ModuleOp module);

} // namespace lintel
