// A layer that is stated as MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   func.func @layer(%x: tensor<?x768xf32>, %w: tensor<64x768xf32>,
//                    %s: tensor<64xf32>) -> tensor<?x64xf32> {
//     %y = lintel.linear %x, %w epilogue(%s : tensor<64xf32>)
//         : (tensor<?x768xf32>, tensor<64x768xf32>) -> tensor<?x64xf32> {
//     ^bb0(%acc: f32, %scale: f32):
//       %0 = arith.mulf %acc, %scale : f32
//       lintel.yield %0 : f32
//     }
//     return %y : tensor<?x64xf32>
//   }
#pragma once

#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <string_view>

namespace lintel {

/// The problem of the only lintel.linear op of a module, as text in MLIR's
/// custom or generic form. Operands are named "operand0" and so on, in the
/// order of the op's. Errors, with `name`, line and column where there are
/// such: `parse` for what is not MLIR or does not verify, `invalidArgument` for
/// no layer or several, `unsupported` for one that cannot become a kernel, as
/// with an epilogue that would have to call a library. That the reference can
/// evaluate the epilogue is seen when it is compiled (Engine::compile).
Expected<Problem> parseModule(std::string_view text,
                              std::string_view name = "module");

} // namespace lintel
