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
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[C192:.*]] = arith.constant 192 : index
// CHECK-NOT: scf.if
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %{{.*}} sizes: [1, 32], strides: [%{{.*}}, 1]
// CHECK: vector.store %[[ZEROS]], %[[SUMS]][%[[C0]], %[[C0]]]
// CHECK: vector.store %[[ZEROS]], %[[SUMS]][%[[C0]], %[[C16]]]
// CHECK: scf.for %[[BEGIN:[a-z0-9_]*]] = %[[C0]] to %[[C192]] step %[[C64]] {
// CHECK-NOT: arith.minui
// CHECK: %[[END:.*]] = arith.addi %[[BEGIN]], %[[C64]] : index
// B begins where the run does, and goes on a row of 32 columns a step.
// CHECK: %[[B_BEGIN:.*]] = arith.muli %[[BEGIN]], %[[C32]] : index
// CHECK: %[[OUT:.*]]:2 = scf.for %[[K:[a-z0-9_]*]] = %[[BEGIN]] to %[[END]] step %[[C1]] iter_args(%[[S:.*]] = %[[HALF_ZEROS]], %[[AT:.*]] = %[[B_BEGIN]]) -> (vector<32xf16>, index)
// CHECK: %[[B:.*]] = vector.load %{{.*}}[%[[AT]], %[[C0]]] : {{.*}}, vector<32xf16>
// CHECK: %[[A:.*]] = memref.load %{{.*}}[%[[K]], %[[C0]]]
// CHECK: %[[LANES:.*]] = vector.broadcast %[[A]] : f16 to vector<32xf16>
// CHECK: %[[SUM:.*]] = vector.fma %[[LANES]], %[[B]], %[[S]] : vector<32xf16>
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %[[C32]] : index
// CHECK: scf.yield %[[SUM]], %[[NEXT]] :
// CHECK: %[[LOW:.*]] = vector.shuffle %[[OUT]]#0, %[[OUT]]#0 [0, 1, 2, {{.*}} 15]
// CHECK: %[[WIDE_LOW:.*]] = arith.extf %[[LOW]] : vector<16xf16> to vector<16xf32>
// CHECK: %[[BEFORE:.*]] = vector.load %[[SUMS]][%[[C0]], %[[C0]]] : {{.*}}, vector<16xf32>
// CHECK: %[[AFTER:.*]] = arith.addf %[[BEFORE]], %[[WIDE_LOW]]
// CHECK: vector.store %[[AFTER]], %[[SUMS]][%[[C0]], %[[C0]]]
// CHECK: vector.shuffle %[[OUT]]#0, %[[OUT]]#0 [16, 17, {{.*}} 31]
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
// that are there. A is packed: two rows and 64 columns a step.
// CHECK-LABEL: func.func @last_run_is_shorter(
// CHECK-SAME: %[[DEPTH:[^:]*]]: index, %[[FIRST:[^:]*]]: i1)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK: scf.if %[[FIRST]] {
// CHECK-COUNT-8: vector.store
// CHECK-NEXT: }
// CHECK: scf.for %[[BEGIN:[a-z0-9_]*]] = %{{.*}} to %[[DEPTH]] step %[[C64]] {
// CHECK: %[[FULL:.*]] = arith.addi %[[BEGIN]], %[[C64]] : index
// CHECK: %[[END:.*]] = arith.minui %[[FULL]], %[[DEPTH]] : index
// CHECK: %[[A_BEGIN:.*]] = arith.muli %[[BEGIN]], %[[C2]] : index
// CHECK: %[[B_BEGIN:.*]] = arith.muli %[[BEGIN]], %[[C64]] : index
// CHECK: scf.for %{{[a-z0-9_]*}} = %[[BEGIN]] to %[[END]] step {{.*}}, %[[AT:[a-z0-9]*]] = %[[A_BEGIN]], %[[B_AT:[a-z0-9]*]] = %[[B_BEGIN]])
// CHECK: vector.load %{{.*}}[%[[B_AT]], %[[C0]]] : {{.*}}, vector<32xf16>
// CHECK: vector.load %{{.*}}[%[[B_AT]], %[[C32]]] : {{.*}}, vector<32xf16>
// CHECK: memref.load %[[X:.*]][%[[AT]], %[[C0]]]
// CHECK-COUNT-2: vector.fma {{.*}} : vector<32xf16>
// CHECK: memref.load %[[X]][%[[AT]], %[[C1]]]
// CHECK-COUNT-2: vector.fma {{.*}} : vector<32xf16>
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %[[C2]] : index
// CHECK: %[[B_NEXT:.*]] = arith.addi %[[B_AT]], %[[C64]] : index
// CHECK: scf.yield {{.*}}, %[[NEXT]], %[[B_NEXT]] :
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

// Rows in place: their second group begins in each run four rows below its first.
// CHECK-LABEL: func.func @groups(
// CHECK-SAME: %[[LDA:[^:, ]*]]: index) {
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: scf.for %[[BEGIN:[a-z0-9_]*]] =
// CHECK: %[[APART:.*]] = arith.muli %[[LDA]], %[[C4]] : index
// CHECK: %[[BELOW:.*]] = arith.addi %[[BEGIN]], %[[APART]] : index
// CHECK: scf.for %{{[a-z0-9_]*}} = %[[BEGIN]] to {{.*}}, %{{[a-z0-9]*}} = %[[BELOW]], %{{[a-z0-9]*}} = %{{[a-z0-9]*}}) ->
func.func @groups(%args: !lintel.kernel_args, %a: memref<f16>, %b: memref<f16>, %s: memref<f32>, %i: index, %lda: index) {
  %true = arith.constant true
  %depth = arith.constant 192 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x32, accumulate = f16, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512fp16>, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}
