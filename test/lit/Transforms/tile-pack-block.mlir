// lintel-tile with pack = block: a function that copies one strip of x, called
// before the tiles that read it, and micro-kernels that read the copy.
// RUN: lintel-opt %s --lintel-tile | FileCheck %s

// CHECK-LABEL: func.func private @layer_microkernel_8(
// CHECK-NOT: kernel_arg %{{.*}} x
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[WORKSPACE:.*]] = lintel.kernel_arg %{{.*}} workspace : memref<f32>
// CHECK: lintel.microkernel %{{.*}} a(%[[WORKSPACE]][%{{.*}}], %[[ROWS]])
// CHECK-SAME: acc(%[[WORKSPACE]][

// CHECK-LABEL: func.func private @layer_pack(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[ROW:.*]]: index, %[[STRIP:.*]]: index, %[[K0:.*]]: index, %[[DEPTH:.*]]: index, %[[TO:.*]]: index) {
// CHECK-DAG: %[[LDX:.*]] = lintel.kernel_arg %[[ARGS]] ldx : index
// CHECK-DAG: %[[X:.*]] = lintel.kernel_arg %[[ARGS]] x : memref<f32>
// CHECK: %[[SKIPPED:.*]] = arith.muli %[[ROW]], %[[LDX]] : index
// CHECK: %[[FROM:.*]] = arith.addi %[[SKIPPED]], %[[K0]] : index
// CHECK: %[[SOURCE:.*]] = memref.reinterpret_cast %[[X]] to offset: [%[[FROM]]], sizes: [%[[STRIP]], %[[DEPTH]]], strides: [%[[LDX]], 1]
// CHECK: %[[TARGET:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%[[TO]]], sizes: [%[[DEPTH]], %[[STRIP]]], strides: [%[[STRIP]], 1]
// CHECK: scf.for %[[R:.*]] = %{{.*}} to %[[STRIP]]
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[DEPTH]]
// CHECK-NEXT: %[[E:.*]] = memref.load %[[SOURCE]][%[[R]], %[[K]]]
// CHECK-NEXT: memref.store %[[E]], %[[TARGET]][%[[K]], %[[R]]]

// CHECK-LABEL: func.func @layer(
// CHECK: %[[N_OUTER:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// A block is packed again only if the one before was another.
// CHECK: %[[OFTEN:.*]] = arith.ori %{{.*}}, %{{.*}} : i1
// CHECK: %[[NEEDED:.*]] = arith.ori %{{.*}}, %[[OFTEN]] : i1
// CHECK: scf.if %[[NEEDED]] {
// CHECK: scf.for
// CHECK: func.call @layer_pack(
// CHECK: func.call @layer_microkernel_8(
// CHECK-NOT: call @layer_pack
func.func @layer(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 8x16, pack = block, kc = 32>, target = #lintel.target<isa = avx512>}
      : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}
