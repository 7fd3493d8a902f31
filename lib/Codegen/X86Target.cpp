// LLVM's back end for x86-64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Codegen/X86Target.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"

#include <mutex>

namespace lintel {

/// Keeps loop strength reduction out of what addPassesToEmitFile adds: it would
/// look at every loop of functions that it is to leave alone, too, a twentieth
/// of an object. LLVM has no other switch for it than this option of its own,
/// which nobody else sees where LLVM is linked statically and hidden.
static void leaveLoopStrengthReductionToUs() {
  auto &options = llvm::cl::getRegisteredOptions();
  if (auto found = options.find("disable-lsr"); found != options.end())
    found->second->addOccurrence(/*pos=*/0, "disable-lsr", "true");
}

void registerX86Target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    leaveLoopStrengthReductionToUs();
  });
}

} // namespace lintel
