// LLVM IR to machine code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "lintel/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace lintel {

/// Relocatable ELF.
struct EmittedObject {
  std::vector<std::byte> bytes;
  /// Spills, reloads and copies that the register allocator reports in the
  /// innermost loops of micro-kernels.
  int64_t loopSpills = 0;
};

struct EmittedAssembly {
  std::string text;
  int64_t loopSpills = 0; ///< as of the object of the same module
};

/// An LLVM target machine for one Target. Not thread-safe.
class MachineCode {
public:
  /// Refuses a CPU name that LLVM does not know.
  static Expected<std::unique_ptr<MachineCode>> create(const Target &target);
  ~MachineCode();

  /// Gives every function the target's features, removes common subexpressions,
  /// but of those whose registers are allocated fast, and reduces the strength
  /// of loops, but of those that are to be left alone:
  /// all of LLVM's IR pipeline that helps a kernel. What emits does neither.
  void prepare(llvm::Module &module);
  /// These two take the diagnostics of the module's context: what LLVM reports
  /// as an error is one here, where it would end the process.
  Expected<EmittedObject> emitObject(llvm::Module &module);
  Expected<EmittedAssembly> emitAssembly(llvm::Module &module);

private:
  struct Impl;
  explicit MachineCode(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace lintel
