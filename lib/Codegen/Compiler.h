// From problem, schedule and target to object bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lintel {

/// Symbol of the entry point in every object.
inline constexpr std::string_view kKernelSymbol = "lintel_kernel";

/// Changes whenever generated code may change; part of the cache key.
std::string codegenVersion();

/// Machine code of one kernel.
struct ObjectCode {
  std::vector<std::byte> bytes; ///< relocatable ELF
  /// Registers spilled, reloaded or copied in an innermost loop of a
  /// micro-kernel, as the register allocator reports. On vectors a schedule
  /// with any is not worth timing, unless K is short; on tiles, whose registers
  /// are assigned before, they hold addresses, and 0 stands for what is
  /// emulated.
  int64_t loopSpills = 0;
  double milliseconds = 0; ///< schedule to bytes
};

/// IR or assembly after one stage of the line.
struct StageText {
  std::string stage;
  std::string text;
};

/// What to write of a kernel: all that it passes through, or assembly alone.
enum class Forms { all, assembly };

/// A kernel in these forms.
struct KernelTexts {
  std::vector<StageText> stages; ///< the last one is the assembly
  int64_t loopSpills = 0;        ///< as in the ObjectCode of the kernel
};

/// Owns an MLIRContext and a target machine. Not thread-safe: one a worker.
class Compiler {
public:
  static Expected<std::unique_ptr<Compiler>> create(const Target &target);
  ~Compiler();

  /// Compiles the kernel of `problem` as `schedule` says.
  Expected<ObjectCode> compile(const Problem &problem,
                               const Schedule &schedule);
  /// The IR after each pass, the LLVM IR and the assembly, for `lintel
  /// explain`. The last two are of micro-kernels that LLVM optimizes where
  /// those of the passes spill.
  Expected<KernelTexts> explain(const Problem &problem,
                                const Schedule &schedule,
                                Forms forms = Forms::all);

private:
  struct Impl;
  explicit Compiler(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace lintel
