// Machines and layers that the code generator's tests compile for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Codegen/Compiler.h"

namespace lintel {

inline Target targetOf(IsaLevel isa, std::string cpu = "generic") {
  Target target;
  target.isa = isa;
  target.cpu = std::move(cpu);
  return target;
}

inline constexpr IsaLevel kAllIsaLevels[] = {IsaLevel::x86_64, IsaLevel::avx2,
                                             IsaLevel::avx512};

inline Problem problemOf(std::string_view text) {
  return Problem::parse(text).value();
}

inline Schedule scheduleOf(std::string_view text) {
  return Schedule::parse(text).value();
}

} // namespace lintel
