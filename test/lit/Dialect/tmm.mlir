// Operations on tile registers: print, parse, bytecode; none is dropped, merged or
// moved.
// RUN: lintel-opt %s | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --mlir-print-op-generic | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --emit-bytecode | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --canonicalize --cse --loop-invariant-code-motion --symbol-dce | FileCheck %s

// CHECK-LABEL: func.func @state
// CHECK-NEXT: tmm.config #tmm.config<[16x64, 1x4, 13x60]>
// CHECK-NEXT: tmm.config #tmm.config<[16x64, 1x4, 13x60]>
// CHECK-NEXT: tmm.zero 0
// CHECK-NEXT: tmm.zero 0
// CHECK-NEXT: tmm.release
// CHECK-NEXT: tmm.release
// CHECK-NEXT: return
func.func @state() {
  tmm.config #tmm.config<[16x64, 1x4, 13x60]>
  tmm.config #tmm.config<[16x64, 1x4, 13x60]>
  tmm.zero 0
  tmm.zero 0
  tmm.release
  tmm.release
  return
}

// CHECK-LABEL: func.func @tiles
// CHECK-SAME: %[[A:.*]]: memref<bf16>, %[[C:.*]]: memref<f32>, %[[I:.*]]: index, %[[LD:.*]]: index
// CHECK-NEXT: tmm.load 4, %[[A]][%[[I]]], %[[LD]] : memref<bf16>
// CHECK-NEXT: tmm.load 4, %[[A]][%[[I]]], %[[LD]] : memref<bf16>
// CHECK-NEXT: tmm.load 7, %[[A]][%[[I]]], %[[LD]] hint(streamed) : memref<bf16>
// CHECK-NEXT: tmm.store 0, %[[C]][%[[I]]], %[[LD]] : memref<f32>
// CHECK-NEXT: tmm.store 0, %[[C]][%[[I]]], %[[LD]] {test.note} : memref<f32>
func.func @tiles(%a: memref<bf16>, %c: memref<f32>, %i: index, %ld: index) {
  tmm.load 4, %a[%i], %ld : memref<bf16>
  tmm.load 4, %a[%i], %ld hint(default) : memref<bf16>
  tmm.load 7, %a[%i], %ld hint(streamed) : memref<bf16>
  tmm.store 0, %c[%i], %ld : memref<f32>
  tmm.store 0, %c[%i], %ld {test.note} : memref<f32>
  return
}

// CHECK-LABEL: func.func @element_types
// CHECK-COUNT-4: tmm.load
func.func @element_types(%f16: memref<f16>, %i8: memref<i8>, %i32: memref<i32>, %f32: memref<f32>, %i: index) {
  tmm.load 1, %f16[%i], %i : memref<f16>
  tmm.load 1, %i8[%i], %i : memref<i8>
  tmm.load 1, %i32[%i], %i : memref<i32>
  tmm.load 1, %f32[%i], %i : memref<f32>
  return
}

// CHECK-LABEL: func.func @products
// CHECK-NEXT: tmm.dpbf16 0, 4, 6
// CHECK-NEXT: tmm.dpbf16 0, 4, 6
// CHECK-NEXT: tmm.dpfp16 1, 5, 7
// CHECK-NEXT: tmm.dpbssd 0, 1, 2
// CHECK-NEXT: tmm.dpbsud 0, 1, 2
// CHECK-NEXT: tmm.dpbusd 0, 1, 2
// CHECK-NEXT: tmm.dpbuud 0, 1, 2
// CHECK-NEXT: return
func.func @products() {
  tmm.dpbf16 0, 4, 6
  tmm.dpbf16 0, 4, 6
  tmm.dpfp16 1, 5, 7
  tmm.dpbssd 0, 1, 2
  tmm.dpbsud 0, 1, 2
  tmm.dpbusd 0, 1, 2
  tmm.dpbuud 0, 1, 2
  return
}

// Not hoisted, though its operands do not change; the store keeps its place between
// the loads from memory.
// CHECK-LABEL: func.func @order
// CHECK: scf.for
// CHECK-NEXT: tmm.load
// CHECK-NEXT: %[[BEFORE:.*]] = memref.load
// CHECK-NEXT: tmm.store
// CHECK-NEXT: %[[AFTER:.*]] = memref.load
// CHECK-NEXT: arith.addf %[[BEFORE]], %[[AFTER]]
func.func @order(%c: memref<f32>, %i: index, %n: index) {
  scf.for %k = %i to %n step %i {
    tmm.load 4, %c[%i], %n : memref<f32>
    %before = memref.load %c[] : memref<f32>
    tmm.store 4, %c[%i], %n : memref<f32>
    %after = memref.load %c[] : memref<f32>
    %sum = arith.addf %before, %after : f32
    memref.store %sum, %c[] : memref<f32>
  }
  return
}

// CHECK: func.func private @configured() attributes {tmm.configured = #tmm.config<[16x64]>}
// CHECK: func.func private @untouched() attributes {tmm.untouched}
func.func private @configured() attributes {tmm.configured = #tmm.config<[16x64]>}
func.func private @untouched() attributes {tmm.untouched}
func.func @callers() {
  call @configured() : () -> ()
  call @untouched() : () -> ()
  return
}
