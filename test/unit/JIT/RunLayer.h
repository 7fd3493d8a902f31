// Calling a loaded kernel without the runtime: plain row-major tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "JIT/Loader.h"
#include "Lintel/Schedule.h"

#include <vector>

namespace lintel {

/// One layer with at most one operand, and how its weight is packed.
struct LayerData {
  int64_t m, n, k, nr;
  std::vector<float> x, w, operand;
};

/// Runs `kernel` as two threads of a 2x2 grid would; if it cuts K, in blocks of
/// three. Returns the output.
inline std::vector<float> runLayer(const Kernel &kernel,
                                   const LayerData &layer) {
  const int64_t n = layer.n, k = layer.k, nr = layer.nr;
  const int64_t panels = (n + nr - 1) / nr;
  struct alignas(64) Line {
    float values[16] = {};
  };
  auto linesFor = [](int64_t floats) {
    return std::vector<Line>((floats + 15) / 16);
  };
  auto packedLines = linesFor(panels * k * nr);
  float *packed = packedLines.front().values;
  for (int64_t column = 0; column < n; ++column)
    for (int64_t depth = 0; depth < k; ++depth)
      packed[(column / nr * k + depth) * nr + column % nr] =
          layer.w[column * k + depth];
  // One block is the whole output, rounded up to tiles of at most 32 rows.
  const int64_t stride = (layer.m + 32) * panels * nr * sizeof(float) + 64;
  auto workspace = linesFor(2 * (stride / 64 + 1) * 16);

  std::vector<float> output(layer.m * n, -1);
  KernelTensor outputs = {output.data(), n};
  KernelTensor operands = {const_cast<float *>(layer.operand.data()), 0};
  KernelArgs args = {};
  args.structSize = sizeof(KernelArgs);
  args.abiVersion = kKernelAbiVersion;
  args.x = layer.x.data();
  args.ldx = k;
  args.w = packed;
  args.m = layer.m;
  args.mc = args.nc = Schedule::kWhole;
  args.kc = 3;
  args.gridM = args.gridN = 2;
  args.workspace = workspace.data();
  args.workspaceStride = (stride / 64 + 1) * 64;
  args.outputs = &outputs;
  args.operands = &operands;
  for (int32_t tid = 0; tid < 2; ++tid)
    kernel.function()(&args, tid, 2);
  return output;
}

} // namespace lintel
