// What assembly text says about a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace lintel::tool {

/// Distinct vector registers (%xmmN, %ymmN and %zmmN of one N are the same one)
/// used by the function that uses most.
int countVectorRegisters(std::string_view assembly);
/// The same of AMX's tile registers, %tmmN.
int countTileRegisters(std::string_view assembly);

} // namespace lintel::tool
