// What the machine at hand can run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "Target/AmxSupport.h"
#include "lintel/Error.h"

#include <map>
#include <optional>
#include <string>

namespace lintel {

/// What detection reads, so that tests can hand in other machines.
struct HostFacts {
  std::map<std::string, bool>
      features;      ///< LLVM feature name -> usable (CPUID and XCR0, and all
                     ///< that checkAmx() asks for AMX)
  AmxFacts amx;      ///< what the AMX features were decided by
  std::string cpu;   ///< LLVM CPU name
  std::string model; ///< CPU brand string
  int family = 0, familyModel = 0; ///< as CPUID displays them; 0 = unknown
  int64_t l1 = 0, l2 = 0, l3 = 0;  ///< bytes; 0 = unknown
  int64_t cores = 1;               ///< that the calling thread may use
};

/// Reads CPUID, XCR0, the cache leaves (or /sys) and the affinity mask, and
/// asks the kernel for permission to use AMX unless `cap` is below avx512.
HostFacts readHostFacts(std::optional<IsaLevel> cap = std::nullopt);

/// The best level the facts allow, or `cap` if that is lower. A cap that the
/// machine cannot run is an error. The target has every usable extension of its
/// level. Unknown cache sizes get conservative defaults.
Expected<Target> targetFromFacts(const HostFacts &facts,
                                 std::optional<IsaLevel> cap);

/// `target` with AMX, emulated where it has none; with AVX2 alone the vectors
/// of AVX-512, which AMX needs beside it, are emulated, too. An error for
/// x86_64.
Expected<Target> withEmulatedAmx(const Target &target);

/// True if every feature that code for `target` may use is usable here.
bool canRun(const HostFacts &facts, const Target &target);

} // namespace lintel
