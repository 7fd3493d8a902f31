// lintel-tile: the block function's loops, from K blocks to tiles.
// RUN: lintel-opt %s --lintel-tile --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @layer_block(
// CHECK-SAME: %[[ARGS:[^:]*]]: !lintel.kernel_args, %[[STRIP_BEGIN:[^:]*]]: index, %[[STRIP_END:[^:]*]]: index, %[[PANEL_BEGIN:[^:]*]]: index, %[[PANEL_END:[^:]*]]: index, %[[BASE_ROWS:[^:]*]]: index, %[[SHORT_STRIPS:[^:]*]]: index, %[[ACC:[^:]*]]: index) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[TILE:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[NR:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[K:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[TILE_ORDER:.*]] = lintel.kernel_arg %[[ARGS]] tile_order : index
// CHECK-DAG: %[[N_OUTER:.*]] = arith.cmpi eq, %[[TILE_ORDER]], %[[ONE]] : index
// The depth of a block comes from the call and is at least one.
// CHECK-DAG: %[[KC:.*]] = lintel.kernel_arg %[[ARGS]] kc : index
// CHECK-DAG: %[[SOME_DEPTH:.*]] = arith.minui %[[KC]], %[[K]] : index
// CHECK-DAG: %[[BLOCK_DEPTH:.*]] = arith.maxui %[[SOME_DEPTH]], %[[ONE]] : index
// CHECK-DAG: %[[CUTS_DEPTH:.*]] = arith.cmpi ult, %[[BLOCK_DEPTH]], %[[K]] : index
// CHECK: scf.for %[[K0:.*]] = %[[ZERO]] to %[[K]] step %[[BLOCK_DEPTH]] {
// CHECK: %[[LEFT:.*]] = arith.subi %[[K]], %[[K0]] : index
// CHECK: %[[DEPTH:.*]] = arith.minui %[[BLOCK_DEPTH]], %[[LEFT]] : index
// CHECK-DAG: %[[END:.*]] = arith.addi %[[K0]], %[[DEPTH]] : index
// CHECK-DAG: %[[LAST:.*]] = arith.cmpi uge, %[[END]], %[[K]] : index
// Tiles in the order that the call asks for.
// CHECK: %[[OUTER_BEGIN:.*]] = arith.select %[[N_OUTER]], %[[PANEL_BEGIN]], %[[STRIP_BEGIN]] : index
// CHECK: %[[OUTER_END:.*]] = arith.select %[[N_OUTER]], %[[PANEL_END]], %[[STRIP_END]] : index
// CHECK: %[[INNER_BEGIN:.*]] = arith.select %[[N_OUTER]], %[[STRIP_BEGIN]], %[[PANEL_BEGIN]] : index
// CHECK: %[[INNER_END:.*]] = arith.select %[[N_OUTER]], %[[STRIP_END]], %[[PANEL_END]] : index
// CHECK: scf.while (%{{.*}} = %[[OUTER_BEGIN]], %{{.*}} = %[[INNER_BEGIN]], %{{.*}} = %[[ZERO]])
// CHECK: ^bb0(%[[OUTER:[^:]*]]: index, %[[INNER:[^:]*]]: index, %[[BEFORE:[^:]*]]: index):
// CHECK: %[[STRIP:.*]] = arith.select %[[N_OUTER]], %[[INNER]], %[[OUTER]] : index
// CHECK: %[[PANEL:.*]] = arith.select %[[N_OUTER]], %[[OUTER]], %[[INNER]] : index
// The short strips come first.
// CHECK-DAG: %[[BASES:.*]] = arith.muli %[[STRIP]], %[[BASE_ROWS]] : index
// CHECK-DAG: %[[NOT_SHORT:.*]] = arith.maxui %[[STRIP]], %[[SHORT_STRIPS]] : index
// CHECK-DAG: %[[TALL_ONES:.*]] = arith.subi %[[NOT_SHORT]], %[[SHORT_STRIPS]] : index
// CHECK-DAG: %[[ROW:.*]] = arith.addi %[[BASES]], %[[TALL_ONES]] : index
// CHECK-DAG: %[[COLUMN:.*]] = arith.muli %[[PANEL]], %[[NR]] : index
// x is read in place, w by panels.
// CHECK-DAG: %[[LDX:.*]] = lintel.kernel_arg %[[ARGS]] ldx : index
// CHECK-DAG: %[[A_ROW:.*]] = arith.muli %[[ROW]], %[[LDX]] : index
// CHECK-DAG: %[[A:.*]] = arith.addi %[[A_ROW]], %[[K0]] : index
// CHECK-DAG: %[[B_PANEL:.*]] = arith.muli %[[PANEL]], %[[K]] : index
// CHECK-DAG: %[[B_DEPTH:.*]] = arith.addi %[[B_PANEL]], %[[K0]] : index
// CHECK-DAG: %[[B:.*]] = arith.muli %[[B_DEPTH]], %[[NR]] : index
// With K cut every tile of the block has sums of its own, in the order of the tiles.
// CHECK-DAG: %[[OF_TILE:.*]] = arith.select %[[CUTS_DEPTH]], %[[BEFORE]], %[[ZERO]] : index
// CHECK-DAG: %[[SUMS:.*]] = arith.addi %[[ACC]], %[[OF_TILE]] : index
// CHECK-DAG: %[[FIRST:.*]] = arith.cmpi eq, %[[K0]], %[[ZERO]] : index
// CHECK: func.call @layer_microkernel_8(%[[ARGS]], %[[A]], %[[B]], %[[SUMS]], %[[ROW]], %[[COLUMN]], %[[DEPTH]], %[[FIRST]], %[[LAST]])
// CHECK: %[[BEFORE_NEXT:.*]] = arith.addi %[[BEFORE]], %[[TILE]] : index
// CHECK: %[[NEXT_INNER:.*]] = arith.addi %[[INNER]], %[[ONE]] : index
// CHECK: %[[GOES_ON:.*]] = arith.cmpi ugt, %[[INNER_END]], %[[NEXT_INNER]] : index
// CHECK: %[[NEXT_OUTER:.*]] = arith.addi %[[OUTER]], %[[ONE]] : index
// CHECK: %[[OUTER_THEN:.*]] = arith.select %[[GOES_ON]], %[[OUTER]], %[[NEXT_OUTER]] : index
// CHECK: %[[INNER_THEN:.*]] = arith.select %[[GOES_ON]], %[[NEXT_INNER]], %[[INNER_BEGIN]] : index
// CHECK: scf.yield %[[OUTER_THEN]], %[[INNER_THEN]], %[[BEFORE_NEXT]]
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
