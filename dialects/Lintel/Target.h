// Which machine: the value behind #lintel.target, and its text form.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields are separated by commas; `isa` is required, the others have defaults.
//
//   isa=avx512,cpu=znver4,l1=32768,l2=1048576,l3=33554432,cores=2
//
// With extensions, the names of those follow: extensions=amx-bf16+amx-tile
#pragma once

#include "lintel/DType.h"
#include "lintel/Error.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lintel {

/// Ordered: a CPU that can run one level can run all below it.
enum class IsaLevel : uint8_t {
  x86_64, ///< SSE2: 16 registers of 4 floats, no FMA, no masks
  avx2,   ///< AVX2 + FMA: 16 registers of 8 floats
  avx512, ///< AVX-512 F, BW, CD, DQ, VL: 32 registers of 16 floats, masks
};
std::string_view toString(IsaLevel isa);
Expected<IsaLevel> parseIsaLevel(std::string_view name);
/// "x86_64, avx2 or avx512": all of them, for messages.
std::string isaLevelNames();

/// Features beyond a level, which the CPUs of that level have or have not.
/// Those of AMX need amx-tile, too.
enum class Extension : uint8_t {
  amxBf16,
  /// Instructions of AMX are calls of lib/TileEmulation: slow and exact, for
  /// CPUs without AMX.
  amxEmulation,
  amxFp16,
  amxInt8,
  amxTile,
  /// Beside amx-emulation: code is for avx2, and LLVM makes two vectors of each
  /// of 64 bytes, for CPUs without AVX-512.
  avx512Emulation,
  avx512Bf16, ///< products of bf16 pairs summed in f32; rounding to bf16
  avx512Fp16, ///< arithmetic in f16
  avx512Vnni, ///< products of four u8 and s8 summed in s32
  avxVnni,    ///< the same on the level avx2
};
inline constexpr Extension kExtensions[] = {
    Extension::amxBf16,    Extension::amxEmulation, Extension::amxFp16,
    Extension::amxInt8,    Extension::amxTile,      Extension::avx512Emulation,
    Extension::avx512Bf16, Extension::avx512Fp16,   Extension::avx512Vnni,
    Extension::avxVnni};
/// As LLVM names the feature, e.g. "amx-tile"; emulations are none.
std::string_view toString(Extension extension);
/// The level whose targets may have it: avx2 for avxVnni, avx512 for others.
IsaLevel levelOf(Extension extension);

/// A machine to compile for; need not be the host.
struct Target {
  static constexpr int64_t kLineBytes = 64; ///< of a cache line, on any x86-64
  IsaLevel isa = IsaLevel::x86_64;
  std::string cpu =
      "generic"; ///< LLVM's name: for scheduling and estimates, no features
  int64_t l1 = 32 << 10; ///< bytes of L1d a core
  int64_t l2 = 1 << 20;  ///< bytes of L2 a core
  int64_t l3 = 16 << 20; ///< bytes of L3
  int64_t cores = 1;
  std::set<Extension> extensions;

  int64_t vectorBytes() const; ///< 16, 32 or 64
  int64_t lanes() const {
    return vectorBytes() / 4;
  } ///< f32 elements of a vector
  int64_t vectorRegisters() const; ///< 16 or 32
  bool hasFma() const;
  bool hasMaskRegisters() const;   ///< masked loads and stores cost nothing
  bool hasHalfConversions() const; ///< between f16 and f32
  bool has(Extension extension) const { return extensions.contains(extension); }
  /// Whether one instruction multiplies four u8 by four s8 in a lane, and adds
  /// the products to a sum.
  bool multipliesQuads() const {
    return has(Extension::avx512Vnni) || has(Extension::avxVnni);
  }
  /// Whether what sums pairs of products of u8 and s8 in s16 is there, and
  /// nothing better is.
  bool sumsPairsInWords() const {
    return isa != IsaLevel::x86_64 && !multipliesQuads();
  }
  /// Whether tile registers multiply elements of this type.
  bool multipliesTilesOf(DType weight) const;
  /// Whether they multiply them as two bf16 each: f16, which is the sum of two.
  bool multipliesSplitTilesOf(DType weight) const {
    return weight == DType::f16 && has(Extension::amxBf16);
  }
  bool emulatesTiles() const { return has(Extension::amxEmulation); }
  bool emulatesVectors() const { return has(Extension::avx512Emulation); }
  /// The level of the CPU that runs the code: below `isa` where its vectors are
  /// emulated.
  IsaLevel levelOfCode() const {
    return emulatesVectors() ? IsaLevel::avx2 : isa;
  }
  /// The LLVM features that generated code may use, without '+', sorted. A CPU
  /// must have all of them, enabled by the operating system too, to run it.
  std::vector<std::string> features() const;
  /// "+avx2,+fma,...": every feature listed, so that no CPU name implies one.
  std::string featureString() const;

  std::string text() const;
  static Expected<Target> parse(std::string_view text);
  /// Sets one field from its text; shared by parse() and the attribute's
  /// parser.
  Status setField(std::string_view name, std::string_view value);
  /// Success if every field holds a value that setField would take, and the
  /// extensions are of the level.
  Status check() const;
  friend bool operator==(const Target &, const Target &) = default;
};

} // namespace lintel
