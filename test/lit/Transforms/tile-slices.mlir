// lintel-tile with slices of K in the grid: the sums of all threads wait in
// `partials` between two phases, between which parts wait for each other.
// RUN: lintel-opt %s --lintel-tile --canonicalize --cse --split-input-file \
// RUN:   | FileCheck %s --implicit-check-not='kernel_arg %{{.*}} workspace'

#schedule = #lintel.schedule<tile = 3x32, epilogue = tile, grid = 1x2x3>
#target = #lintel.target<isa = avx512>

// A micro-kernel is told its depth, begins at zero, and never finishes. The
// sums of a tile are in one piece.
// CHECK-LABEL: func.func private @layer_microkernel_3(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[A:[^:]*]]: index, %[[B:[^:]*]]: index, %[[ACC:[^:]*]]: index, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[DEPTH:[^:]*]]: index) attributes {passthrough = ["lintel-microkernel", "noinline", "optnone"]} {
// CHECK-DAG: %[[LDACC:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-DAG: %[[FALSE:.*]] = arith.constant false
// CHECK-DAG: %[[PARTIALS:.*]] = lintel.kernel_arg %[[ARGS]] partials : memref<f32>
// CHECK: lintel.microkernel %[[ARGS]] a(%{{.*}}[%[[A]]], %{{.*}}) b(%{{.*}}[%[[B]]], %[[DEPTH]]) acc(%[[PARTIALS]][%[[ACC]]], %[[LDACC]]) first(%[[TRUE]]) last(%[[FALSE]])

// CHECK-LABEL: func.func private @layer_epilogue(
// CHECK: %[[PARTIALS:.*]] = lintel.kernel_arg %{{.*}} partials : memref<f32>
// CHECK: lintel.apply_epilogue %{{.*}} acc(%[[PARTIALS]][

// Row by row, both vectors of the panel: slice 0, plus slice 1, plus slice 2.
// CHECK-LABEL: func.func private @layer_reduce(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[SUMS:[^:]*]]: index, %[[ROWS:[^:]*]]: index, %[[STRIDE:[^:]*]]: index) {
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[LANES:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[SLICES:.*]] = lintel.kernel_arg %[[ARGS]] grid_k : index
// CHECK-DAG: %[[PARTIALS:.*]] = lintel.kernel_arg %[[ARGS]] partials : memref<f32>
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %[[PARTIALS]] to offset: [%[[SUMS]]], sizes: [%[[SLICES]], %[[ROWS]], 32], strides: [%[[STRIDE]], 32, 1]
// CHECK: scf.for %[[ROW:.*]] = %[[ZERO]] to %[[ROWS]] step %[[ONE]] {
// CHECK-NEXT: %[[FIRST0:.*]] = vector.load %[[VIEW]][%[[ZERO]], %[[ROW]], %[[ZERO]]]
// CHECK-NEXT: %[[FIRST1:.*]] = vector.load %[[VIEW]][%[[ZERO]], %[[ROW]], %[[LANES]]]
// CHECK-NEXT: %[[SUM:.*]]:2 = scf.for %[[SLICE:.*]] = %[[ONE]] to %[[SLICES]] step %[[ONE]] iter_args(%[[SUM0:.*]] = %[[FIRST0]], %[[SUM1:.*]] = %[[FIRST1]])
// CHECK-NEXT: %[[NEXT0:.*]] = vector.load %[[VIEW]][%[[SLICE]], %[[ROW]], %[[ZERO]]]
// CHECK-NEXT: %[[NEXT1:.*]] = vector.load %[[VIEW]][%[[SLICE]], %[[ROW]], %[[LANES]]]
// CHECK-NEXT: %[[ADDED0:.*]] = arith.addf %[[SUM0]], %[[NEXT0]] : vector<16xf32>
// CHECK-NEXT: %[[ADDED1:.*]] = arith.addf %[[SUM1]], %[[NEXT1]] : vector<16xf32>
// CHECK-NEXT: scf.yield %[[ADDED0]], %[[ADDED1]]
// CHECK-NEXT: }
// CHECK-NEXT: vector.store %[[SUM]]#0, %[[VIEW]][%[[ZERO]], %[[ROW]], %[[ZERO]]]
// CHECK-NEXT: vector.store %[[SUM]]#1, %[[VIEW]][%[[ZERO]], %[[ROW]], %[[LANES]]]

