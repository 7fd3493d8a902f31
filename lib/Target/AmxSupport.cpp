// Whether this process may use AMX tile registers, and what stands against it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/AmxSupport.h"

#include <algorithm>
#include <cerrno>
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lintel {
namespace {

/// XCR0: tile configuration and tile data.
constexpr uint64_t kTileState = uint64_t(3) << 17;

/// XCR0, where the operating system lets programs read it; else 0.
uint64_t readXcr0() {
  constexpr uint32_t kOsXsave = uint32_t(1) << 27;
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & kOsXsave))
    return 0;
  uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

/// Linux grants the large state of tiles on request, for the whole process.
/// Returns 0 or errno.
int requestPermission() {
  constexpr long kRequestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;              // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0 ? 0
                                                                     : errno;
}

struct AmxFeature {
  std::string_view name;
  uint32_t AmxFacts::*word;
  unsigned bit;
};
constexpr AmxFeature kFeatures[] = {
    {"amx-tile", &AmxFacts::cpuid7Edx, 24},
    {"amx-bf16", &AmxFacts::cpuid7Edx, 22},
    {"amx-int8", &AmxFacts::cpuid7Edx, 25},
    {"amx-fp16", &AmxFacts::cpuid7Sub1Eax, 21},
};

bool reports(const AmxFacts &facts, const AmxFeature &feature) {
  return facts.*feature.word >> feature.bit & 1;
}

bool reportsTiles(const AmxFacts &facts) {
  return reports(facts, kFeatures[0]);
}

bool savesTiles(const AmxFacts &facts) {
  return (facts.xcr0 & kTileState) == kTileState;
}

/// "amx-tile amx-bf16"
std::string reportedFeatures(const AmxFacts &facts) {
  std::string names;
  for (const AmxFeature &feature : kFeatures)
    if (reports(facts, feature))
      names += (names.empty() ? "" : " ") + std::string(feature.name);
  return names;
}

AmxCheck check(std::string_view name, bool holds, std::string there,
               std::string missing) {
  return {name, holds, holds ? std::move(there) : std::move(missing)};
}

/// Why the request fails, and what helps.
struct Refusal {
  int error;
  std::string_view meaning;
};
constexpr Refusal kRefusals[] = {
    {ENOSPC,
     "ENOSPC: a thread has an alternate signal stack (sigaltstack) too small "
     "for signal frames with tile data, which are 8 KiB larger; give it "
     "getauxval(AT_MINSIGSTKSZ) bytes or more, or create the engine before it"},
    {EPERM, "EPERM: something, such as the seccomp filter of a container, "
            "forbids arch_prctl; have it let that through"},
    {ENOSYS, "ENOSYS: arch_prctl is missing; a seccomp filter hides it"},
    {EINVAL, "EINVAL: the kernel does not know the request; Linux does from "
             "5.16 on, what runs programs in its place, such as gVisor, "
             "may not"},
    {EOPNOTSUPP, "EOPNOTSUPP: the kernel was built or booted without tile "
                 "data"},
};

std::string meaningOf(int error) {
  for (const Refusal &refusal : kRefusals)
    if (refusal.error == error)
      return std::string(refusal.meaning);
  return "errno " + std::to_string(error);
}

/// The kernel is not asked for what there is none of.
std::string whyNotPermitted(const AmxFacts &facts) {
  if (!facts.asked)
    return "the kernel was not asked, since LINTEL_ISA is below avx512";
  if (!facts.answer)
    return "the kernel was not asked, since there are no tiles to use";
  return "the kernel does not let this process use tile data (arch_prctl "
         "ARCH_REQ_XCOMP_PERM 18), " +
         meaningOf(*facts.answer);
}

} // namespace

AmxFacts readAmxFacts(TilePermission permission) {
  AmxFacts facts;
  facts.asked = permission == TilePermission::request;
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
    facts.cpuid7Edx = edx;
    if (eax >= 1 && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx))
      facts.cpuid7Sub1Eax = eax;
  }
  facts.xcr0 = readXcr0();
  if (__get_cpuid_count(0x1d, 0, &eax, &ebx, &ecx, &edx))
    facts.maxPalette = eax;
  askForTileData(facts, requestPermission);
  return facts;
}

void askForTileData(AmxFacts &facts, int (*request)()) {
  if (facts.asked && reportsTiles(facts) && savesTiles(facts) &&
      facts.maxPalette != 0)
    facts.answer = request();
}

std::vector<AmxCheck> checkAmx(const AmxFacts &facts) {
  return {
      check("cpuid", reportsTiles(facts), reportedFeatures(facts),
            "the CPU does not report amx-tile"),
      check("xcr0", savesTiles(facts),
            "the operating system saves tile registers",
            "the operating system does not save tile registers (XCR0 bits 17 "
            "and 18)"),
      check("palette", facts.maxPalette != 0,
            "up to palette " + std::to_string(facts.maxPalette),
            "the CPU describes no palette of tiles (CPUID leaf 0x1D)"),
      check("permission", facts.answer == 0,
            "the kernel lets this process use tile data",
            whyNotPermitted(facts)),
  };
}

std::map<std::string, bool> amxFeatures(const AmxFacts &facts) {
  const std::vector<AmxCheck> checks = checkAmx(facts);
  const bool usable = std::all_of(checks.begin(), checks.end(),
                                  [](const AmxCheck &c) { return c.holds; });
  std::map<std::string, bool> features;
  for (const AmxFeature &feature : kFeatures)
    features[std::string(feature.name)] = usable && reports(facts, feature);
  return features;
}

} // namespace lintel
