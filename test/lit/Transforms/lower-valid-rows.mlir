// lintel-lower-microkernel: a short strip keeps the last row of the tile to itself.
// RUN: lintel-opt %s --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @short(
// CHECK-SAME: %[[VALID:[^:]*]]: index) {
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : index
// All three rows are computed.
// CHECK: %[[SUMS:.*]]:4 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, index)
// Two are stored in any case.
// CHECK: vector.maskedstore {{.*}}, %[[SUMS]]#0
// CHECK: vector.maskedstore {{.*}}, %[[SUMS]]#1
// CHECK-NOT: vector.maskedstore
// The third only if it belongs to the strip.
// CHECK: %[[TALL:.*]] = arith.cmpi eq, %[[VALID]], %[[THREE]] : index
// CHECK: scf.if %[[TALL]] {
// CHECK: vector.maskedstore {{.*}}, %[[SUMS]]#2
// CHECK-NOT: vector.maskedstore
// CHECK: return
func.func @short(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %valid: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%true) last(%true)
      at(%i, %i) columns(%i) valid(%valid)
      attributes {rows = 3, schedule = #lintel.schedule<tile = 3x16>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}
