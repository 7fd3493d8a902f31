// lintel-tile: the driver's loops, from thread chunks to tiles.
// RUN: lintel-opt %s --lintel-tile --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @layer(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[TID:.*]]: i32, %[[NTHREADS:.*]]: i32) {
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[MR:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[NR:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[K:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[THREAD:.*]] = arith.index_cast %[[TID]] : i32 to index
// CHECK-DAG: %[[THREADS:.*]] = arith.index_cast %[[NTHREADS]] : i32 to index
// CHECK-DAG: %[[GRID_M:.*]] = lintel.kernel_arg %[[ARGS]] grid_m : index
// CHECK-DAG: %[[GRID_N:.*]] = lintel.kernel_arg %[[ARGS]] grid_n : index
// Block sizes come from the call, cut to whole tiles, and are at least one.
// CHECK-DAG: %[[MC:.*]] = lintel.kernel_arg %[[ARGS]] mc : index
// CHECK-DAG: %[[NC:.*]] = lintel.kernel_arg %[[ARGS]] nc : index
// CHECK-DAG: %[[MC_STRIPS:.*]] = arith.divui %[[MC]], %[[MR]] : index
// CHECK-DAG: %[[SOME_STRIPS:.*]] = arith.minui %[[MC_STRIPS]], %{{.*}} : index
// CHECK-DAG: %[[BLOCK_STRIPS:.*]] = arith.maxui %[[SOME_STRIPS]], %[[ONE]] : index
// CHECK-DAG: %[[NC_PANELS:.*]] = arith.divui %[[NC]], %[[NR]] : index
// CHECK-DAG: %[[SOME_PANELS:.*]] = arith.minui %[[NC_PANELS]], %{{.*}} : index
// CHECK-DAG: %[[BLOCK_PANELS:.*]] = arith.maxui %[[SOME_PANELS]], %[[ONE]] : index
// CHECK-DAG: %[[KC:.*]] = lintel.kernel_arg %[[ARGS]] kc : index
// CHECK-DAG: %[[SOME_DEPTH:.*]] = arith.minui %[[KC]], %[[K]] : index
// CHECK-DAG: %[[BLOCK_DEPTH:.*]] = arith.maxui %[[SOME_DEPTH]], %[[ONE]] : index
// CHECK-DAG: %[[BLOCK_ORDER:.*]] = lintel.kernel_arg %[[ARGS]] block_order : index
// CHECK-DAG: %[[N_OUTER:.*]] = arith.cmpi eq, %[[BLOCK_ORDER]], %[[ONE]] : index
// CHECK-DAG: %[[TILE_ORDER:.*]] = lintel.kernel_arg %[[ARGS]] tile_order : index
// CHECK-DAG: %[[PANELS_OUTER:.*]] = arith.cmpi eq, %[[TILE_ORDER]], %[[ONE]] : index
// CHECK-DAG: %[[STRIDE:.*]] = lintel.kernel_arg %[[ARGS]] workspace_stride : index
// CHECK-DAG: %[[CHUNKS:.*]] = arith.muli %[[GRID_M]], %[[GRID_N]] : index
// Thread t takes the chunks t, t + threads, ...: right for any number of threads.
// CHECK: scf.for %{{.*}} = %[[THREAD]] to %[[CHUNKS]] step %[[THREADS]] {
// CHECK: %[[OUTER_STEP:.*]] = arith.select %[[N_OUTER]], %[[BLOCK_PANELS]], %[[BLOCK_STRIPS]] : index
// CHECK: scf.for %{{.*}} step %[[OUTER_STEP]] {
// CHECK: %[[INNER_STEP:.*]] = arith.select %[[N_OUTER]], %[[BLOCK_STRIPS]], %[[BLOCK_PANELS]] : index
// CHECK: scf.for %{{.*}} step %[[INNER_STEP]] {
// CHECK: scf.for %[[K0:.*]] = %[[ZERO]] to %[[K]] step %[[BLOCK_DEPTH]] {
// CHECK: %[[LEFT:.*]] = arith.subi %[[K]], %[[K0]] : index
// CHECK: %[[DEPTH:.*]] = arith.minui %[[BLOCK_DEPTH]], %[[LEFT]] : index
// CHECK: arith.select %[[PANELS_OUTER]]
// CHECK: scf.for %{{.*}} step %[[ONE]] {
// CHECK: scf.for %{{.*}} step %[[ONE]] {
// CHECK-DAG: %[[FIRST:.*]] = arith.cmpi eq, %[[K0]], %[[ZERO]] : index
// CHECK-DAG: %[[END:.*]] = arith.addi %[[K0]], %[[DEPTH]] : index
// CHECK-DAG: %[[LAST:.*]] = arith.cmpi uge, %[[END]], %[[K]] : index
// CHECK: func.call @layer_microkernel_8(%[[ARGS]], %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[DEPTH]], %{{[^,]*}}, %[[FIRST]], %[[LAST]])
func.func @layer(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 8x16, kc = 32>, target = #lintel.target<isa = avx512>}
      : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}

// Other functions of the module stay.
// CHECK-LABEL: func.func @bystander
// CHECK-NEXT: return
func.func @bystander() {
  return
}
