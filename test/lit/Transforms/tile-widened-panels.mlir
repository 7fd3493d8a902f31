// lintel-tile: panels of a narrow weight are widened before strips pass them.
// RUN: lintel-opt %s --lintel-tile --canonicalize --cse | FileCheck %s

// What multiplies is a micro-kernel of f32; the next panel is in w.
// CHECK-LABEL: func.func private @panels_microkernel_4(
// CHECK-DAG: %[[WORKSPACE:.*]] = lintel.kernel_arg %{{.*}} workspace : memref<f32>
// CHECK-DAG: %[[W:.*]] = lintel.kernel_arg %{{.*}} w : memref<bf16>
// CHECK: lintel.microkernel %{{.*}} a(%[[WORKSPACE]][{{.*}} b(%[[WORKSPACE]][{{.*}} next_in(%[[W]] : memref<bf16>) {{.*}} schedule = #lintel.schedule<tile = 4x32, share = 1, pack = none,
// CHECK-SAME: : memref<f32>, memref<f32>, memref<f32> {

// CHECK-LABEL: func.func private @panels_widen(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[FROM:.*]]: index, %[[DEPTH:.*]]: index, %[[TO:.*]]: index) {
// CHECK: %[[W:.*]] = lintel.kernel_arg %[[ARGS]] w : memref<bf16>
// CHECK: %[[NARROW:.*]] = memref.reinterpret_cast %[[W]] to offset: [%[[FROM]]], sizes: [%[[PAIRS:.*]], 64], strides: [64, 1]
// CHECK: %[[WIDE:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%[[TO]]], sizes: [%{{.*}}, 32], strides: [32, 1] : memref<f32>
// CHECK: scf.for %[[PAIR:.*]] = %{{.*}} to %[[PAIRS]]
// CHECK: vector.load %[[NARROW]][%[[PAIR]], %{{.*}}] : {{.*}}, vector<32xbf16>
// CHECK: arith.shli
// CHECK: arith.andi
// CHECK: vector.store %{{.*}}, %[[WIDE]]
// CHECK: vector.store %{{.*}}, %[[WIDE]]

// Before the first strip of the block.
// CHECK-LABEL: func.func private @panels_block(
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[AT:.*]], %{{.*}} : index
// CHECK: scf.if %[[FIRST]] {
// CHECK: call @panels_widen(
// CHECK: }
// CHECK: call @panels_microkernel_4(

// Sums of a tile, 4 x 32, then the panel, 66 elements of K by 32 columns, then
// packed rows.
// CHECK-LABEL: func.func @panels(
// CHECK: %[[PANEL:.*]] = arith.addi %[[SUMS:[a-z0-9]*]], %c128 : index
// CHECK: %[[PACKED:.*]] = arith.addi %[[SUMS]], %c2240 : index
// CHECK: func.call @panels_block({{.*}}, %[[SUMS]], %[[PANEL]], %[[PACKED]], %{{[a-z0-9]*}})
func.func @panels(%x: tensor<64x65xbf16>, %w: tensor<64x65xbf16>) -> tensor<64x64xf32> {
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 4x32, group = 2, share = 1, pack = block, widen = panel, epilogue = tile, tiles = nm>, target = #lintel.target<isa = avx512>}
      : (tensor<64x65xbf16>, tensor<64x65xbf16>) -> tensor<64x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x64xf32>
}
