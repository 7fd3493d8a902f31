// Epilogue regions as one line of generic MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   region ::= "{" "^bb0(" arguments "):" operations "}"
//
//   { ^bb0(%arg0: f32): %0 = "math.absf"(%arg0) <{...}> : (f32) -> f32
//     "lintel.yield"(%0) : (f32) -> () }
//
// Printed without line breaks, locations and aliases, so that equal regions
// have equal text. Any white space is accepted when read.
#pragma once

#include "lintel/Error.h"

#include "mlir/IR/Region.h"

#include <string>
#include <string_view>

namespace lintel {

/// MLIR's parser calls itself for each level of brackets and for each operator
/// of an affine expression, and would run out of stack; arrays of index crash
/// it. An error for text that nests too deep, or holds affine maps or arrays of
/// index, which a layer needs none of.
Status checkParsable(std::string_view text);

/// The text of a region that refers to nothing outside itself. Discardable
/// attributes are left out.
std::string printRegion(mlir::Region &region);
/// Replaces the contents of `region` by what `text` says. The caller verifies
/// the op that owns it. Errors give line and column within `text`.
Status parseRegion(std::string_view text, mlir::Region &region);

} // namespace lintel
