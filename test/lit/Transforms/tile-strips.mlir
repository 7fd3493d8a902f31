// lintel-tile: one micro-kernel for each height of tall strips, which a known M has
// one of, and a driver that calls the one that fits.
// RUN: lintel-opt %s --lintel-tile --split-input-file | FileCheck %s

#schedule = #lintel.schedule<tile = 8x16, kc = 32>
#target = #lintel.target<isa = avx512>

// 16 rows are two strips of 8: one micro-kernel, called without asking.
// CHECK-LABEL: func.func private @one_microkernel_8(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[A:[^:]*]]: index, %[[B:[^:]*]]: index, %[[ACC:[^:]*]]: index, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[LDACC:[^:]*]]: index, %[[FIRST:[^:]*]]: i1, %[[LAST:[^:]*]]: i1) {
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[WORKSPACE:.*]] = lintel.kernel_arg %[[ARGS]] workspace : memref<f32>
// CHECK-DAG: %[[X:.*]] = lintel.kernel_arg %[[ARGS]] x : memref<f32>
// CHECK-DAG: %[[LDX:.*]] = lintel.kernel_arg %[[ARGS]] ldx : index
// CHECK-DAG: %[[W:.*]] = lintel.kernel_arg %[[ARGS]] w : memref<f32>
// CHECK: lintel.microkernel %[[ARGS]] a(%[[X]][%[[A]]], %[[LDX]]) b(%[[W]][%[[B]]], %[[DEPTH]]) acc(%[[WORKSPACE]][%[[ACC]]], %[[LDACC]]) first(%[[FIRST]]) last(%[[LAST]]) at(%[[ROW]], %[[COLUMN]]) columns(%[[COLUMNS]])
// CHECK-SAME: broadcasts = ["column"], rows = 8 : i64, schedule = #lintel.schedule<tile = 8x16, {{.*}}>, target = #lintel.target<isa = avx512, {{.*}}>}
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[SUM]], %[[BIAS]] : f32
// CHECK-NEXT: lintel.yield %[[Y]] : f32
// CHECK: return
// CHECK-NOT: func.func private
// CHECK-LABEL: func.func @one(
// CHECK-SAME: %{{.*}}: !lintel.kernel_args, %{{.*}}: i32, %{{.*}}: i32) {
// CHECK-NOT: scf.if
// CHECK: call @one_microkernel_8(
// CHECK-NOT: call
// CHECK: return
func.func @one(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>, %b: tensor<32xf32>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w epilogue(%b : tensor<32xf32>) {schedule = #schedule, target = #target}
      : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32, %bias: f32):
    %0 = arith.addf %acc, %bias : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<16x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x16>
#target = #lintel.target<isa = avx512>

// 20 rows are balanced to strips of 6, 7 and 7: the micro-kernel for 7 serves the
// short one too, reads on into the next strip and stores 6.
// CHECK-NOT: func.func private @two_microkernel_8
// CHECK: func.func private @two_microkernel_7(
// CHECK-SAME: %[[VALID:[^:]*]]: index) {
// CHECK: lintel.microkernel
// CHECK-SAME: valid(%[[VALID]])
// CHECK-SAME: rows = 7 : i64
// CHECK-NOT: func.func private
// CHECK: func.func @two(
// CHECK-NOT: scf.if
// CHECK: call @two_microkernel_7(
// CHECK-NOT: call
// CHECK: return
func.func @two(%x: tensor<20x64xf32>, %w: tensor<32x64xf32>) -> tensor<20x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<20x64xf32>, tensor<32x64xf32>) -> tensor<20x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<20x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 3x16>
#target = #lintel.target<isa = avx512>

// A dynamic M needs them all, and each may meet strips one row shorter.
// CHECK: func.func private @dynamic_microkernel_3(
// CHECK: func.func private @dynamic_microkernel_2(
// CHECK: func.func private @dynamic_microkernel_1(
// CHECK-NOT: func.func private
// CHECK: func.func @dynamic(
// CHECK: call @dynamic_microkernel_3(
// CHECK: } else {
// CHECK: call @dynamic_microkernel_2(
// CHECK: } else {
// CHECK: call @dynamic_microkernel_1(
func.func @dynamic(%x: tensor<?x64xf32>, %w: tensor<32x64xf32>) -> tensor<?x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<?x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x16>
#target = #lintel.target<isa = avx512>

// From 65 rows on, balanced strips of at most 8 rows have 8 or 7.
// CHECK: func.func private @large_microkernel_8(
// CHECK: valid(
// CHECK-NOT: func.func private
// CHECK: func.func @large(
// CHECK-NOT: scf.if
// CHECK: call @large_microkernel_8(
// CHECK-NOT: call
// CHECK: return
func.func @large(%x: tensor<?x64xf32>, %w: tensor<32x64xf32>) -> tensor<?x32xf32> {
  %y = lintel.linear %x, %w {rows = array<i64: 65, 2147483648>, schedule = #schedule, target = #target}
      : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<?x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x16>
#target = #lintel.target<isa = avx512>

// Up to 8 rows are one strip: none is short, three heights are left.
// CHECK: func.func private @few_microkernel_7(
// CHECK-NOT: valid(
// CHECK: func.func private @few_microkernel_6(
// CHECK: func.func private @few_microkernel_5(
// CHECK-NOT: func.func private
// CHECK: func.func @few(
func.func @few(%x: tensor<?x64xf32>, %w: tensor<32x64xf32>) -> tensor<?x32xf32> {
  %y = lintel.linear %x, %w {rows = array<i64: 5, 7>, schedule = #schedule, target = #target}
      : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<?x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 3x16>
#target = #lintel.target<isa = avx512>

// No rows: a kernel all the same, whose loops run zero times.
// CHECK: func.func private @no_rows_microkernel_1(
// CHECK-NOT: func.func private
// CHECK: func.func @no_rows(
func.func @no_rows(%x: tensor<0x64xf32>, %w: tensor<32x64xf32>) -> tensor<0x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<0x64xf32>, tensor<32x64xf32>) -> tensor<0x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<0x32xf32>
}
