// lintel-to-llvm: what LLVM's dialect says of a loop stays, on the branch back to its test.
// RUN: lintel-opt %s --lintel-to-llvm | FileCheck %s

#unrolled = #llvm.loop_unroll<disable = true>
#hint = #llvm.loop_annotation<unroll = #unrolled, mustProgress = true>

// CHECK-LABEL: llvm.func @hints(
// CHECK: llvm.br ^[[TEST:.*]](%{{.*}} : i64){{$}}
// CHECK: llvm.br ^[[TEST]](%{{.*}} : i64) {loop_annotation = #[[HINT:.*]]}
// CHECK: ^[[TEST]](
// CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^{{.*}}{{$}}
func.func @hints(%m: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<?xf32>
  } {loop_annotation = #hint}
  return
}

// By the name that upstream's tests give it, and beside what is of other dialects.
// CHECK-LABEL: llvm.func @prefixed(
// CHECK: llvm.br ^{{.*}}(%{{.*}} : i64) {llvm.loop_annotation = #[[HINT]]}
func.func @prefixed(%m: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<?xf32>
  } {llvm.loop_annotation = #hint, depth = 3 : i64}
  return
}
