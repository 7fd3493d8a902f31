// lintel-tile: one micro-kernel for each height of tall strips, of which a known M
// has one and may have another of short strips, and a block function that calls the
// one that fits.
// RUN: lintel-opt %s --lintel-tile --split-input-file | FileCheck %s

#schedule = #lintel.schedule<tile = 8x16, kc = 32>
#target = #lintel.target<isa = avx512>

// 16 rows are two strips of 8: one micro-kernel, called without asking.
// CHECK-LABEL: func.func private @one_microkernel_8(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[A:[^:]*]]: index, %[[B:[^:]*]]: index, %[[ACC:[^:]*]]: index, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[FIRST:[^:]*]]: i1, %[[LAST:[^:]*]]: i1) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[WORKSPACE:.*]] = lintel.kernel_arg %[[ARGS]] workspace : memref<f32>
// CHECK-DAG: %[[X:.*]] = lintel.kernel_arg %[[ARGS]] x : memref<f32>
// CHECK-DAG: %[[LDX:.*]] = lintel.kernel_arg %[[ARGS]] ldx : index
// CHECK-DAG: %[[W:.*]] = lintel.kernel_arg %[[ARGS]] w : memref<f32>
// CHECK: lintel.microkernel %[[ARGS]] a(%[[X]][%[[A]]], %[[LDX]]) b(%[[W]][%[[B]]], %[[DEPTH]]) acc(%[[WORKSPACE]][%[[ACC]]], %[[COLUMNS]]) first(%[[FIRST]]) last(%[[LAST]]) at(%[[ROW]], %[[COLUMN]]) columns(%[[COLUMNS]])
// CHECK-SAME: broadcasts = ["column"], rows = 8 : i64, schedule = #lintel.schedule<tile = 8x16, {{.*}}>, target = #lintel.target<isa = avx512, {{.*}}>}
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[SUM]], %[[BIAS]] : f32
// CHECK-NEXT: lintel.yield %[[Y]] : f32
// CHECK: return
// CHECK-NOT: func.func private
// CHECK-LABEL: func.func private @one_block(
// CHECK-NOT: scf.if
// CHECK: call @one_microkernel_8(
// CHECK-NOT: call
// CHECK: return
// CHECK-NOT: func.func private
// CHECK-LABEL: func.func @one(
// CHECK-SAME: %{{[^:]*}}: !lintel.kernel_args, %{{[^:]*}}: i32, %{{[^:]*}}: i32) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
// CHECK: call @one_block(
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
// CHECK-SAME: %[[VALID:[^:]*]]: index) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: lintel.microkernel
// CHECK-SAME: valid(%[[VALID]])
// CHECK-SAME: rows = 7 : i64
// CHECK-NOT: func.func private
// CHECK: func.func private @two_block(
// CHECK-SAME: index, %[[BASE_ROWS:[^:,]*]]: index, %[[SHORT_STRIPS:[^:,]*]]: index, %{{[^:,]*}}: index) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NOT: scf.if
// CHECK: %[[BASES:.*]] = arith.muli %[[STRIP:.*]], %[[BASE_ROWS]] : index
// CHECK: %[[NOT_SHORT:.*]] = arith.maxui %[[STRIP]], %[[SHORT_STRIPS]] : index
// CHECK: %[[TALL_ONES:.*]] = arith.subi %[[NOT_SHORT]], %[[SHORT_STRIPS]] : index
// CHECK: %[[ROW:.*]] = arith.addi %[[BASES]], %[[TALL_ONES]] : index
// CHECK: %[[IS_SHORT:.*]] = arith.cmpi ugt, %[[SHORT_STRIPS]], %[[STRIP]] : index
// CHECK: %[[TALL_ROWS:.*]] = arith.addi %[[BASE_ROWS]], %[[ONE]] : index
// CHECK: %[[ROWS:.*]] = arith.select %[[IS_SHORT]], %[[BASE_ROWS]], %[[TALL_ROWS]] : index
// CHECK-NOT: scf.if
// CHECK: call @two_microkernel_7(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[ROW]], %{{[^,]*}}, %[[ROWS]]) :
// CHECK-NOT: call
// CHECK: return
// CHECK-NOT: func.func private
// CHECK: func.func @two(
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
// CHECK: func.func private @dynamic_prefetch(
// CHECK-NOT: func.func private
// CHECK: func.func private @dynamic_block(
// CHECK-SAME: , %[[TALL_ROWS:[^:,]*]]: index) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: %[[HAS_THREE:.*]] = arith.cmpi eq, %[[TALL_ROWS]], %[[THREE]] : index
// CHECK-NEXT: scf.if %[[HAS_THREE]] {
// CHECK-NEXT: call @dynamic_microkernel_3(
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[HAS_TWO:.*]] = arith.cmpi eq, %[[TALL_ROWS]], %[[TWO]] : index
// CHECK-NEXT: scf.if %[[HAS_TWO]] {
// CHECK-NEXT: call @dynamic_microkernel_2(
// CHECK-NEXT: } else {
// CHECK-NEXT: call @dynamic_microkernel_1(
// CHECK-NOT: call
// CHECK: return
// CHECK-NOT: func.func private
// The height is found once, by the driver: one row more than the base if any strip
// has it.
// CHECK: func.func @dynamic(
// CHECK: %[[M:.*]] = lintel.kernel_arg %{{.*}} m : index
// CHECK: %[[BASE_ROWS:.*]] = arith.index_castui %{{.*}} : i32 to index
// CHECK: %[[ROWS_OF_BASE:.*]] = arith.muli %[[BASE_ROWS]], %{{.*}} : index
// CHECK: %[[TALL_STRIPS:.*]] = arith.subi %[[M]], %[[ROWS_OF_BASE]] : index
// CHECK: %[[ONE_IF_ANY:.*]] = arith.minui %[[TALL_STRIPS]], %{{.*}} : index
// CHECK: %[[TALL_ROWS:.*]] = arith.addi %[[BASE_ROWS]], %[[ONE_IF_ANY]] : index
// CHECK: call @dynamic_block({{.*}}, %[[TALL_ROWS]]) :
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
// CHECK: func.func private @large_prefetch(
// CHECK-NOT: func.func private
// CHECK: func.func private @large_block(
// CHECK-NOT: @large_microkernel
// CHECK: call @large_prefetch(
// CHECK-NEXT: }
// CHECK-NOT: scf.if
// CHECK: call @large_microkernel_8(
// CHECK-NOT: call
// CHECK: return
// CHECK-NOT: func.func private
// CHECK: func.func @large(
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
// CHECK: func.func private @few_block(
// CHECK: call @few_microkernel_7(
// CHECK: call @few_microkernel_6(
// CHECK: call @few_microkernel_5(
// CHECK-NOT: call
// CHECK: return
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
// CHECK: func.func private @no_rows_block(
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