// The block function is told which slice; every tile has three rows of sums,
// in short strips too, of 32 columns, and every strip two tiles.
// CHECK-LABEL: func.func private @layer_block(
// CHECK-SAME: %[[SLICE_SUMS:[^:, ]*]]: index, %[[K0:[^:, ]*]]: index, %[[DEPTH:[^:, ]*]]: index) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
// CHECK-DAG: %[[PANELS:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[TILE_FLOATS:.*]] = arith.constant 96 : index
// CHECK: %[[OF_STRIPS:.*]] = arith.muli %{{.*}}, %[[PANELS]] : index
// CHECK: %[[TILES:.*]] = arith.addi %[[OF_STRIPS]], %{{.*}} : index
// CHECK: %[[IN_SLICE:.*]] = arith.muli %[[TILES]], %[[TILE_FLOATS]] : index
// CHECK: %[[TILE_SUMS:.*]] = arith.addi %[[SLICE_SUMS]], %[[IN_SLICE]] : index
// CHECK: call @layer_microkernel_3(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[TILE_SUMS]], %{{[^,]*}}, %{{[^,]*}}, %[[DEPTH]])
// CHECK-NOT: call
// CHECK: return

// Phase 0 deals out slices of whole cache lines of x; phase 1 shares out tiles.
// CHECK-LABEL: func.func @layer(
// CHECK-SAME: %[[ARGS:[^:]*]]: !lintel.kernel_args, %[[TID:[^:]*]]: i32, %[[NTHREADS:[^:]*]]: i32)
// CHECK-DAG: %[[LINES:.*]] = arith.constant 5 : i32
// CHECK-DAG: %[[K:.*]] = arith.constant 70 : index
// CHECK-DAG: %[[LINE:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[STRIP_FLOATS:.*]] = arith.constant 192 : index
// CHECK-DAG: %[[GRID_M:.*]] = lintel.kernel_arg %[[ARGS]] grid_m : index
// CHECK-DAG: %[[GRID_N:.*]] = lintel.kernel_arg %[[ARGS]] grid_n : index
// CHECK: %[[SLICE_STRIDE:.*]] = arith.muli %{{.*}}, %[[STRIP_FLOATS]] : index
// CHECK: %[[PHASE:.*]] = lintel.kernel_arg %[[ARGS]] phase : index
// CHECK: %[[SUMS_UP:.*]] = arith.cmpi eq, %[[PHASE]], %[[ZERO]] : index
// CHECK: scf.if %[[SUMS_UP]] {
// CHECK: %[[SLICES:.*]] = lintel.kernel_arg %[[ARGS]] grid_k : index
// CHECK: %[[TILE_CHUNKS:.*]] = arith.muli %[[GRID_M]], %[[GRID_N]] : index
// CHECK: %[[SHARE:.*]] = arith.divui %[[LINES]], %{{.*}} : i32
// CHECK: %[[BASE:.*]] = arith.index_castui %[[SHARE]] : i32 to index
// CHECK: %[[OF_ALL:.*]] = arith.muli %[[BASE]], %[[SLICES]] : index
// CHECK: %[[EXTRA:.*]] = arith.subi %{{.*}}, %[[OF_ALL]] : index
// CHECK: %[[CHUNKS:.*]] = arith.muli %[[TILE_CHUNKS]], %[[SLICES]] : index
// CHECK: scf.for %[[CHUNK:.*]] = %{{.*}} to %[[CHUNKS]] step
// CHECK: %[[CHUNK_I32:.*]] = arith.index_castui %[[CHUNK]] : index to i32
// CHECK: %[[SLICE_I32:.*]] = arith.divui %[[CHUNK_I32]], %{{.*}} : i32
// CHECK: %[[SLICE:.*]] = arith.index_castui %[[SLICE_I32]] : i32 to index
// CHECK: %[[LINES_BEFORE:.*]] = arith.muli %[[SLICE]], %[[BASE]] : index
// CHECK: %[[LONGER_BEFORE:.*]] = arith.minui %[[SLICE]], %[[EXTRA]] : index
// CHECK: %[[FIRST_LINE:.*]] = arith.addi %[[LINES_BEFORE]], %[[LONGER_BEFORE]] : index
// CHECK: %[[NEXT:.*]] = arith.addi %[[SLICE]], %{{.*}} : index
// CHECK: %[[LINES_TO_NEXT:.*]] = arith.muli %[[NEXT]], %[[BASE]] : index
// CHECK: %[[LONGER_TO_NEXT:.*]] = arith.minui %[[NEXT]], %[[EXTRA]] : index
// CHECK: %[[END_LINE:.*]] = arith.addi %[[LINES_TO_NEXT]], %[[LONGER_TO_NEXT]] : index
// CHECK: %[[BEGIN:.*]] = arith.muli %[[FIRST_LINE]], %[[LINE]] : index
// CHECK: %[[FIRST:.*]] = arith.minui %[[BEGIN]], %[[K]] : index
// CHECK: %[[END:.*]] = arith.muli %[[END_LINE]], %[[LINE]] : index
// CHECK: %[[LAST:.*]] = arith.minui %[[END]], %[[K]] : index
// CHECK: %[[DEPTH:.*]] = arith.subi %[[LAST]], %[[FIRST]] : index
// CHECK: %[[SLICE_SUMS:.*]] = arith.muli %[[SLICE]], %[[SLICE_STRIDE]] : index
// CHECK: call @layer_block({{.*}}, %[[SLICE_SUMS]], %[[FIRST]], %[[DEPTH]])
// CHECK: %[[FINISHES:.*]] = arith.cmpi ne, %[[PHASE]], %[[ZERO]] : index
// CHECK: scf.if %[[FINISHES]] {
// CHECK: scf.for
// CHECK: call @layer_reduce(%[[ARGS]], %[[SUMS:.*]], %[[ROWS:.*]], %[[SLICE_STRIDE]])
// CHECK-NEXT: call @layer_epilogue(%[[ARGS]], %[[SUMS]], %{{.*}}, %{{.*}}, %[[ROWS]])
// CHECK-NOT: call
// CHECK: return
func.func @layer(%x: tensor<5x70xf32>, %w: tensor<33x70xf32>) -> tensor<5x33xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<5x70xf32>, tensor<33x70xf32>) -> tensor<5x33xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<5x33xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16, epilogue = tile, grid = 1x1x2>
#target = #lintel.target<isa = avx512>

