// How lintel-tile names and marks functions, for who generates their code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace lintel::ir {

/// Between the kernel's name and the rows of a micro-kernel in its name.
inline constexpr std::string_view kMicrokernelInfix = "_microkernel_";

inline bool isMicrokernel(std::string_view function) {
  return function.find(kMicrokernelInfix) != function.npos;
}

/// An attribute of a function in LLVM IR: nothing that its loops compute is
/// worth reducing the strength of.
inline constexpr const char *kKeepsLoops = "lintel-keeps-loops";

} // namespace lintel::ir
