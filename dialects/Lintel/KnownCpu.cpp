// Which CPUs LLVM can compile for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/KnownCpu.h"

#include "llvm/TargetParser/X86TargetParser.h"

namespace lintel::ir {

Status checkCpuIsKnown(const Target &target) {
  if (target.cpu == "generic" ||
      llvm::X86::parseArchX86(target.cpu, /*Only64Bit=*/true) !=
          llvm::X86::CK_None)
    return {};
  return Error(ErrorCode::parse,
               "cpu takes a name that LLVM knows, such as znver4 or generic, "
               "not '" +
                   target.cpu + "'");
}

} // namespace lintel::ir
