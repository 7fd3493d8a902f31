// lintel-to-llvm: bf16 is the integer of its bits where nothing computes with it.
// RUN: lintel-opt %s --lintel-to-llvm | FileCheck %s --implicit-check-not=unrealized_conversion_cast --implicit-check-not=lintel.target

module {
  module attributes {lintel.target = #lintel.target<isa = avx2>} {
    // CHECK-LABEL: llvm.func @moved
    // CHECK-NOT: bf16
    // CHECK-DAG: %[[BITS:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i16
    // CHECK-DAG: %[[HALF:.*]] = llvm.mlir.constant(5.000000e-01 : bf16) : i16
    // CHECK: llvm.select %{{.*}}, %[[BITS]], %[[HALF]] : i1, i16
    // CHECK-NOT: bf16
    // CHECK: llvm.store %{{.*}} : i16, !llvm.ptr
    func.func @moved(%args: !lintel.kernel_args, %c: i1) {
      %x = lintel.kernel_arg %args operand[0] : memref<bf16>
      %y = lintel.kernel_arg %args output[0] : memref<bf16>
      %v = memref.load %x[] : memref<bf16>
      %half = arith.constant 0.5 : bf16
      %r = arith.select %c, %v, %half : bf16
      memref.store %r, %y[] : memref<bf16>
      return
    }

    // CHECK-LABEL: llvm.func @vectors
    // CHECK-NOT: bf16
    // CHECK: %[[BITS:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<8xi16>
    // CHECK: llvm.mlir.constant(dense<5.000000e-01> : vector<8xbf16>) : vector<8xi16>
    // CHECK: llvm.select %{{.*}} : i1, vector<8xi16>
    // CHECK: llvm.intr.masked.store
    // CHECK-SAME: vector<8xi16>
    func.func @vectors(%x: memref<?xbf16>, %c: i1, %mask: vector<8xi1>, %i: index) {
      %v = vector.load %x[%i] : memref<?xbf16>, vector<8xbf16>
      %half = arith.constant dense<0.5> : vector<8xbf16>
      %r = arith.select %c, %v, %half : vector<8xbf16>
      vector.maskedstore %x[%i], %mask, %r : memref<?xbf16>, vector<8xi1>, vector<8xbf16>
      return
    }

    // CHECK-LABEL: llvm.func @widened
    // CHECK: %[[WIDE:.*]] = llvm.zext %{{.*}} : vector<8xi16> to vector<8xi32>
    // CHECK: %[[UPPER:.*]] = llvm.shl %[[WIDE]]
    // CHECK: llvm.bitcast %[[UPPER]] : vector<8xi32> to vector<8xf32>
    func.func @widened(%x: vector<8xbf16>) -> vector<8xf32> {
      %y = arith.extf %x : vector<8xbf16> to vector<8xf32>
      return %y : vector<8xf32>
    }

    // CHECK-LABEL: llvm.func @widened_one
    // CHECK: llvm.shl %{{.*}} : i32
    func.func @widened_one(%x: bf16) -> f32 {
      %y = arith.extf %x : bf16 to f32
      return %y : f32
    }
  }

  // With the extension, and where no target is named, LLVM has the type.
  module attributes {lintel.target = #lintel.target<isa = avx512, extensions = "avx512bf16">} {
    // CHECK-LABEL: llvm.func @rounded
    // CHECK: llvm.fptrunc %{{.*}} : vector<16xf32> to vector<16xbf16>
    func.func @rounded(%x: vector<16xf32>) -> vector<16xbf16> {
      %y = arith.truncf %x : vector<16xf32> to vector<16xbf16>
      return %y : vector<16xbf16>
    }
  }
  // CHECK-LABEL: llvm.func @unknown
  // CHECK: llvm.fpext %{{.*}} : bf16 to f32
  func.func @unknown(%x: bf16) -> f32 {
    %y = arith.extf %x : bf16 to f32
    return %y : f32
  }
  // Vectors of more than one dimension, too.
  module attributes {lintel.target = #lintel.target<isa = x86_64>} {
    // CHECK-LABEL: llvm.func @matrix
    // CHECK-COUNT-2: llvm.shl
    func.func @matrix(%x: vector<2x4xbf16>) -> vector<2x4xf32> {
      %y = arith.extf %x : vector<2x4xbf16> to vector<2x4xf32>
      return %y : vector<2x4xf32>
    }
  }
}
