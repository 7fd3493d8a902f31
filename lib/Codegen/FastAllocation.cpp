// Registers of functions that do little but call others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Codegen/FastAllocation.h"

#include "Transforms/KernelFunctions.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/RegAllocFast.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Function.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"

namespace lintel {
namespace {

/// Stands where functions leave SSA form, before intervals are computed: what
/// follows finds no virtual registers left. LLVM chooses one allocator for all
/// functions of a pipeline.
class AllocateFast : public llvm::MachineFunctionPass {
public:
  static char ID;
  AllocateFast() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override {
    return "Lintel fast register allocation";
  }

  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(llvm::MachineFunction &function) override {
    if (!function.getFunction().hasFnAttribute(ir::kFastAllocation))
      return false;
    llvm::MachineFunctionAnalysisManager none; // it asks for no analysis
    llvm::RegAllocFastPass().run(function, none);
    return true;
  }
};

char AllocateFast::ID = 0;

} // namespace

void registerFastAllocation() {
  // Never destroyed: threads may still compile at exit.
  static const auto *callback [[maybe_unused]] =
      new llvm::RegisterTargetPassConfigCallback(
          [](llvm::TargetMachine &machine, llvm::PassManagerBase &,
             llvm::TargetPassConfig *passes) {
            if (machine.getTargetTriple().isX86())
              passes->insertPass(&llvm::TwoAddressInstructionPassID,
                                 new AllocateFast);
          });
}

} // namespace lintel
