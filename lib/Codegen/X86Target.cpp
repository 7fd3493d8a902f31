// LLVM's back end for x86-64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Codegen/X86Target.h"

#include "llvm/Support/TargetSelect.h"

#include <mutex>

namespace lintel {

void registerX86Target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
  });
}

} // namespace lintel
