// Where the target of a module's kernels stands once no layer is left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lintel::ir {

/// A discardable attribute of the module, a #lintel.target: set by lintel-tile,
/// read by lintel-verify-kernel, removed by lintel-to-llvm.
inline constexpr const char *kTargetAttribute = "lintel.target";

} // namespace lintel::ir
