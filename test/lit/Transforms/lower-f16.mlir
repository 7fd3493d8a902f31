// lintel-lower-microkernel on f16: one element of K a step, widened to f32.
// RUN: lintel-opt %s --split-input-file --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @converted(
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %c0 to %c33 step %c1 iter_args(%[[S:.*]] = %{{.*}}, %[[AT:.*]] = %c0) -> (vector<8xf32>, index)
// CHECK: %[[B:.*]] = vector.load %{{.*}}[%[[AT]], %c0] : {{.*}}, vector<8xf16>
// CHECK: %[[WIDE_B:.*]] = arith.extf %[[B]] : vector<8xf16> to vector<8xf32>
// CHECK: %[[A:.*]] = memref.load %{{.*}}[%[[K]], %c0]
// CHECK: %[[LANES:.*]] = vector.broadcast %[[A]] : f16 to vector<8xf16>
// CHECK: %[[WIDE_A:.*]] = arith.extf %[[LANES]] : vector<8xf16> to vector<8xf32>
// CHECK: %[[SUM:.*]] = vector.fma %[[WIDE_A]], %[[WIDE_B]], %[[S]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %c8 : index
// CHECK: scf.yield %[[SUM]], %[[NEXT]] :
// CHECK-NOT: scf.if
// CHECK: return
func.func @converted(%args: !lintel.kernel_args, %a: memref<f16>, %b: memref<f16>, %s: memref<f32>, %i: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 33 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x8, epilogue = tile>,
                  target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}

// Rows that were widened as they were packed; a known distance between them is
// part of the address.
// CHECK-LABEL: func.func @packed(
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %c0 to %c33 step %c1
// CHECK: arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
// CHECK-NOT: arith.extf
// CHECK: %[[A0:.*]] = memref.load %[[X:.*]][%[[K]], %c0] : memref<96x96xf32,
// CHECK: vector.broadcast %[[A0]] : f32 to vector<8xf32>
// CHECK: %[[A1:.*]] = memref.load %[[X]][%[[K]], %c48] : memref<96x96xf32,
// CHECK: vector.broadcast %[[A1]] : f32 to vector<8xf32>
// CHECK: return
func.func @packed(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f16>, %s: memref<f32>, %i: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 33 : index
  %lda = arith.constant 48 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 2x8, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f16>, memref<f32> {
  }
  return
}

// -----

// SSE2 has no conversions: integer arithmetic rebiases the exponent.
// CHECK-LABEL: func.func @rebiased(
// CHECK-NOT: arith.extf
// CHECK: vector.load %{{.*}} : {{.*}}, vector<4xf16>
// CHECK: arith.bitcast %{{.*}} : vector<4xf16> to vector<4xi16>
// CHECK: arith.extui %{{.*}} : vector<4xi16> to vector<4xi32>
// CHECK-NOT: arith.extf
// CHECK: return
func.func @rebiased(%args: !lintel.kernel_args, %a: memref<f16>, %b: memref<f16>, %s: memref<f32>, %i: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 33 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x4, epilogue = tile>,
                  target = #lintel.target<isa = x86_64>, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}

// -----

// Arithmetic in f16 is used where the schedule says so, and nowhere else.
// CHECK-LABEL: func.func @widened_beside_half_arithmetic(
// CHECK: vector.fma {{.*}} : vector<16xf32>
// CHECK: return
func.func @widened_beside_half_arithmetic(%args: !lintel.kernel_args, %a: memref<f16>, %b: memref<f16>, %s: memref<f32>, %i: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 33 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512fp16>, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}
