// LLVM's back end for x86-64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lintel {

/// Makes the back end known to LLVM, if it is not yet. Thread-safe, which
/// LLVM's registry is not: whoever needs the back end calls this and never
/// LLVM's own functions.
void registerX86Target();

} // namespace lintel
