// How lintel-tile marks functions, for who generates their code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lintel::ir {

/// Attributes of a function in LLVM IR: it is a micro-kernel, of whose loop the
/// register allocator's remarks are counted; nothing that its loops compute is
/// worth reducing the strength of; what it computes may wait on the stack from
/// one basic block to the next, since it does little but call others.
inline constexpr const char *kMicrokernel = "lintel-microkernel";
inline constexpr const char *kKeepsLoops = "lintel-keeps-loops";
inline constexpr const char *kFastAllocation = "lintel-fast-allocation";

} // namespace lintel::ir
