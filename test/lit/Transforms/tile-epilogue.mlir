// lintel-tile: where the epilogue goes. In registers it stays in the micro-kernel;
// with epilogue = tile, and in ragged panels of a target without mask registers,
// a function of its own follows.
// RUN: lintel-opt %s --lintel-tile --split-input-file | FileCheck %s

#schedule = #lintel.schedule<tile = 8x16, epilogue = tile, kc = 32>
#target = #lintel.target<isa = avx512>

// CHECK-LABEL: func.func private @tile_microkernel_8(
// CHECK: lintel.microkernel {{.*}} attributes {broadcasts = [], rows = 8 : i64, {{.*}}} : memref<f32>, memref<f32>, memref<f32> {
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @tile_epilogue(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[ACC:.*]]: index, %[[ROW:.*]]: index, %[[COLUMN:.*]]: index, %[[ROWS:.*]]: index) attributes {passthrough = ["lintel-keeps-loops"]} {
// 16 divides 32: every panel is whole.
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 16 : index
// CHECK: lintel.apply_epilogue %[[ARGS]] acc(%{{.*}}[%[[ACC]]], %[[COLUMNS]]) at(%[[ROW]], %[[COLUMN]]) size(%[[ROWS]], %[[COLUMNS]]) attributes {broadcasts = ["column"],
// CHECK: arith.addf
// It follows when K is through.
// CHECK-LABEL: func.func private @tile_block(
// CHECK-DAG: %[[K:.*]] = arith.constant 64 : index
// CHECK: scf.for
// CHECK: %[[GOES_ON:.*]] = arith.cmpi ult, %{{.*}}, %[[K]] : index
// CHECK: %[[LAST:.*]] = arith.xori %[[GOES_ON]], %{{.*}} : i1
// CHECK: scf.while
// CHECK: func.call @tile_microkernel_8(%[[ARGS:[^,]*]], %{{[^,]*}}, %{{[^,]*}}, %[[ACC:[^,]*]], %[[ROW:[^,]*]], %[[COLUMN:[^,]*]], %{{[^,]*}}, %{{[^,]*}}) :
// CHECK-NEXT: scf.if %[[LAST]] {
// CHECK-NEXT: func.call @tile_epilogue(%[[ARGS]], %[[ACC]], %[[ROW]], %[[COLUMN]], %{{[^,]*}}) :
// CHECK-LABEL: func.func @tile(
func.func @tile(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>, %b: tensor<32xf32>) -> tensor<16x32xf32> {
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

// Masks are free with AVX-512: ragged panels need nothing else.
// CHECK-LABEL: func.func private @masks_microkernel_8(
// CHECK-DAG: %[[N:.*]] = arith.constant 33 : index
// CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %{{.*}} : index
// CHECK: arith.minui %[[LEFT]]
// CHECK: broadcasts = ["column"]
// CHECK-NOT: apply_epilogue
// CHECK-NOT: _epilogue(
// CHECK-LABEL: func.func private @masks_block(
// CHECK-NOT: scf.if
// CHECK: func.call @masks_microkernel_8(
// CHECK-NOT: call
// CHECK-LABEL: func.func @masks(
func.func @masks(%x: tensor<16x64xf32>, %w: tensor<33x64xf32>, %b: tensor<33xf32>) -> tensor<16x33xf32> {
  %y = lintel.linear %x, %w epilogue(%b : tensor<33xf32>) {schedule = #schedule, target = #target}
      : (tensor<16x64xf32>, tensor<33x64xf32>) -> tensor<16x33xf32> {
  ^bb0(%acc: f32, %bias: f32):
    %0 = arith.addf %acc, %bias : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<16x33xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16, kc = 32>
#target = #lintel.target<isa = avx2>

// Without masks: whole panels in registers, the ragged one through the tile.
// CHECK-LABEL: func.func private @scratch_microkernel_4(
// CHECK: broadcasts = ["column"]
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: arith.addf
// CHECK-LABEL: func.func private @scratch_epilogue(
// CHECK: lintel.apply_epilogue {{.*}} attributes {broadcasts = ["column"],
// CHECK-LABEL: func.func private @scratch_block(
// CHECK-DAG: %[[N:.*]] = arith.constant 33 : index
// CHECK-DAG: %[[K:.*]] = arith.constant 64 : index
// CHECK: scf.for
// CHECK: %[[GOES_ON:.*]] = arith.cmpi ult, %{{.*}}, %[[K]] : index
// CHECK: %[[LAST:.*]] = arith.xori %[[GOES_ON]], %{{.*}} : i1
// CHECK: scf.while
// CHECK: %[[RAGGED:.*]] = arith.cmpi ugt, %{{.*}}, %[[N]] : index
// CHECK: %[[WHOLE:.*]] = arith.xori %[[RAGGED]], %{{.*}} : i1
// CHECK: %[[IN_REGISTERS:.*]] = arith.andi %[[LAST]], %[[WHOLE]] : i1
// CHECK: func.call @scratch_microkernel_4({{.*}}, %[[IN_REGISTERS]]) :
// CHECK: %[[ON_TILE:.*]] = arith.andi %[[LAST]], %[[RAGGED]] : i1
// CHECK-NEXT: scf.if %[[ON_TILE]] {
// CHECK-NEXT: func.call @scratch_epilogue(
// CHECK-LABEL: func.func @scratch(
func.func @scratch(%x: tensor<16x64xf32>, %w: tensor<33x64xf32>, %b: tensor<33xf32>) -> tensor<16x33xf32> {
  %y = lintel.linear %x, %w epilogue(%b : tensor<33xf32>) {schedule = #schedule, target = #target}
      : (tensor<16x64xf32>, tensor<33x64xf32>) -> tensor<16x33xf32> {
  ^bb0(%acc: f32, %bias: f32):
    %0 = arith.addf %acc, %bias : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<16x33xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx2>

// Only whole panels: no scratch.
// CHECK-LABEL: func.func private @whole_microkernel_4(
// CHECK-NOT: _epilogue(
// CHECK-LABEL: func.func private @whole_block(
// CHECK-NOT: scf.if
// CHECK: func.call @whole_microkernel_4(
// CHECK-NOT: call
// CHECK-LABEL: func.func @whole(
func.func @whole(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>, %b: tensor<32xf32>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w epilogue(%b : tensor<32xf32>) {schedule = #schedule, target = #target}
      : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32, %bias: f32):
    %0 = arith.addf %acc, %bias : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<16x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

// Every broadcast by name, and several results.
// CHECK-LABEL: func.func private @operands_microkernel_4(
// CHECK: broadcasts = ["scalar", "column", "row", "full"]
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %[[S:.*]]: f32, %[[C:.*]]: f32, %[[R:.*]]: f32, %[[F:.*]]: f32):
// CHECK: lintel.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK-LABEL: func.func @operands(
// CHECK-SAME: !lintel.kernel_args, %{{[^,]*}}: i32, %{{[^,]*}}: i32) attributes
func.func @operands(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %s: tensor<f32>, %c: tensor<16xf32>,
                    %r: tensor<4x1xf32>, %f: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %y:2 = lintel.linear %x, %w
      epilogue(%s, %c, %r, %f : tensor<f32>, tensor<16xf32>, tensor<4x1xf32>, tensor<4x16xf32>)
      {schedule = #schedule, target = #target}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  ^bb0(%acc: f32, %scale: f32, %bias: f32, %row: f32, %full: f32):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.addf %0, %bias : f32
    %2 = arith.mulf %1, %row : f32
    %3 = arith.addf %2, %full : f32
    lintel.yield %3, %acc : f32, f32
  }
  return %y#0, %y#1 : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

// On memrefs the outputs are arguments.
// CHECK-LABEL: func.func private @memrefs_microkernel_4(
// CHECK-LABEL: func.func @memrefs(
// CHECK-SAME: !lintel.kernel_args, %{{[^,]*}}: i32, %{{[^,]*}}: i32) attributes
func.func @memrefs(%x: memref<4x8xf32>, %w: memref<16x8xf32>, %y: memref<4x16xf32>) {
  lintel.linear %x, %w outs(%y : memref<4x16xf32>) {schedule = #schedule, target = #target}
      : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}
