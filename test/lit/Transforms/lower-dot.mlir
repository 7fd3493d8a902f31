// lintel-lower-microkernel: with a group in the schedule vectors run along K, and a
// tree of shuffles adds up the lanes.
// RUN: lintel-opt %s --lintel-lower-microkernel | FileCheck %s

// Two rows and two columns are four accumulators. 40 is two vectors and a half: the
// last loads are masked, of A and of B.
// CHECK-LABEL: func.func @ragged(
// CHECK: %[[SUMS:.*]]:4 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
// CHECK-COUNT-3: vector.load
// CHECK-COUNT-2: vector.fma
// CHECK: vector.load
// CHECK-COUNT-2: vector.fma
// CHECK-NOT: vector.fma
// CHECK: }
// CHECK-COUNT-3: vector.maskedload
// CHECK-COUNT-2: vector.fma
// CHECK: vector.maskedload
// CHECK: %[[A:.*]] = vector.fma
// CHECK: %[[B:.*]] = vector.fma
// Four to two to one, whose halves are then added until each lane is a sum.
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30] : vector<16xf32>, vector<16xf32>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31] : vector<16xf32>, vector<16xf32>
// CHECK: arith.addf
// CHECK: vector.shuffle %[[A]], %[[B]] [0,
// CHECK: vector.shuffle %[[A]], %[[B]] [1,
// CHECK: arith.addf
// CHECK-COUNT-6: vector.shuffle
// CHECK: %[[LAST:.*]] = arith.addf
// CHECK-NOT: vector.shuffle
// CHECK: vector.store %[[LAST]]
// CHECK-NEXT: return
func.func @ragged(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %depth = arith.constant 40 : index
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 4x2, group = 16, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    lintel.yield
  }
  return
}

// Whole vectors need no mask. Six sums of eight lanes fill one vector of eight.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT: maskedload
// CHECK-COUNT-1: vector.store
// CHECK-NOT: vector.store
// CHECK: return
func.func @whole(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %depth = arith.constant 64 : index
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 3, schedule = #lintel.schedule<tile = 3x2, group = 8, epilogue = tile>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    lintel.yield
  }
  return
}

// A depth known only at run time may leave something or nothing.
// CHECK-LABEL: func.func @any_depth(
// CHECK-COUNT-2: vector.maskedload
// CHECK: return
func.func @any_depth(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %depth: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x1, group = 16, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    lintel.yield
  }
  return
}
