// lintel-lower-microkernel with sums of f16: runs of 64 elements of K, each added
// to the sums of f32 in memory.
// RUN: lintel-opt %s --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// A depth of whole runs: each takes 64 steps, of 32 columns and one row. The first
// block of K begins with zeros in memory, every run with zeros in registers.
// CHECK-LABEL: func.func @whole_runs(
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK-DAG: %[[HALF_ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<32xf16>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[C192:.*]] = arith.constant 192 : index
// CHECK-NOT: scf.if
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %{{.*}} sizes: [1, 32], strides: [%{{.*}}, 1]
// CHECK: vector.store %[[ZEROS]], %[[SUMS]][%[[C0]], %[[C0]]]
// CHECK: vector.store %[[ZEROS]], %[[SUMS]][%[[C0]], %[[C16]]]
// CHECK: scf.for %[[BEGIN:[a-z0-9_]*]] = %[[C0]] to %[[C192]] step %[[C64]] {
// CHECK-NOT: arith.minui
// CHECK: %[[END:.*]] = arith.addi %[[BEGIN]], %[[C64]] : index
// CHECK: %[[HALVES:.*]] = scf.for %[[K:[a-z0-9_]*]] = %[[BEGIN]] to %[[END]] step %[[C1]] iter_args(%[[S:.*]] = %[[HALF_ZEROS]]) -> (vector<32xf16>)
// CHECK: %[[B:.*]] = vector.load %{{.*}}[%[[K]], %[[C0]]] : {{.*}}, vector<32xf16>
// CHECK: %[[A:.*]] = memref.load %{{.*}}[%[[C0]], %[[K]]]
// CHECK: %[[LANES:.*]] = vector.broadcast %[[A]] : f16 to vector<32xf16>
// CHECK: %[[SUM:.*]] = vector.fma %[[LANES]], %[[B]], %[[S]] : vector<32xf16>
// CHECK: scf.yield %[[SUM]]
// CHECK: %[[LOW:.*]] = vector.shuffle %[[HALVES]], %[[HALVES]] [0, 1, 2, {{.*}} 15]
// CHECK: %[[WIDE_LOW:.*]] = arith.extf %[[LOW]] : vector<16xf16> to vector<16xf32>
// CHECK: %[[BEFORE:.*]] = vector.load %[[SUMS]][%[[C0]], %[[C0]]] : {{.*}}, vector<16xf32>
// CHECK: %[[AFTER:.*]] = arith.addf %[[BEFORE]], %[[WIDE_LOW]]
// CHECK: vector.store %[[AFTER]], %[[SUMS]][%[[C0]], %[[C0]]]
// CHECK: vector.shuffle %[[HALVES]], %[[HALVES]] [16, 17, {{.*}} 31]
// CHECK: vector.load %[[SUMS]][%[[C0]], %[[C16]]]
// CHECK: vector.store %{{.*}}, %[[SUMS]][%[[C0]], %[[C16]]]
// CHECK-NOT: vector.fma
// CHECK: return
func.func @whole_runs(%args: !lintel.kernel_args, %a: memref<f16>, %b: memref<f16>, %s: memref<f32>, %i: index) {
  %true = arith.constant true
  %depth = arith.constant 192 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x32, accumulate = f16, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512fp16>, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}

// Any depth: the last run ends where K does. Later blocks of K add to the sums
// that are there.
// CHECK-LABEL: func.func @last_run_is_shorter(
// CHECK-SAME: %[[DEPTH:[^:]*]]: index, %[[FIRST:[^:]*]]: i1)
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK: scf.if %[[FIRST]] {
// CHECK-COUNT-8: vector.store
// CHECK-NEXT: }
// CHECK: scf.for %[[BEGIN:[a-z0-9_]*]] = %{{.*}} to %[[DEPTH]] step %[[C64]] {
// CHECK: %[[FULL:.*]] = arith.addi %[[BEGIN]], %[[C64]] : index
// CHECK: %[[END:.*]] = arith.minui %[[FULL]], %[[DEPTH]] : index
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %[[BEGIN]] to %[[END]] step
// CHECK-COUNT-2: vector.load %{{.*}}[%[[K]], %{{.*}}] : {{.*}}, vector<32xf16>
// CHECK: memref.load %{{.*}}[%[[K]], %{{.*}}]
// CHECK-COUNT-4: vector.fma {{.*}} : vector<32xf16>
// CHECK: scf.yield
// CHECK-COUNT-8: arith.addf {{.*}} : vector<16xf32>
// CHECK: return
func.func @last_run_is_shorter(%args: !lintel.kernel_args, %a: memref<f16>, %b: memref<f16>, %s: memref<f32>, %i: index, %depth: index, %first: i1) {
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %i) first(%first) last(%first) at(%i, %i) columns(%i)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 2x64, accumulate = f16, epilogue = tile, pack = block>,
                  target = #lintel.target<isa = avx512, extensions = avx512fp16>, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}
