// How a target multiplies elements of a type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/ProductForm.h"

namespace lintel {

/// Of products of bf16 pairs and of quads; of an addition of integers.
static constexpr double kPairLatency = 6;
static constexpr double kAdditionLatency = 1;

/// vdpbf16ps on cores other than AMD's, which do as many of it as of
/// multiply-adds: Emerald Rapids does 0.52 a cycle and 2 multiply-adds (85 and
/// 159 GFLOP/s, `lintel doctor --measure`).
static constexpr int64_t kMultipliesOfSlowPairs = 4;

ProductForm ProductForm::of(DType weight, const Target &target,
                            Accumulate accumulate) {
  // Of AMD's units that convert half are those that multiply; Intel's two for
  // vectors of 64 bytes do both, beside which there is one for 32 bytes.
  const bool onMultipliers =
      target.isa >= IsaLevel::avx512 && !target.cpu.starts_with("znver");
  ProductForm form;
  form.lanes = target.lanes();
  form.conversionTime = onMultipliers ? 1 : 0.5;
  form.depth = depthOfLane(weight, target, accumulate);
  form.broadcastsInProduct = target.isa >= IsaLevel::avx512;
  if (accumulate == Accumulate::f16) {
    form.lanes *= 2;
    form.shuffles = 1; // vpbroadcastw, which loads 16 bits, on Intel
  } else if (weight == DType::f16 && target.hasHalfConversions()) {
    form.conversions = 1;
    // And vcvtph2ps takes both of them.
    form.conversionTime = onMultipliers ? 2 : 0.5;
    form.scratch = 2;
    // LLVM converts the next element of A before the last one is used. With
    // AVX512-FP16 one instruction loads, broadcasts and converts it, and as
    // many of them move up as there are registers, and more.
    form.ahead = target.has(Extension::avx512Fp16) ? 7 : 1;
  } else if (weight == DType::f16) {
    form.conversions = 10;
    form.scratch = 8;
  } else if (weight == DType::bf16 && !target.has(Extension::avx512Bf16)) {
    form.parts = form.conversions = 2;
    form.scratch = target.hasFma() ? 1 : 2;
  } else if (weight == DType::bf16) {
    form.latency = kPairLatency;
    if (!target.cpu.starts_with("znver"))
      form.multiplies = kMultipliesOfSlowPairs;
  } else if (weight == DType::s8 && accumulate == Accumulate::s16) {
    form.multiplies = 2; // four bytes to two words, those to a sum
    form.uops = 3;       // and an addition
    form.latency = kAdditionLatency;
    form.scratch = 2; // ones, and what was multiplied
    form.broadcastsInProduct = false;
  } else if (weight == DType::s8 && target.multipliesQuads()) {
    form.latency = kPairLatency;
    form.scratch = 1;
  } else if (weight == DType::s8) {
    form.conversions = 1; // as it is loaded
    form.uops = 2;        // a product and an addition
    form.latency = kAdditionLatency;
    form.scratch = 1; // what was multiplied
    // In blocks of K taller tiles than 25x16 reload an address in each step.
    form.ahead = target.isa >= IsaLevel::avx512 ? 4 : 0;
    form.broadcastsInProduct = false; // a pair of words
  }
  return form;
}

} // namespace lintel
