// A kernel that is written as IR, compiled as layers are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Codegen/MachineCode.h"
#include "Lintel/Target.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lintel::integration {

/// What operations on tile registers become.
enum class Tiles { emulated, instructions };

/// The kernel of `text` after the kernel pipeline, as LLVM's IR. One that is
/// not lowered is the test's failure.
class LoweredKernel {
public:
  LoweredKernel(const std::string &text, Tiles tiles, const Target &target);
  std::string assembly() { return machine->emitAssembly(*translated)->text; }
  std::vector<std::byte> object() {
    return machine->emitObject(*translated)->bytes;
  }

private:
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> translated;
  std::unique_ptr<MachineCode> machine;
};

} // namespace lintel::integration
