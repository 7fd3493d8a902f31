// The smallest complete layer in MLIR, with an epilogue that no name covers:
// out = |x * transpose(w) + bias| in f32.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @layer(%x: tensor<32x256xf32>, %w: tensor<512x256xf32>, %bias: tensor<512xf32>)
    -> tensor<32x512xf32> {
  %out = lintel.linear %x, %w epilogue(%bias : tensor<512xf32>)
      : (tensor<32x256xf32>, tensor<512x256xf32>) -> tensor<32x512xf32> {
  ^bb0(%sum: f32, %b: f32):
    %0 = arith.addf %sum, %b : f32
    %1 = math.absf %0 : f32
    lintel.yield %1 : f32
  }
  return %out : tensor<32x512xf32>
}
