// A problem stated as MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "TypeOptions.h"

#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <string>

namespace lintel::tool {

/// The problem of the only lintel.linear op in an .mlir file. Messages of
/// MLIR's parser and verifier come with file, line and column, as does that an
/// operation of the epilogue cannot be compiled inline.
Expected<Problem> readModuleFile(const std::string &path);

/// Success if what a command line names of types are those that a module
/// states.
Status checkStatedTypes(const DataTypes &stated, const NamedTypes &named);

} // namespace lintel::tool
