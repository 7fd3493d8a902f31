// Operands and outputs of 16-bit floats are read and written in their type.
// RUN: lintel-opt %s --split-input-file --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @registers(
// CHECK-SAME: %[[ARGS:[^:]*]]: !lintel.kernel_args
// CHECK-DAG: lintel.kernel_arg %[[ARGS]] operand[0] : memref<bf16>
// CHECK-DAG: lintel.kernel_arg %[[ARGS]] operand[1] : memref<f16>
// CHECK-DAG: lintel.kernel_arg %[[ARGS]] operand[2] : memref<f32>
// CHECK-DAG: lintel.kernel_arg %[[ARGS]] output[0] : memref<bf16>
// CHECK: vector.maskedload %{{.*}} into vector<16xbf16>
// CHECK: vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK: vector.maskedload %{{.*}} into vector<16xf16>
// CHECK: arith.extf %{{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK: arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
// CHECK: %[[Y:.*]] = arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK: vector.maskedstore %{{.*}}, %[[Y]] : memref<?xbf16,
func.func @registers(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, group = 2>,
                  target = #lintel.target<isa = avx512, extensions = avx512bf16>, broadcasts = ["column", "full", "scalar"]}
      : memref<bf16>, memref<bf16>, memref<f32> {
  ^bb0(%acc: f32, %c: bf16, %f: f16, %z: f32):
    %0 = arith.extf %c : bf16 to f32
    %1 = arith.extf %f : f16 to f32
    %2 = arith.addf %acc, %0 : f32
    %3 = arith.mulf %2, %1 : f32
    %4 = arith.addf %3, %z : f32
    %5 = arith.truncf %4 : f32 to bf16
    lintel.yield %5 : bf16
  }
  return
}

// -----

// A scalar or row operand is put into all lanes as an integer.
// CHECK-LABEL: func.func @broadcast(
// CHECK: %[[E:.*]] = memref.load %{{.*}} : memref<?xbf16,
// CHECK: %[[BITS:.*]] = arith.bitcast %[[E]] : bf16 to i16
// CHECK: %[[LANES:.*]] = vector.broadcast %[[BITS]] : i16 to vector<16xi16>
// CHECK: %[[ROW:.*]] = arith.bitcast %[[LANES]] : vector<16xi16> to vector<16xbf16>
// CHECK: arith.extf %[[ROW]]
func.func @broadcast(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, group = 2>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["row"]}
      : memref<bf16>, memref<bf16>, memref<f32> {
  ^bb0(%acc: f32, %r: bf16):
    %0 = arith.extf %r : bf16 to f32
    %1 = arith.addf %acc, %0 : f32
    lintel.yield %1 : f32
  }
  return
}

// -----

// Two vectors of bf16 fill a line; the stride is one of 16-bit elements.
// CHECK-LABEL: func.func @streamed(
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[STRIDE:.*]] = lintel.kernel_arg %{{.*}} output_stride[0] : index
// CHECK-DAG: arith.muli %[[STRIDE]], %[[C2]] : index
// CHECK: scf.if
// CHECK: vector.store %{{.*}} {alignment = 32 : i64, nontemporal = true} : memref<?xbf16, {{.*}}>, vector<16xbf16>
// CHECK: } else {
// CHECK: vector.maskedstore %{{.*}} : memref<?xbf16,
func.func @streamed(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 1x32, group = 2, epilogue = tile, store = stream>,
                  target = #lintel.target<isa = avx512, extensions = avx512bf16>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    lintel.yield %0 : bf16
  }
  return
}
