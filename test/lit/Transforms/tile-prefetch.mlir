// lintel-tile: before the last products of a tile, a kernel on vectors asks for the lines that the
// epilogue will touch, where they may have left L1. Of tile registers the k loop does (tile-amx.mlir).
// RUN: lintel-opt %s --split-input-file --lintel-tile --canonicalize --cse | FileCheck %s

#schedule = #lintel.schedule<tile = 8x48>
#target = #lintel.target<isa = avx512, l1 = 32768>

// Full operands and outputs; a column of bias is neither. 48 floats are three lines.
// A view has the rows of the schedule's tile, of which a call asks for its own.
// CHECK: func.func private @layer_prefetch(%[[ARGS:[^:]*]]: !lintel.kernel_args, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[ROWS:[^:]*]]: index)
// CHECK-DAG: %[[OPERAND:.*]] = lintel.kernel_arg %[[ARGS]] operand[1] : memref<f32>
// CHECK-DAG: %[[STRIDE:.*]] = lintel.kernel_arg %[[ARGS]] operand_stride[1] : index
// CHECK-DAG: %[[ABOVE:.*]] = arith.muli %[[ROW]], %[[STRIDE]] : index
// CHECK-DAG: %[[FROM:.*]] = arith.addi %[[ABOVE]], %[[COLUMN]] : index
// CHECK: %[[TILE:.*]] = memref.reinterpret_cast %[[OPERAND]] to offset: [%[[FROM]]], sizes: [8, 48], strides: [%[[STRIDE]], 1]
// CHECK: %[[OUTPUT:.*]] = lintel.kernel_arg %[[ARGS]] output[0] : memref<f32>
// CHECK: %[[OUTPUT_TILE:.*]] = memref.reinterpret_cast %[[OUTPUT]] to offset: [%{{.*}}], sizes: [8, 48], strides: [%{{.*}}, 1]
// CHECK-NEXT: scf.for %[[R:.*]] = %{{.*}} to %[[ROWS]] step
// CHECK-NEXT: memref.prefetch %[[TILE]][%[[R]], %c0{{.*}}], read, locality<3>, data
// CHECK-NEXT: memref.prefetch %[[TILE]][%[[R]], %c16{{.*}}], read, locality<3>, data
// CHECK-NEXT: memref.prefetch %[[TILE]][%[[R]], %c32{{.*}}], read, locality<3>, data
// CHECK-NEXT: }
// CHECK-NEXT: scf.for
// CHECK-COUNT-3: memref.prefetch %[[OUTPUT_TILE]][%{{.*}}], read, locality<3>, data
// CHECK-NOT: memref.prefetch
// CHECK: return
// CHECK: func.func private @layer_block(
// CHECK: call @layer_prefetch(%{{.*}}, %[[TILE_ROW:.*]], %[[TILE_COLUMN:.*]], %{{.*}})
// CHECK: call @layer_microkernel_8(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[TILE_ROW]], %[[TILE_COLUMN]])
func.func @layer(%x: tensor<128x64xf32>, %w: tensor<96x64xf32>, %b: tensor<96xf32>, %r: tensor<128x96xf32>) -> tensor<128x96xf32> {
  %y = lintel.linear %x, %w epilogue(%b, %r : tensor<96xf32>, tensor<128x96xf32>) {schedule = #schedule, target = #target}
      : (tensor<128x64xf32>, tensor<96x64xf32>) -> tensor<128x96xf32> {
  ^bb0(%acc: f32, %c: f32, %d: f32):
    %0 = arith.addf %acc, %c : f32
    %1 = arith.addf %0, %d : f32
    lintel.yield %1 : f32
  }
  return %y : tensor<128x96xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x48, kc = 32>
#target = #lintel.target<isa = avx512, l1 = 32768>

// With K cut, only before the last block of it.
// CHECK: func.func private @cut_block(
// CHECK: %[[LAST:.*]] = arith.cmpi uge, %{{.*}}, %{{.*}} : index
// CHECK: scf.if %[[LAST]] {
// CHECK-NEXT: call @cut_prefetch(
// CHECK-NEXT: }
// CHECK: call @cut_microkernel_8(
func.func @cut(%x: tensor<128x64xf32>, %w: tensor<96x64xf32>) -> tensor<128x96xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<128x64xf32>, tensor<96x64xf32>) -> tensor<128x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<128x96xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x48>
#target = #lintel.target<isa = avx512, l1 = 32768>

// Outputs of 24 KiB stay in L1.
// CHECK-NOT: prefetch
// CHECK: func.func @small(
func.func @small(%x: tensor<64x64xf32>, %w: tensor<96x64xf32>) -> tensor<64x96xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<64x64xf32>, tensor<96x64xf32>) -> tensor<64x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x96xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x48>
#target = #lintel.target<isa = avx512, l1 = 32768>