// A range of rows: each height has a micro-kernel, and the strips are counted
// in the call.
// CHECK-LABEL: func.func private @rows_microkernel_4(
// CHECK-LABEL: func.func private @rows_microkernel_3(
// CHECK-LABEL: func.func @rows(
// CHECK: %[[M:.*]] = lintel.kernel_arg %{{.*}} m : index
// CHECK: %[[STRIPS:.*]] = arith.divui
// CHECK: arith.muli %[[STRIPS]], %{{.*}} : index
func.func @rows(%x: tensor<?x64xf32>, %w: tensor<16x64xf32>) -> tensor<?x16xf32> {
  %y = lintel.linear %x, %w {rows = array<i64: 5, 16>, schedule = #schedule, target = #target}
      : (tensor<?x64xf32>, tensor<16x64xf32>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<?x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 25x32, unit = amx, group = 2, epilogue = tile, grid = 1x2x3>
#target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">

// Sums of tile registers stand register by register: columns 16 to 31 begin
// behind the 25 rows of the others.
// CHECK-LABEL: func.func private @tiles_reduce(
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %{{.*}}, 800], strides: [%{{.*}}, 16, 1]
// CHECK: scf.for %[[ROW:.*]] = %c0 to
// CHECK: vector.load %[[VIEW]][%c0, %[[ROW]], %c0]
// CHECK: vector.load %[[VIEW]][%c0, %[[ROW]], %c400]
// CHECK: scf.for %[[SLICE:[a-z0-9_]*]] =
// CHECK: vector.load %[[VIEW]][%[[SLICE]], %[[ROW]], %c0]
// CHECK: vector.load %[[VIEW]][%[[SLICE]], %[[ROW]], %c400]
// CHECK: vector.store %{{.*}}#0, %[[VIEW]][%c0, %[[ROW]], %c0]
// CHECK: vector.store %{{.*}}#1, %[[VIEW]][%c0, %[[ROW]], %c400]

// They are configured where they multiply, in the first of the two phases.
// CHECK-LABEL: func.func @tiles(
// CHECK-NOT: tmm.
// CHECK: scf.if
// CHECK-NEXT: tmm.config
// CHECK: call @tiles_block(
// CHECK: tmm.release
// CHECK-NOT: tmm.
// CHECK: scf.if
// CHECK-NOT: tmm.
// CHECK: call @tiles_epilogue(
// CHECK-NOT: tmm.
func.func @tiles(%x: tensor<25x192xbf16>, %w: tensor<64x192xbf16>) -> tensor<25x64xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<25x192xbf16>, tensor<64x192xbf16>) -> tensor<25x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<25x64xf32>
}
