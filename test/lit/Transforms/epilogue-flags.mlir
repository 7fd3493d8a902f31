// What an epilogue promises is dropped wherever its region becomes operations, with or without
// lintel-approximate-math: the reference goes by none of it.
// RUN: lintel-opt %s --lintel-assign-schedule --lintel-tile --lintel-lower-microkernel | FileCheck %s
// RUN: lintel-opt %s --lintel-kernel | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func private @layer_microkernel
// CHECK-NOT: {{exact|overflow|fastmath<fast>}}
// CHECK: arith.shrui %{{.*}}, %{{.*}} : vector
// CHECK-NOT: {{exact|overflow|fastmath<fast>}}
// CHECK: arith.addi %{{.*}}, %{{.*}} : vector
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<contract> : vector
// LLVM: llvm.func @layer
// LLVM-NOT: {{ exact |overflow<|flags = fast}}
func.func @layer(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    %one = arith.constant 1 : i32
    %0 = arith.fptosi %acc : f32 to i32
    %1 = arith.shrui %0, %one exact : i32
    %2 = arith.addi %1, %0 overflow<nsw> : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.addf %3, %acc fastmath<fast> : f32
    lintel.yield %4 : f32
  }
  return %y : tensor<4x16xf32>
}

// Nor by attributes that are flags of the operations of LLVM that they become.
// CHECK-LABEL: func.func private @named_microkernel
// CHECK-NOT: {{nonNeg|fastmathFlags}}
// LLVM-LABEL: llvm.func @named
// LLVM-NOT: {{nneg|fastmathFlags = }}
func.func @named(%x: tensor<4x8xi8>, %w: tensor<16x8xi8>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w : (tensor<4x8xi8>, tensor<16x8xi8>) -> tensor<4x16xf32> {
  ^bb0(%acc: i32):
    %zero = arith.constant 0 : i32
    %0 = arith.uitofp %acc {nonNeg} : i32 to f32
    %1 = arith.cmpi sgt, %acc, %zero : i32
    %2 = arith.sitofp %acc : i32 to f32
    %3 = arith.select %1, %0, %2 {fastmathFlags = #llvm.fastmath<fast>} : f32
    lintel.yield %3 : f32
  }
  return %y : tensor<4x16xf32>
}
