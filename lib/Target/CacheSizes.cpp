// Cache sizes from CPUID or /sys.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/CacheSizes.h"

#include <algorithm>
#include <charconv>
#include <cpuid.h>
#include <fstream>
#include <unistd.h>
#include <vector>

namespace lintel {
namespace {

/// No CPU has this many caches; ends the walk over a nonsensical list.
constexpr uint32_t kMaxCaches = 16;

/// No cache has more bytes, which is also what a target takes.
constexpr int64_t kMostBytes = int64_t(1) << 40;

/// Of several caches at one level, keeps the largest; nonsense is unknown.
void record(CacheSizes &sizes, int64_t level, int64_t bytes) {
  if (bytes > kMostBytes)
    return;
  int64_t *slot = level == 1   ? &sizes.l1
                  : level == 2 ? &sizes.l2
                  : level == 3 ? &sizes.l3
                               : nullptr;
  if (slot && bytes > *slot)
    *slot = bytes;
}

CacheSizes cacheSizesFromCpuid(uint32_t leaf) {
  return cacheSizesFromLeaf([leaf](uint32_t subleaf) {
    CpuidRegisters r;
    // Returns 0 and leaves the registers alone if the CPU has no such leaf.
    __get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
    return r;
  });
}

/// A hypervisor that makes all CPUs share an L2 is not to leave each a sliver.
constexpr int64_t kLeastShareOfL2 = 256 << 10;

/// What a core has of an L2 that so many threads share. The threads of an L1
/// are those of a core.
int64_t shareOfL2(int64_t bytes, int64_t threadsOfL1, int64_t threadsOfL2) {
  const int64_t cores =
      std::max<int64_t>(1, threadsOfL2 / std::max<int64_t>(1, threadsOfL1));
  return std::max(std::min(bytes, kLeastShareOfL2), bytes / cores);
}

/// Whether a CPU says that it has cores of several kinds, whose own caches may
/// differ: leaf 7 of Intel's, leaf 0x80000026 of AMD's.
bool hasCoresOfSeveralKinds() {
  constexpr uint32_t kFeatures = 7, kHybrid = 1u << 15;
  constexpr uint32_t kTopology = 0x80000026, kHeterogeneous = 1u << 30;
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(kFeatures, 0, &eax, &ebx, &ecx, &edx) &&
      (edx & kHybrid))
    return true;
  return __get_cpuid_count(kTopology, 0, &eax, &ebx, &ecx, &edx) &&
         (eax & kHeterogeneous);
}

/// Takes from `other` what `sizes` does not know.
void complete(CacheSizes &sizes, const CacheSizes &other) {
  if (sizes.l1 == 0)
    sizes.l1 = other.l1;
  if (sizes.l2 == 0)
    sizes.l2 = other.l2;
  if (sizes.l3 == 0)
    sizes.l3 = other.l3;
}

std::string firstLine(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// "32K", "1024K", "8M", "65536"; 0 for anything else.
int64_t parseSize(const std::string &text) {
  int64_t value = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || value <= 0 || value > kMostBytes)
    return 0;
  std::string suffix(rest, end);
  if (suffix == "K")
    return value << 10;
  if (suffix == "M")
    return value << 20;
  return suffix.empty() ? value : 0;
}

/// Those of a list such as "0-3,8"; none for anything else.
CpuMask parseCpus(const std::string &list) {
  CpuMask cpus;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    size_t first = 0, last = 0;
    const char *stop = list.data() + end;
    auto [rest, error] = std::from_chars(list.data() + begin, stop, first);
    last = first;
    if (error == std::errc() && rest != stop && *rest == '-')
      error = std::from_chars(rest + 1, stop, last).ec;
    if (error != std::errc() || last < first || last >= cpus.size())
      return {};
    for (size_t cpu = first; cpu <= last; ++cpu)
      cpus.set(cpu);
    begin = end + 1;
  }
  return cpus;
}

std::string directoryOf(const std::string &cpusDirectory, size_t cpu) {
  return cpusDirectory + "/cpu" + std::to_string(cpu);
}

bool isThere(const std::string &path) {
  return access(path.c_str(), F_OK) == 0;
}

/// The folders of a CPU's caches.
std::vector<std::string> cacheDirectories(const std::string &cpuDirectory) {
  const std::string caches = cpuDirectory + "/cache";
  std::vector<std::string> directories;
  if (!isThere(
          caches)) // hidden by a hypervisor, from hundreds of CPUs at times
    return directories;
  for (uint32_t index = 0; index < kMaxCaches; ++index)
    if (std::string cache = caches + "/index" + std::to_string(index);
        isThere(cache))
      directories.push_back(std::move(cache));
  return directories;
}

int64_t levelOf(const std::string &cacheDirectory) {
  return parseSize(firstLine(cacheDirectory + "/level"));
}

CpuMask sharersOf(const std::string &cacheDirectory) {
  return parseCpus(firstLine(cacheDirectory + "/shared_cpu_list"));
}

/// The CPUs that are on, of which there is one at least: possible ones may be
/// many more on a virtual machine.
CpuMask onlineCpus(const std::string &cpusDirectory) {
  CpuMask online = parseCpus(firstLine(cpusDirectory + "/online"));
  if (online.none())
    online.set(0);
  return online;
}

