// Registers of functions that do little but call others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lintel {

/// Has every pipeline of LLVM's machine passes for x86 that is set up from now
/// on allocate the registers of functions marked `ir::kFastAllocation` one
/// basic block at a time, as LLVM does where nothing is optimized. Others are
/// left to the allocator that looks at all of a function.
void registerFastAllocation();

} // namespace lintel
