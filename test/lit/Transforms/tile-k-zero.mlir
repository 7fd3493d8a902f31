// lintel-tile: with K = 0 the depth loop still runs once, and so gives every sum
// its zero and every output its epilogue.
// RUN: lintel-opt %s --lintel-tile | FileCheck %s

// CHECK-LABEL: func.func private @layer_block(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[KC:.*]] = arith.constant 1 : index
// CHECK: scf.for %[[K0:.*]] = %[[ZERO]] to %[[ONE]] step %[[KC]] {
// CHECK: %[[LEFT:.*]] = arith.subi %[[ZERO]], %[[K0]] : index
// CHECK: %[[DEPTH:.*]] = arith.minui %[[LEFT]], %[[KC]] : index
// CHECK: %[[END:.*]] = arith.addi %[[K0]], %[[DEPTH]] : index
// CHECK: %[[GOES_ON:.*]] = arith.cmpi ult, %[[END]], %[[ZERO]] : index
// CHECK: %[[LAST:.*]] = arith.xori %[[GOES_ON]], %{{.*}} : i1
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[K0]], %[[ZERO]] : index
// CHECK: call @layer_microkernel_4(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[DEPTH]], %[[FIRST]], %[[LAST]])
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
