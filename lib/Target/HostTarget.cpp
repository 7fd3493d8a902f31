// From what the machine reports to the target kernels are compiled for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/HostTarget.h"

#include "Target/CacheSizes.h"
#include "Target/CpuCount.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <cpuid.h>
#include <cstring>

namespace lintel {
namespace {

// What most x86-64 server cores of the last ten years have at least. Too small
// costs a little reuse; too large costs misses in every block.
constexpr int64_t kUnknownL1 = 32 << 10;
constexpr int64_t kUnknownL2 = 256 << 10;
constexpr int64_t kUnknownL3 = 4 << 20;

constexpr IsaLevel kBestFirst[] = {IsaLevel::avx512, IsaLevel::avx2,
                                   IsaLevel::x86_64};

/// The CPU's own name for itself: 48 characters in three CPUID leaves.
std::string brandString() {
  constexpr uint32_t kFirstLeaf = 0x80000002;
  char text[49] = {};
  for (uint32_t part = 0; part < 3; ++part) {
    uint32_t registers[4] = {};
    if (!__get_cpuid(kFirstLeaf + part, &registers[0], &registers[1],
                     &registers[2], &registers[3]))
      return "";
    std::memcpy(text + 16 * part, registers, sizeof registers);
  }
  std::string brand(text);
  size_t begin = brand.find_first_not_of(' ');
  if (begin == std::string::npos)
    return "";
  return brand.substr(begin, brand.find_last_not_of(' ') - begin + 1);
}

/// CPUID's displayed family and model: the extended fields count only where
/// the base fields are at their ends.
void readFamily(HostFacts &facts) {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
    return;
  const int family = (eax >> 8) & 15, model = (eax >> 4) & 15;
  facts.family = family == 15 ? family + int((eax >> 20) & 255) : family;
  facts.familyModel = family == 6 || family == 15
                          ? model + (int((eax >> 16) & 15) << 4)
                          : model;
}

bool usable(const HostFacts &facts, const std::string &feature) {
  auto found = facts.features.find(feature);
  return found != facts.features.end() && found->second;
}

/// "avx512bw, avx512vl"
std::string missingFeatures(const HostFacts &facts, const Target &target) {
  std::string missing;
  for (const std::string &feature : target.features())
    if (!usable(facts, feature))
      missing += (missing.empty() ? "" : ", ") + feature;
  return missing;
}

Target targetAt(const HostFacts &facts, IsaLevel isa) {
  Target target;
  target.isa = isa;
  target.cpu = facts.cpu.empty() ? "generic" : facts.cpu;
  target.l1 = facts.l1 > 0 ? facts.l1 : kUnknownL1;
  target.l2 = facts.l2 > 0 ? facts.l2 : std::max(kUnknownL2, target.l1);
  target.l3 = facts.l3 > 0 ? facts.l3 : std::max(kUnknownL3, target.l2);
  target.cores = std::max<int64_t>(1, facts.cores);
  for (Extension extension : kExtensions) {
    const std::string name(toString(extension));
    const bool needsTiles = name.starts_with("amx-");
    if (isa == levelOf(extension) && usable(facts, name) &&
        (!needsTiles || usable(facts, "amx-tile")))
      target.extensions.insert(extension);
  }
  return target;
}

} // namespace

Expected<Target> withEmulatedAmx(const Target &target) {
  if (target.has(Extension::amxTile))
    return target;
  if (target.isa == IsaLevel::x86_64)
    return Error(ErrorCode::unsupported,
                 "AMX is emulated beside avx512 and avx2 only, not beside "
                 "x86_64");
  Target emulating = target;
  if (target.isa == IsaLevel::avx2) {
    emulating.isa = IsaLevel::avx512;
    emulating.extensions = {Extension::avx512Emulation};
  }
  emulating.extensions.insert({Extension::amxBf16, Extension::amxEmulation,
                               Extension::amxFp16, Extension::amxInt8,
                               Extension::amxTile});
  return emulating;
}

HostFacts readHostFacts(std::optional<IsaLevel> cap) {
  const bool mayUseTiles = cap.value_or(IsaLevel::avx512) == IsaLevel::avx512;
  HostFacts facts;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    facts.features[feature.first().str()] = feature.second;
  facts.amx = readAmxFacts(mayUseTiles ? TilePermission::request
                                       : TilePermission::leave);
  for (const auto &[name, isUsable] : amxFeatures(facts.amx))
    facts.features[name] = isUsable;
  facts.cpu = llvm::sys::getHostCPUName().str();
  facts.model = brandString();
  readFamily(facts);
  CacheSizes caches = readCacheSizes();
  facts.l1 = caches.l1;
  facts.l2 = caches.l2;
  facts.l3 = caches.l3;
  facts.cores = usableCpus();
  return facts;
}

bool canRun(const HostFacts &facts, const Target &target) {
  return missingFeatures(facts, target).empty();
}

Expected<Target> targetFromFacts(const HostFacts &facts,
                                 std::optional<IsaLevel> cap) {
  std::optional<Target> best;
  for (IsaLevel isa : kBestFirst) {
    Target target = targetAt(facts, isa);
    if (canRun(facts, target)) {
      best = target;
      break;
    }
  }
  if (!best)
    return Error(ErrorCode::unsupported,
                 "this CPU cannot run the lowest level, x86_64: not usable: " +
                     missingFeatures(facts, targetAt(facts, IsaLevel::x86_64)));
  if (!cap || *cap == best->isa)
    return *best;
  if (*cap < best->isa)
    return targetAt(facts, *cap);
  return Error(ErrorCode::unsupported,
               "this machine cannot run " + std::string(toString(*cap)) +
                   ": the CPU lacks or the operating system does not enable " +
                   missingFeatures(facts, targetAt(facts, *cap)) +
                   "; the highest level it can run is " +
                   std::string(toString(best->isa)));
}

} // namespace lintel
