// lintel-tile: a function that holds one lintel.pack becomes an SPMD kernel too,
// and a layer may take its weight packed for its own tile.
// RUN: lintel-opt %s --lintel-tile | FileCheck %s

// Three panels of 48 columns hold 100 rows of w: the last is padded with zeros.
// CHECK-LABEL: func.func @pack(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[TID:.*]]: i32, %[[NTHREADS:.*]]: i32) {
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 100 : index
// CHECK-DAG: %[[NR:.*]] = arith.constant 48 : index
// CHECK-DAG: %[[K:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[PANELS:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[W:.*]] = lintel.kernel_arg %[[ARGS]] x : memref<f32>
// CHECK-DAG: %[[LDW:.*]] = lintel.kernel_arg %[[ARGS]] ldx : index
// CHECK-DAG: %[[SOURCE:.*]] = memref.reinterpret_cast %[[W]] to offset: [%{{.*}}], sizes: [100, 32], strides: [%[[LDW]], 1]
// CHECK-DAG: %[[PACKED:.*]] = lintel.kernel_arg %[[ARGS]] output[0] : memref<f32>
// CHECK-DAG: %[[PADDING:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[THREAD:.*]] = arith.index_cast %[[TID]]
// CHECK-DAG: %[[THREADS:.*]] = arith.index_cast %[[NTHREADS]]
// CHECK: scf.for %[[PANEL:.*]] = %[[THREAD]] to %[[PANELS]] step %[[THREADS]] {
// CHECK: %[[FIRST:.*]] = arith.muli %[[PANEL]], %[[NR]] : index
// CHECK: %[[LEFT:.*]] = arith.subi %[[ROWS]], %[[FIRST]] : index
// CHECK: %[[END:.*]] = arith.minui %[[LEFT]], %[[NR]] : index
// CHECK: %[[OFFSET:.*]] = arith.muli %[[FIRST]], %[[K]] : index
// CHECK: %[[TARGET:.*]] = memref.reinterpret_cast %[[PACKED]] to offset: [%[[OFFSET]]], sizes: [32, 48, 1], strides: [48, 1, 1]
// CHECK: scf.for %[[DEPTH:.*]] = %{{.*}} to %[[K]]
// CHECK: scf.for %[[N:.*]] = %{{.*}} to %[[END]]
// CHECK: %[[ROW:.*]] = arith.addi %[[FIRST]], %[[N]] : index
// CHECK: %[[E:.*]] = memref.load %[[SOURCE]][%[[ROW]], %[[DEPTH]]]
// CHECK: memref.store %[[E]], %[[TARGET]][%[[DEPTH]], %[[N]], %{{.*}}]
// CHECK: scf.for %[[PAD:.*]] = %[[END]] to %[[NR]]
// CHECK: memref.store %[[PADDING]], %[[TARGET]][%[[DEPTH]], %[[PAD]], %{{.*}}]
func.func @pack(%w: tensor<100x32xf32>) -> !lintel.packed<100x32xf32, n = 48, k = 1> {
  %p = lintel.pack %w : tensor<100x32xf32> -> !lintel.packed<100x32xf32, n = 48, k = 1>
  return %p : !lintel.packed<100x32xf32, n = 48, k = 1>
}

// Groups of 16 elements of K stay together; the last of three is filled up with zeros.
// CHECK-LABEL: func.func @groups(
// CHECK-DAG: %[[K:.*]] = arith.constant 40 : index
// CHECK-DAG: %[[PADDED:.*]] = arith.constant 48 : index
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [3, 4, 16], strides: [64, 16, 1]
// CHECK: scf.for %[[DEPTH:.*]] = %{{.*}} to %[[K]]
// CHECK: %[[LANE:.*]] = arith.remui %[[DEPTH]]
// CHECK: %[[GROUP:.*]] = arith.divui %[[DEPTH]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[GROUP]], %{{.*}}, %[[LANE]]]
// CHECK: scf.for %{{.*}} = %[[K]] to %[[PADDED]]
func.func @groups(%w: tensor<8x40xf32>) -> !lintel.packed<8x40xf32, n = 4, k = 16> {
  %p = lintel.pack %w : tensor<8x40xf32> -> !lintel.packed<8x40xf32, n = 4, k = 16>
  return %p : !lintel.packed<8x40xf32, n = 4, k = 16>
}

// Integers: K is padded to a cache line, and the sums of columns, zero where there
// is none, stand behind the panels, at byte 2 * 16 * 64 here.
// CHECK-LABEL: func.func @integers(
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [16, 16, 4], strides: [64, 4, 1]
// CHECK: %[[SUMS:.*]] = lintel.kernel_arg %{{.*}} output[0] : memref<i32>
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %c512{{.*}} : index
// CHECK: %[[TO:.*]] = memref.reinterpret_cast %[[SUMS]] to offset: [%[[AT]]], sizes: [16], strides: [1]
// CHECK: scf.for %[[N:.*]] = %{{.*}} to %[[END:.*]] step
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} to %c10{{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (i32)
// CHECK: %[[WIDE:.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK: arith.addi %[[BEFORE]], %[[WIDE]] : i32
// CHECK: memref.store %[[SUM]], %[[TO]][%[[N]]]
// CHECK: scf.for %[[PAD:.*]] = %[[END]] to
// CHECK: memref.store %{{.*}}, %[[TO]][%[[PAD]]]
func.func @integers(%w: tensor<20x10xi8>) -> !lintel.packed<20x10xi8, n = 16, k = 4> {
  %p = lintel.pack %w : tensor<20x10xi8> -> !lintel.packed<20x10xi8, n = 16, k = 4>
  return %p : !lintel.packed<20x10xi8, n = 16, k = 4>
}

// CHECK-LABEL: func.func private @packed_microkernel_4(
// CHECK: lintel.microkernel
// CHECK-LABEL: func.func @packed(
func.func @packed(%x: tensor<4x32xf32>, %w: !lintel.packed<100x32xf32, n = 48, k = 1>) -> tensor<4x100xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 8x48>, target = #lintel.target<isa = avx512>}
      : (tensor<4x32xf32>, !lintel.packed<100x32xf32, n = 48, k = 1>) -> tensor<4x100xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x100xf32>
}
