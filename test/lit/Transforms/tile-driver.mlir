// lintel-tile: the driver's loops, from thread chunks to blocks.
// RUN: lintel-opt %s --lintel-tile --canonicalize --cse | FileCheck %s

// A few hundred instructions a block are not worth optimizing.
// CHECK-LABEL: func.func @layer(
// CHECK-SAME: %[[ARGS:[^:]*]]: !lintel.kernel_args, %[[TID:[^:]*]]: i32, %[[NTHREADS:[^:]*]]: i32) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[MR:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[NR:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[THREAD:.*]] = arith.index_cast %[[TID]] : i32 to index
// CHECK-DAG: %[[THREADS:.*]] = arith.index_cast %[[NTHREADS]] : i32 to index
// CHECK-DAG: %[[GRID_M:.*]] = lintel.kernel_arg %[[ARGS]] grid_m : index
// CHECK-DAG: %[[GRID_N:.*]] = lintel.kernel_arg %[[ARGS]] grid_n : index
// Strips as few as there may be, each of the base or one more.
// CHECK-DAG: %[[M:.*]] = lintel.kernel_arg %[[ARGS]] m : index
// CHECK-DAG: %[[STRIPS:.*]] = arith.divui %{{.*}}, %[[MR]] : index
// CHECK-DAG: %[[ROWS_OF_BASE:.*]] = arith.muli %[[BASE_ROWS:.*]], %[[STRIPS]] : index
// CHECK-DAG: %[[TALL_STRIPS:.*]] = arith.subi %[[M]], %[[ROWS_OF_BASE]] : index
// CHECK-DAG: %[[SHORT_STRIPS:.*]] = arith.subi %[[STRIPS]], %[[TALL_STRIPS]] : index
// Block sizes come from the call, cut to whole tiles, and are at least one; no
// block is larger than the largest chunk.
// CHECK-DAG: %[[STRIPS_LEFT:.*]] = arith.minui %{{.*}}, %[[ONE]] : index
// CHECK-DAG: %[[CHUNK_STRIPS:.*]] = arith.addi %{{.*}}, %[[STRIPS_LEFT]] : index
// CHECK-DAG: %[[MC:.*]] = lintel.kernel_arg %[[ARGS]] mc : index
// CHECK-DAG: %[[NC:.*]] = lintel.kernel_arg %[[ARGS]] nc : index
// CHECK-DAG: %[[MC_STRIPS:.*]] = arith.divui %[[MC]], %[[MR]] : index
// CHECK-DAG: %[[SOME_STRIPS:.*]] = arith.minui %[[MC_STRIPS]], %[[CHUNK_STRIPS]] : index
// CHECK-DAG: %[[BLOCK_STRIPS:.*]] = arith.maxui %[[SOME_STRIPS]], %[[ONE]] : index
// CHECK-DAG: %[[NC_PANELS:.*]] = arith.divui %[[NC]], %[[NR]] : index
// CHECK-DAG: %[[SOME_PANELS:.*]] = arith.minui %[[NC_PANELS]], %{{.*}} : index
// CHECK-DAG: %[[BLOCK_PANELS:.*]] = arith.maxui %[[SOME_PANELS]], %[[ONE]] : index
// CHECK-DAG: %[[BLOCK_ORDER:.*]] = lintel.kernel_arg %[[ARGS]] block_order : index
// CHECK-DAG: %[[N_OUTER:.*]] = arith.cmpi eq, %[[BLOCK_ORDER]], %[[ONE]] : index
// Sums wait in the thread's own workspace.
// CHECK-DAG: %[[STRIDE:.*]] = lintel.kernel_arg %[[ARGS]] workspace_stride : index
// CHECK-DAG: %[[FLOATS:.*]] = arith.divui %[[STRIDE]], %{{.*}} : index
// CHECK-DAG: %[[ACC:.*]] = arith.muli %[[THREAD]], %[[FLOATS]] : index
// CHECK-DAG: %[[CHUNKS:.*]] = arith.muli %[[GRID_M]], %[[GRID_N]] : index
// Thread t takes the chunks t, t + threads, ...: right for any number of threads.
// CHECK: scf.for %{{.*}} = %[[THREAD]] to %[[CHUNKS]] step %[[THREADS]] {
// Shares of strips and panels, then the order that the call asks for.
// CHECK: %[[OUTER_BEGIN:.*]] = arith.select %[[N_OUTER]], %[[PANEL_BEGIN:.*]], %[[STRIP_BEGIN:.*]] : index
// CHECK: %[[OUTER_END:.*]] = arith.select %[[N_OUTER]], %[[PANEL_END:.*]], %[[STRIP_END:.*]] : index
// CHECK: %[[OUTER_STEP:.*]] = arith.select %[[N_OUTER]], %[[BLOCK_PANELS]], %[[BLOCK_STRIPS]] : index
// CHECK: %[[INNER_BEGIN:.*]] = arith.select %[[N_OUTER]], %[[STRIP_BEGIN]], %[[PANEL_BEGIN]] : index
// CHECK: %[[INNER_END:.*]] = arith.select %[[N_OUTER]], %[[STRIP_END]], %[[PANEL_END]] : index
// CHECK: %[[INNER_STEP:.*]] = arith.select %[[N_OUTER]], %[[BLOCK_STRIPS]], %[[BLOCK_PANELS]] : index
// One loop; an empty share has no block, whichever of its ranges is empty.
// CHECK: scf.while (%[[OUTER:.*]] = %[[OUTER_BEGIN]], %[[INNER:.*]] = %[[INNER_BEGIN]])
// CHECK: %[[OUTER_LEFT:.*]] = arith.cmpi ugt, %[[OUTER_END]], %[[OUTER]] : index
// CHECK: %[[INNER_LEFT:.*]] = arith.cmpi ugt, %[[INNER_END]], %[[INNER]] : index
// CHECK: %[[BOTH_LEFT:.*]] = arith.andi %[[OUTER_LEFT]], %[[INNER_LEFT]] : i1
// CHECK: scf.condition(%[[BOTH_LEFT]]) %[[OUTER]], %[[INNER]]
// CHECK: ^bb0(%[[OUTER:.*]]: index, %[[INNER:.*]]: index):
// CHECK: %[[STRIP:.*]] = arith.select %[[N_OUTER]], %[[INNER]], %[[OUTER]] : index
// CHECK: %[[PANEL:.*]] = arith.select %[[N_OUTER]], %[[OUTER]], %[[INNER]] : index
// A block does not reach beyond its chunk.
// CHECK: %[[NEXT_STRIP:.*]] = arith.addi %[[STRIP]], %[[BLOCK_STRIPS]] : index
// CHECK: %[[LAST_STRIP:.*]] = arith.minui %[[NEXT_STRIP]], %[[STRIP_END]] : index
// CHECK: %[[NEXT_PANEL:.*]] = arith.addi %[[PANEL]], %[[BLOCK_PANELS]] : index
// CHECK: %[[LAST_PANEL:.*]] = arith.minui %[[NEXT_PANEL]], %[[PANEL_END]] : index
// CHECK-NOT: scf.for
// CHECK: call @layer_block(%[[ARGS]], %[[STRIP]], %[[LAST_STRIP]], %[[PANEL]], %[[LAST_PANEL]], %[[BASE_ROWS]], %[[SHORT_STRIPS]], %[[ACC]])
// Where the inner blocks end, they begin again with the next outer one.
// CHECK: %[[NEXT_INNER:.*]] = arith.addi %[[INNER]], %[[INNER_STEP]] : index
// CHECK: %[[GOES_ON:.*]] = arith.cmpi ugt, %[[INNER_END]], %[[NEXT_INNER]] : index
// CHECK: %[[NEXT_OUTER:.*]] = arith.addi %[[OUTER]], %[[OUTER_STEP]] : index
// CHECK: %[[OUTER_THEN:.*]] = arith.select %[[GOES_ON]], %[[OUTER]], %[[NEXT_OUTER]] : index
// CHECK: %[[INNER_THEN:.*]] = arith.select %[[GOES_ON]], %[[NEXT_INNER]], %[[INNER_BEGIN]] : index
// CHECK: scf.yield %[[OUTER_THEN]], %[[INNER_THEN]]
// CHECK-NOT: call
// CHECK: return
func.func @layer(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 8x16, kc = 32>, target = #lintel.target<isa = avx512>}
      : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}

// Other functions of the module stay as they are.
// CHECK-LABEL: func.func @bystander() {
// CHECK-NEXT: return
func.func @bystander() {
  return
}

// The kernel is what its function was, beside the layer.
// CHECK-LABEL: func.func private @hidden(
// CHECK-SAME: attributes {my.name = "layer", no_inline, passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func private @hidden(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> attributes {my.name = "layer", no_inline} {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16>, target = #lintel.target<isa = avx512>}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// A name that only another kernel would take is free.
// CHECK: func.func private @hidden_pack()
func.func private @hidden_pack()
