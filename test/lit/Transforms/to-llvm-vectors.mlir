// lintel-to-llvm loads and stores vectors as aligned as their elements, those of
// 16-bit floats as integers.
// RUN: lintel-opt %s --lintel-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func @vectors(
// CHECK: %[[BITS:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr -> vector<32xi16>
// CHECK: %[[VALUE:.*]] = llvm.bitcast %[[BITS]] : vector<32xi16> to vector<32xbf16>
// CHECK: %[[BACK:.*]] = llvm.bitcast %[[VALUE]] : vector<32xbf16> to vector<32xi16>
// CHECK: llvm.store %[[BACK]], %{{.*}} {alignment = 64 : i64, nontemporal} : vector<32xi16>, !llvm.ptr
func.func @vectors(%args: !lintel.kernel_args, %i: index) {
  %m = lintel.kernel_arg %args x : memref<bf16>
  %v = memref.reinterpret_cast %m to offset: [%i], sizes: [64], strides: [1] : memref<bf16> to memref<64xbf16, strided<[1], offset: ?>>
  %0 = vector.load %v[%i] : memref<64xbf16, strided<[1], offset: ?>>, vector<32xbf16>
  vector.store %0, %v[%i] {alignment = 64 : i64, nontemporal = true} : memref<64xbf16, strided<[1], offset: ?>>, vector<32xbf16>
  return
}

// CHECK-LABEL: llvm.func @masked(
// CHECK: %[[REST:.*]] = llvm.bitcast %{{.*}} : vector<16xf16> to vector<16xi16>
// CHECK: %[[BITS:.*]] = llvm.intr.masked.load %{{.*}}, %{{.*}}, %[[REST]] {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xi16>) -> vector<16xi16>
// CHECK: %[[VALUE:.*]] = llvm.bitcast %[[BITS]] : vector<16xi16> to vector<16xf16>
// CHECK: %[[BACK:.*]] = llvm.bitcast %[[VALUE]] : vector<16xf16> to vector<16xi16>
// CHECK: llvm.intr.masked.store %[[BACK]], %{{.*}}, %{{.*}} {alignment = 2 : i32}
func.func @masked(%args: !lintel.kernel_args, %i: index, %mask: vector<16xi1>, %rest: vector<16xf16>) {
  %m = lintel.kernel_arg %args x : memref<f16>
  %v = memref.reinterpret_cast %m to offset: [%i], sizes: [64], strides: [1] : memref<f16> to memref<64xf16, strided<[1], offset: ?>>
  %0 = vector.maskedload %v[%i], %mask, %rest : memref<64xf16, strided<[1], offset: ?>>, vector<16xi1>, vector<16xf16> into vector<16xf16>
  vector.maskedstore %v[%i], %mask, %0 : memref<64xf16, strided<[1], offset: ?>>, vector<16xi1>, vector<16xf16>
  return
}

// What accesses say of their alignment is kept, also where it is less.
// CHECK-LABEL: llvm.func @aligned(
// CHECK: llvm.intr.masked.load {{.*}} {alignment = 1 : i32}
// CHECK: llvm.intr.masked.store {{.*}} {alignment = 32 : i32}
// CHECK: llvm.load {{.*}} {alignment = 1 : i64}
// CHECK: llvm.store {{.*}} {alignment = 32 : i64}
func.func @aligned(%m: memref<?xf32>, %i: index, %mask: vector<8xi1>, %rest: vector<8xf32>) {
  %0 = vector.maskedload %m[%i], %mask, %rest {alignment = 1 : i64} : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.maskedstore %m[%i], %mask, %0 {alignment = 32 : i64} : memref<?xf32>, vector<8xi1>, vector<8xf32>
  %1 = vector.load %m[%i] {alignment = 1 : i64} : memref<?xf32>, vector<8xf32>
  vector.store %1, %m[%i] {alignment = 32 : i64} : memref<?xf32>, vector<8xf32>
  return
}

// Other vectors are what they are.
// CHECK-LABEL: llvm.func @floats(
// CHECK: %[[VALUE:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK-NEXT: return %[[VALUE]]
func.func @floats(%args: !lintel.kernel_args, %i: index) -> vector<16xf32> {
  %m = lintel.kernel_arg %args x : memref<f32>
  %v = memref.reinterpret_cast %m to offset: [%i], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1], offset: ?>>
  %0 = vector.load %v[%i] : memref<64xf32, strided<[1], offset: ?>>, vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: llvm.func @bytes(
// CHECK: %[[VALUE:.*]] = llvm.intr.masked.load %{{.*}}, %{{.*}}, %{{.*}} {alignment = 1 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xi8>) -> vector<16xi8>
// CHECK: llvm.store %[[VALUE]], %{{.*}} {alignment = 1 : i64} : vector<16xi8>, !llvm.ptr
func.func @bytes(%args: !lintel.kernel_args, %i: index, %mask: vector<16xi1>, %rest: vector<16xi8>) {
  %m = lintel.kernel_arg %args x : memref<i8>
  %v = memref.reinterpret_cast %m to offset: [%i], sizes: [64], strides: [1] : memref<i8> to memref<64xi8, strided<[1], offset: ?>>
  %0 = vector.maskedload %v[%i], %mask, %rest : memref<64xi8, strided<[1], offset: ?>>, vector<16xi1>, vector<16xi8> into vector<16xi8>
  vector.store %0, %v[%i] : memref<64xi8, strided<[1], offset: ?>>, vector<16xi8>
  return
}

// What has no size in bits is left to MLIR's own patterns.
// CHECK-LABEL: llvm.func @indices(
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> vector<8xi64>
func.func @indices(%v: memref<64xindex>, %i: index) -> vector<8xindex> {
  %0 = vector.load %v[%i] : memref<64xindex>, vector<8xindex>
  return %0 : vector<8xindex>
}
