// What lintel-to-llvm cannot convert.
// RUN: lintel-opt %s --lintel-to-llvm --split-input-file --verify-diagnostics

func.func @layer(%x: memref<4x8xf32>, %w: memref<16x8xf32>, %y: memref<4x16xf32>) {
  // expected-error @+1 {{'lintel.linear' op is not lowered; run lintel-tile and lintel-lower-microkernel before lintel-to-llvm}}
  lintel.linear %x, %w outs(%y : memref<4x16xf32>) : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// expected-error @+1 {{failed to legalize operation 'func.func'}}
func.func @tensors(%c: tensor<4xf32>) -> tensor<4xf32> {
  return %c : tensor<4xf32>
}
