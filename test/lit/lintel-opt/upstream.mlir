// Upstream's inliner and conversions find the interfaces they need.
// RUN: lintel-opt %s --inline --symbol-dce | FileCheck %s --check-prefix=INLINE
// RUN: lintel-opt %s --convert-scf-to-cf --convert-to-llvm --reconcile-unrealized-casts | FileCheck %s --check-prefix=LLVM

// INLINE-LABEL: func.func @sum
// INLINE-NOT: call
// INLINE: memref.load
// INLINE-NOT: func.func private
// LLVM-LABEL: llvm.func @sum
// LLVM-NOT: {{(arith|cf|func|index|math|memref|scf|vector)\.}}
// LLVM: llvm.intr.fma
// LLVM: llvm.func @element
func.func @sum(%m: memref<?xf32>, %n: index, %scale: vector<8xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = index.constant 0
  %c1 = arith.constant 1 : index
  %unit = math.fma %scale, %scale, %scale : vector<8xf32>
  %first = vector.extract %unit[0] : f32 from vector<8xf32>
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%s = %first) -> (f32) {
    %e = func.call @element(%m, %i) : (memref<?xf32>, index) -> f32
    %t = arith.addf %s, %e : f32
    scf.yield %t : f32
  }
  return %total : f32
}
func.func private @element(%m: memref<?xf32>, %i: index) -> f32 {
  %e = memref.load %m[%i] : memref<?xf32>
  return %e : f32
}
