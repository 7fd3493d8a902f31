// Sizes of the data caches of one core.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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

/// The smallest at each level of so many CPUs, in folders cpu0, cpu1, ... of
/// `cpusDirectory`.
CacheSizes smallestCacheSizes(const std::string &cpusDirectory, int64_t cpus);

/// The sizes of the machine at hand: from CPUID, else from /sys; of a hybrid
/// CPU, whose cores differ, the smallest.
CacheSizes readCacheSizes();

} // namespace lintel
