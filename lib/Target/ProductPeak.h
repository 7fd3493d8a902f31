// The instructions that multiply and add, and loops that show what they give.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "lintel/DType.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace lintel {

/// An instruction that multiplies and adds. What a layer can reach at most is
/// the rate of the best one for its element types.
enum class ProductInstruction : uint8_t {
  fma,         ///< f32; a multiplication and an addition on x86-64
  vfmadd231ph, ///< f16, summed in f16
  vdpbf16ps,   ///< pairs of bf16, summed in f32
  vpmaddwd,    ///< pairs of bytes, widened, and an addition of s32
  vpmaddubsw,  ///< pairs of u8 and s8, vpmaddwd by ones, and an addition of s32
  vpdpbusd,    ///< four u8 and four s8, summed in s32
  tdpbf16ps,   ///< tiles of bf16, summed in f32
  tdpfp16ps,   ///< tiles of f16, summed in f32
  tdpbusd,     ///< tiles of u8 and s8, summed in s32
};
inline constexpr std::array kProductInstructions = {
    ProductInstruction::fma,        ProductInstruction::vfmadd231ph,
    ProductInstruction::vdpbf16ps,  ProductInstruction::vpmaddwd,
    ProductInstruction::vpmaddubsw, ProductInstruction::vpdpbusd,
    ProductInstruction::tdpbf16ps,  ProductInstruction::tdpfp16ps,
    ProductInstruction::tdpbusd};

/// "vdpbf16ps".
std::string_view toString(ProductInstruction instruction);

/// Every target has fma, and vpmaddwd, with avx2 and avx512 vpmaddubsw too,
/// where vpdpbusd does not stand for them; the others need extensions. Tiles
/// that are emulated do not count.
bool hasInstruction(const Target &target, ProductInstruction instruction);

/// The best that `target` has for a layer of these types: fma for floats
/// without an instruction of their own, which are widened to f32, but tdpbf16ps
/// for f16 that is split.
ProductInstruction bestInstruction(const Target &target,
                                   const DataTypes &types);

/// How many products of that instruction one of the layer takes: four of two
/// f16 that are two bf16 each, else one.
int64_t partsOfProduct(const Target &target, const DataTypes &types);

/// Runs `iterations` rounds of independent products of random numbers in
/// registers on the calling thread; returns the operations done, two for each
/// multiply-add. The caller takes the time and makes sure that the process can
/// run the instruction, of `isa` if several levels have it: fma, vpmaddwd,
/// vpmaddubsw and vpdpbusd.
int64_t runProductLoop(ProductInstruction instruction, IsaLevel isa,
                       int64_t iterations);

} // namespace lintel
