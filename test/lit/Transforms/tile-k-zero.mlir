// lintel-tile: with K = 0 there is still one turn over the depth, and so every sum
// gets its zero and every output its epilogue.
// RUN: lintel-opt %s --lintel-tile --canonicalize | FileCheck %s

// CHECK-LABEL: func.func private @layer_block(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-NOT: scf.for
// CHECK: call @layer_microkernel_4(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[ZERO]], %[[TRUE]], %[[TRUE]])
// CHECK-LABEL: func.func @layer(
// CHECK: scf.for
// CHECK: scf.while
// CHECK: scf.condition
// CHECK-NOT: scf
// CHECK: call @layer_block(
func.func @layer(%x: tensor<4x0xf32>, %w: tensor<32x0xf32>) -> tensor<4x32xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16, kc = 8>, target = #lintel.target<isa = avx512>}
      : (tensor<4x0xf32>, tensor<32x0xf32>) -> tensor<4x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x32xf32>
}
