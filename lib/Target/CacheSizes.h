// Sizes of the data caches of one core.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Target/CpuCount.h"

#include <cstdint>
#include <functional>
#include <string>

namespace lintel {

/// Bytes; 0 = unknown.
struct CacheSizes {
  int64_t l1 = 0;
  int64_t l2 = 0;
  int64_t l3 = 0;
};

struct CpuidRegisters {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// Decodes the deterministic cache parameters that Intel (leaf 4) and AMD (leaf
/// 0x8000001D) report in the same form, one cache a subleaf, ended by type 0.
/// Of an L2 that several cores share each counts its part, 256 KiB at least.
CacheSizes
cacheSizesFromLeaf(const std::function<CpuidRegisters(uint32_t subleaf)> &leaf);

/// Reads `<cpuDirectory>/cache/index*/{level,type,size,shared_cpu_list}`; the
/// directory is /sys/devices/system/cpu/cpu0 on a real machine. L2 as above.
CacheSizes cacheSizesFromSys(const std::string &cpuDirectory);

/// One CPU for each L3 of these, whose folders are cpu0, cpu1, ... in
/// `cpusDirectory`, and each that shows none.
CpuMask cpusOfEachL3(const std::string &cpusDirectory, const CpuMask &cpus);

/// At each level where these CPUs differ the smallest size, whichever of them
/// runs: CPUID tells of that one alone. Where they do not, what CPUID tells, or
/// else /sys.
CacheSizes cacheSizesOfAll(const std::string &cpusDirectory,
                           const CpuMask &cpus, const CacheSizes &fromCpuid);

/// The sizes of the machine at hand.
CacheSizes readCacheSizes();

} // namespace lintel