// -----

#schedule = #lintel.schedule<tile = 8x16, pack = block>
#target = #lintel.target<isa = avx512>

// 33 rows are strips of 6, 6, 7, 7 and 7. Two rows of 35 for nothing are more than
// 5 %: the short strips are packed as they are and have a micro-kernel of their
// own, and no row is left to spare.
// CHECK: func.func private @own_microkernel_7(
// CHECK-NOT: valid(
// CHECK: rows = 7 : i64
// CHECK: func.func private @own_microkernel_6(
// CHECK-NOT: valid(
// CHECK: rows = 6 : i64
// CHECK: func.func private @own_pack(
// CHECK-SAME: %{{[^:]*}}: !lintel.kernel_args, %{{[^:]*}}: index, %[[ROWS:[^:]*]]: index,
// CHECK: arith.muli %[[ROWS]]
// CHECK: func.func private @own_block(
// CHECK-DAG: %[[SEVEN:.*]] = arith.constant 7 : index
// CHECK: %[[SHORT:.*]] = arith.cmpi ugt, %[[SHORT_STRIPS:.*]], %[[STRIP:.*]] : index
// CHECK: %[[OF_STRIP:.*]] = arith.select %[[SHORT]], %[[BASE_ROWS:.*]], %{{.*}} : index
// CHECK: call @own_pack(%{{.*}}, %{{.*}}, %[[OF_STRIP]],
// CHECK: %[[OF_TILE:.*]] = arith.select %{{.*}}, %[[BASE_ROWS]], %{{.*}} : index
// CHECK: %[[IS_TALL:.*]] = arith.cmpi eq, %[[OF_TILE]], %[[SEVEN]] : index
// CHECK: scf.if %[[IS_TALL]] {
// CHECK-NEXT: call @own_microkernel_7(
// CHECK-NEXT: } else {
// CHECK-NEXT: call @own_microkernel_6(
func.func @own(%x: tensor<33x64xf32>, %w: tensor<32x64xf32>) -> tensor<33x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<33x64xf32>, tensor<32x64xf32>) -> tensor<33x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<33x32xf32>
}
