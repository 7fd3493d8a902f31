// lintel-tile with kc = whole: every sum is finished in one K block, so depth and
// order are constants in the micro-kernel and the block function has no K loop.
// RUN: lintel-opt %s --lintel-tile --split-input-file \
// RUN:   | FileCheck %s --implicit-check-not='kernel_arg %{{.*}} kc :'

#schedule = #lintel.schedule<tile = 8x16>
#target = #lintel.target<isa = avx512>

// CHECK-LABEL: func.func private @registers_microkernel_8(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[A:[^:]*]]: index, %[[B:[^:]*]]: index, %[[ACC:[^:]*]]: index, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK-DAG: %[[K:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[NR:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[FIRST:.*]] = arith.constant true
// CHECK-DAG: %[[LAST:.*]] = arith.constant true
// CHECK: lintel.microkernel %[[ARGS]] a(%{{.*}}[%[[A]]], %{{.*}}) b(%{{.*}}[%[[B]]], %[[K]]) acc(%{{.*}}[%[[ACC]]], %[[NR]]) first(%[[FIRST]]) last(%[[LAST]]) at(%[[ROW]], %[[COLUMN]])
// One loop over tiles.
// CHECK-LABEL: func.func private @registers_block(
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: call @registers_microkernel_8(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) :
// CHECK-NOT: call
// CHECK: return
// Chunks, blocks; the stride of the sums is known.
// CHECK-LABEL: func.func @registers(
// CHECK: scf.for
// CHECK: scf.while
// CHECK-NOT: scf.for
// CHECK: call @registers_block(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) :
// CHECK-NOT: call
// CHECK: return
func.func @registers(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x16, epilogue = tile>
#target = #lintel.target<isa = avx512>

// CHECK-LABEL: func.func private @tile_microkernel_8(
// CHECK: %[[LAST:.*]] = arith.constant false
// CHECK: lintel.microkernel {{.*}} last(%[[LAST]])
// CHECK-LABEL: func.func private @tile_epilogue(
// Every tile is finished.
// CHECK-LABEL: func.func private @tile_block(
// CHECK: func.call @tile_microkernel_8(
// CHECK-NEXT: func.call @tile_epilogue(
// CHECK-LABEL: func.func @tile(
func.func @tile(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx2>

// Only where the epilogue runs is left to the call.
// CHECK-LABEL: func.func private @ragged_microkernel_4(
// CHECK-SAME: %[[ON_REGISTERS:[^:, ]*]]: i1) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: lintel.microkernel {{.*}} first(%{{.*}}) last(%[[ON_REGISTERS]])
// CHECK-LABEL: func.func private @ragged_epilogue(
// CHECK-LABEL: func.func private @ragged_block(
// CHECK-DAG: %[[N:.*]] = arith.constant 33 : index
// CHECK: %[[RAGGED:.*]] = arith.cmpi ugt, %{{.*}}, %[[N]] : index
// CHECK: %[[WHOLE:.*]] = arith.xori %[[RAGGED]], %{{.*}} : i1
// CHECK: func.call @ragged_microkernel_4({{.*}}, %[[WHOLE]]) :
// CHECK-NEXT: scf.if %[[RAGGED]] {
// CHECK-NEXT: func.call @ragged_epilogue(
// CHECK-LABEL: func.func @ragged(
func.func @ragged(%x: tensor<16x64xf32>, %w: tensor<33x64xf32>) -> tensor<16x33xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x64xf32>, tensor<33x64xf32>) -> tensor<16x33xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x33xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

// K = 0: a micro-kernel of depth zero, whose sums are zero.
// CHECK-LABEL: func.func private @no_depth_microkernel_4(
// CHECK: %[[K:.*]] = arith.constant 0 : index
// CHECK: lintel.microkernel {{.*}} b(%{{.*}}, %[[K]])
func.func @no_depth(%x: tensor<4x0xf32>, %w: tensor<32x0xf32>) -> tensor<4x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x0xf32>, tensor<32x0xf32>) -> tensor<4x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x32xf32>
}
