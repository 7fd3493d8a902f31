// Whether this process may use AMX tile registers, and what stands against it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lintel {

/// What the CPU and the kernel say of tile registers, as read; tests hand in
/// those of other machines.
struct AmxFacts {
  uint32_t cpuid7Edx = 0; ///< leaf 7.0: amx-bf16 22, amx-tile 24, amx-int8 25
  uint32_t cpuid7Sub1Eax = 0; ///< leaf 7.1: amx-fp16 21
  uint64_t xcr0 = 0;       ///< what the operating system saves; 0: unreadable
  uint32_t maxPalette = 0; ///< leaf 0x1D.0, EAX
  bool asked = true;       ///< whether the kernel was to be asked for tile data
  /// What it said to this process: 0, it grants tile data, or errno. Nothing:
  /// it was not asked.
  std::optional<int> answer;
};

/// Whether the kernel is to be asked for tile data.
enum class TilePermission { request, leave };

/// What this machine has, and what askForTileData() says of it.
AmxFacts readAmxFacts(TilePermission permission);

/// Has `request`, which returns 0 or errno, ask the kernel for tile data and
/// keeps the answer, if it is to be asked and there are tiles to use: once it
/// is granted the kernel reserves 8 KiB more in each signal frame, for good.
void askForTileData(AmxFacts &facts, int (*request)());

/// One condition of using tile registers.
struct AmxCheck {
  std::string_view name; ///< cpuid, xcr0, palette or permission
  bool holds;
  std::string detail; ///< what is there, or what is missing
};
/// All four, in the order in which they depend on each other.
std::vector<AmxCheck> checkAmx(const AmxFacts &facts);

/// LLVM's names of the AMX features -> usable: reported by the CPU, and every
/// check holds.
std::map<std::string, bool> amxFeatures(const AmxFacts &facts);

} // namespace lintel
