// A problem stated as MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <string>

namespace lintel::tool {

/// The problem of the only lintel.linear op in an .mlir file. Messages of
/// MLIR's parser and verifier come with file, line and column, as does that an
/// operation of the epilogue cannot be compiled inline.
Expected<Problem> readModuleFile(const std::string &path);

} // namespace lintel::tool