// 85 rows of 96 floats fit L1: with more possible, a call with as few asks for nothing.
// CHECK: func.func private @some_prefetch(
// CHECK: func.func private @some_block(%[[ARGS:[^:]*]]: !lintel.kernel_args
// CHECK: %[[M:.*]] = lintel.kernel_arg %[[ARGS]] m : index
// CHECK: %[[MANY:.*]] = arith.cmpi ugt, %[[M]], %c85{{.*}} : index
// CHECK-NEXT: scf.if %[[MANY]] {
// CHECK-NEXT: func.call @some_prefetch(
// CHECK-NEXT: }
func.func @some(%x: tensor<?x64xf32>, %w: tensor<96x64xf32>) -> tensor<?x96xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<?x64xf32>, tensor<96x64xf32>) -> tensor<?x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<?x96xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x48>
#target = #lintel.target<isa = avx512, l1 = 32768>

// With more in every call, each asks.
// CHECK: func.func private @many_block(
// CHECK-NOT: scf.if
// CHECK: func.call @many_prefetch(
func.func @many(%x: tensor<?x64xf32>, %w: tensor<96x64xf32>) -> tensor<?x96xf32> {
  %y = lintel.linear %x, %w {rows = array<i64: 86, 512>, schedule = #schedule, target = #target}
      : (tensor<?x64xf32>, tensor<96x64xf32>) -> tensor<?x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<?x96xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x48, store = stream>
#target = #lintel.target<isa = avx512, l1 = 32768>

// Streamed outputs are not read: here nothing is left to ask for.
// CHECK-NOT: prefetch
// CHECK: func.func @streamed(
func.func @streamed(%x: tensor<128x64xf32>, %w: tensor<96x64xf32>) -> tensor<128x96xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<128x64xf32>, tensor<96x64xf32>) -> tensor<128x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<128x96xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16, epilogue = tile, grid = 1x1x2>
#target = #lintel.target<isa = avx512, l1 = 32768>

// Where threads share K, the epilogue comes in another phase.
// CHECK-NOT: prefetch
// CHECK: func.func @sliced(
func.func @sliced(%x: tensor<128x64xf32>, %w: tensor<96x64xf32>) -> tensor<128x96xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<128x64xf32>, tensor<96x64xf32>) -> tensor<128x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<128x96xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x4, group = 16, epilogue = tile>
#target = #lintel.target<isa = avx512, l1 = 32768>

// Tiles of dot products are few columns wide.
// CHECK-NOT: prefetch
// CHECK: func.func @dots(
func.func @dots(%x: tensor<1024x64xf32>, %w: tensor<16x64xf32>) -> tensor<1024x16xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<1024x64xf32>, tensor<16x64xf32>) -> tensor<1024x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<1024x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 2x4, group = 4, epilogue = tile>
#target = #lintel.target<isa = x86_64, l1 = 32768>

// As wide as a vector here.
// CHECK-NOT: prefetch
// CHECK: func.func @dots_of_sse(
func.func @dots_of_sse(%x: tensor<4096x64xf32>, %w: tensor<4x64xf32>) -> tensor<4096x4xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4096x64xf32>, tensor<4x64xf32>) -> tensor<4096x4xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4096x4xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x48, group = 2>
#target = #lintel.target<isa = avx512, extensions = avx512bf16, l1 = 32768>

// Outputs in memory, of several types: 48 columns of bf16 begin two lines, of f32 three.
// CHECK: func.func private @buffers_prefetch(
// CHECK: %[[HALVES:.*]] = lintel.kernel_arg %{{.*}} output[0] : memref<bf16>
// CHECK: %[[HALF_TILE:.*]] = memref.reinterpret_cast %[[HALVES]] to
// CHECK: %[[FLOATS:.*]] = lintel.kernel_arg %{{.*}} output[1] : memref<f32>
// CHECK: %[[FLOAT_TILE:.*]] = memref.reinterpret_cast %[[FLOATS]] to
// CHECK-NEXT: scf.for %[[R:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT: memref.prefetch %[[HALF_TILE]][%[[R]], %c0{{.*}}], read
// CHECK-NEXT: memref.prefetch %[[HALF_TILE]][%[[R]], %c32{{.*}}], read
// CHECK-NEXT: }
// CHECK-NEXT: scf.for
// CHECK-COUNT-3: memref.prefetch %[[FLOAT_TILE]][
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @buffers(%x: memref<128x64xbf16>, %w: memref<96x64xbf16>, %y: memref<128x96xbf16>, %z: memref<128x96xf32>) {
  lintel.linear %x, %w outs(%y, %z : memref<128x96xbf16>, memref<128x96xf32>) {schedule = #schedule, target = #target}
      : (memref<128x64xbf16>, memref<96x64xbf16>) {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    lintel.yield %0, %acc : bf16, f32
  }
  return
}
