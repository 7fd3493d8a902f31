// lintel-tile: with K = 0 the depth loop still runs once, and so gives every sum
// its zero and every output its epilogue.
// RUN: lintel-opt %s --lintel-tile | FileCheck %s

// CHECK-LABEL: func.func @layer(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[KC:.*]] = arith.maxui %{{.*}}, %[[ONE]] : index
// CHECK: scf.for %[[K0:.*]] = %[[ZERO]] to %[[ONE]] step
// CHECK: %[[LEFT:.*]] = arith.subi %[[ZERO]], %[[K0]] : index
// CHECK: %[[DEPTH:.*]] = arith.minui %[[LEFT]], %{{.*}} : index
// CHECK: call @layer_microkernel_4(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[DEPTH]],
func.func @layer(%x: tensor<4x0xf32>, %w: tensor<32x0xf32>) -> tensor<4x32xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16, kc = 8>, target = #lintel.target<isa = avx512>}
      : (tensor<4x0xf32>, tensor<32x0xf32>) -> tensor<4x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x32xf32>
}
