// LLVM IR to machine code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "lintel/Error.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace lintel {

/// An LLVM target machine for one Target. Not thread-safe.
class MachineCode {
public:
  /// Refuses a CPU name that LLVM does not know.
  static Expected<std::unique_ptr<MachineCode>> create(const Target &target);
  ~MachineCode();

  /// Makes `context` count the spills, reloads and copies that the register
  /// allocator reports in the innermost loops of micro-kernels; loopSpills()
  /// reads the count.
  void watchSpills(llvm::LLVMContext &context) const;
  static int64_t loopSpills(llvm::LLVMContext &context);

  /// Gives every function the target's features and removes common
  /// subexpressions: all of LLVM's IR pipeline that helps a kernel.
  void prepare(llvm::Module &module);
  /// Relocatable ELF.
  Expected<std::vector<std::byte>> emitObject(llvm::Module &module);
  Expected<std::string> emitAssembly(llvm::Module &module);

private:
  struct Impl;
  explicit MachineCode(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace lintel
