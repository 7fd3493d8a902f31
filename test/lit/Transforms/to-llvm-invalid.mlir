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

// -----

// In a function that is otherwise a kernel's.
func.func @no_lowering(%args: !lintel.kernel_args, %v: f32) -> f32 {
  %x = lintel.kernel_arg %args x : memref<f32>
  %0 = memref.load %x[] : memref<f32>
  // expected-error @+1 {{failed to legalize operation 'math.erf'}}
  %1 = math.erf %0 : f32
  return %1 : f32
}

// -----

// What kernels have no types for.
func.func @tensors_in_branches(%which: i1, %args: !lintel.kernel_args) -> index {
  %m = lintel.kernel_arg %args m : index
  // expected-error @+1 {{failed to legalize operation 'arith.constant'}}
  %0 = arith.constant dense<0.0> : tensor<4xf32>
  %1 = scf.if %which -> tensor<4xf32> {
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %0 : tensor<4xf32>
  }
  return %m : index
}
