// On tensors lintel.linear is a value: unused ones go, equal ones are shared. On
// memrefs it reads and writes, so that it stays and keeps its place.
// RUN: lintel-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @unused
// CHECK-NEXT: return
func.func @unused(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// CHECK-LABEL: func.func @equal
// CHECK: %[[Y:.*]] = lintel.linear
// CHECK-NOT: lintel.linear
// CHECK: return %[[Y]], %[[Y]]
func.func @equal(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  %z = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y, %z : tensor<4x16xf32>, tensor<4x16xf32>
}

// The write to %y lies between the loads: the second must not reuse the first.
// CHECK-LABEL: func.func @written
// CHECK: %[[BEFORE:.*]] = memref.load
// CHECK: lintel.linear
// CHECK: %[[AFTER:.*]] = memref.load
// CHECK: return %[[BEFORE]], %[[AFTER]]
func.func @written(%x: memref<4x8xf32>, %w: memref<16x8xf32>, %y: memref<4x16xf32>, %i: index) -> (f32, f32) {
  %before = memref.load %y[%i, %i] : memref<4x16xf32>
  lintel.linear %x, %w outs(%y : memref<4x16xf32>) : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  %after = memref.load %y[%i, %i] : memref<4x16xf32>
  return %before, %after : f32, f32
}

// A weight on a memref may change between two packings.
// CHECK-LABEL: func.func @packed_twice
// CHECK-COUNT-2: lintel.pack
func.func @packed_twice(%w: memref<16x8xf32>, %v: f32, %i: index)
    -> (!lintel.packed<16x8xf32, n = 16, k = 1>, !lintel.packed<16x8xf32, n = 16, k = 1>) {
  %p = lintel.pack %w : memref<16x8xf32> -> !lintel.packed<16x8xf32, n = 16, k = 1>
  memref.store %v, %w[%i, %i] : memref<16x8xf32>
  %q = lintel.pack %w : memref<16x8xf32> -> !lintel.packed<16x8xf32, n = 16, k = 1>
  return %p, %q : !lintel.packed<16x8xf32, n = 16, k = 1>, !lintel.packed<16x8xf32, n = 16, k = 1>
}