/// The smallest and the largest of several CPUs, 0 where none is known.
struct Range {
  int64_t least = 0, most = 0;

  void take(int64_t bytes) {
    if (bytes > 0 && (least == 0 || bytes < least))
      least = bytes;
    most = std::max(most, bytes);
  }
  int64_t leastIfSeveral() const { return least < most ? least : 0; }
};

} // namespace

CacheSizes cacheSizesFromLeaf(
    const std::function<CpuidRegisters(uint32_t subleaf)> &leaf) {
  CacheSizes sizes;
  int64_t threadsOfL1 = 1, threadsOfL2 = 1;
  for (uint32_t subleaf = 0; subleaf < kMaxCaches; ++subleaf) {
    CpuidRegisters r = leaf(subleaf);
    uint32_t type = r.eax & 0x1f;
    if (type == 0)
      break;
    constexpr uint32_t kInstructions = 2;
    if (type == kInstructions)
      continue;
    const int64_t lineSize = (r.ebx & 0xfff) + 1;
    const int64_t partitions = ((r.ebx >> 12) & 0x3ff) + 1;
    const int64_t ways = ((r.ebx >> 22) & 0x3ff) + 1;
    const int64_t setBytes = lineSize * partitions * ways;
    // So that the product fits, whatever a hypervisor says.
    const int64_t sets =
        std::min(int64_t(r.ecx) + 1, kMostBytes / setBytes + 1);
    const int64_t level = (r.eax >> 5) & 7;
    const int64_t threads = ((r.eax >> 14) & 0xfff) + 1;
    if (level == 1)
      threadsOfL1 = threads;
    else if (level == 2)
      threadsOfL2 = threads;
    record(sizes, level, setBytes * sets);
  }
  sizes.l2 = shareOfL2(sizes.l2, threadsOfL1, threadsOfL2);
  return sizes;
}

CacheSizes cacheSizesFromSys(const std::string &cpuDirectory) {
  CacheSizes sizes;
  int64_t threadsOfL1 = 1, threadsOfL2 = 1;
  for (const std::string &cache : cacheDirectories(cpuDirectory)) {
    if (firstLine(cache + "/type") == "Instruction")
      continue;
    const int64_t level = levelOf(cache);
    if (level == 1)
      threadsOfL1 = static_cast<int64_t>(sharersOf(cache).count());
    else if (level == 2)
      threadsOfL2 = static_cast<int64_t>(sharersOf(cache).count());
    record(sizes, level, parseSize(firstLine(cache + "/size")));
  }
  sizes.l2 = shareOfL2(sizes.l2, threadsOfL1, threadsOfL2);
  return sizes;
}

CpuMask cpusOfEachL3(const std::string &cpusDirectory, const CpuMask &cpus) {
  CpuMask seen, chosen;
  for (size_t cpu = 0; cpu < cpus.size(); ++cpu) {
    if (!cpus[cpu] || seen[cpu])
      continue;
    chosen.set(cpu);
    for (const std::string &cache :
         cacheDirectories(directoryOf(cpusDirectory, cpu)))
      if (levelOf(cache) == 3)
        seen |= sharersOf(cache);
  }
  return chosen;
}

CacheSizes cacheSizesOfAll(const std::string &cpusDirectory,
                           const CpuMask &cpus, const CacheSizes &fromCpuid) {
  Range l1, l2, l3;
  for (size_t cpu = 0; cpu < cpus.size(); ++cpu) {
    if (!cpus[cpu])
      continue;
    const CacheSizes sizes = cacheSizesFromSys(directoryOf(cpusDirectory, cpu));
    l1.take(sizes.l1);
    l2.take(sizes.l2);
    l3.take(sizes.l3);
  }
  CacheSizes sizes = {l1.leastIfSeveral(), l2.leastIfSeveral(),
                      l3.leastIfSeveral()};
  complete(sizes, fromCpuid);
  complete(sizes, {l1.least, l2.least, l3.least});
  return sizes;
}

CacheSizes readCacheSizes() {
  constexpr uint32_t kIntelCaches = 4, kAmdCaches = 0x8000001d;
  const std::string cpusDirectory = "/sys/devices/system/cpu";
  // AMD leaves leaf 4 empty, but hypervisors fill it with an Intel's caches at
  // times, or hide either.
  CacheSizes fromCpuid = cacheSizesFromCpuid(kAmdCaches);
  complete(fromCpuid, cacheSizesFromCpuid(kIntelCaches));
  // Cores of one kind differ in their L3 alone, if at all (one die of a 7950X3D
  // has 96 MiB, the other 32), so that few CPUs have to be looked at.
  CpuMask cpus = onlineCpus(cpusDirectory);
  if (!hasCoresOfSeveralKinds())
    cpus = cpusOfEachL3(cpusDirectory, cpus);
  const bool knowsAll =
      fromCpuid.l1 > 0 && fromCpuid.l2 > 0 && fromCpuid.l3 > 0;
  if (knowsAll && cpus.count() == 1)
    return fromCpuid;
  return cacheSizesOfAll(cpusDirectory, cpus, fromCpuid);
}

} // namespace lintel
