// lintel-tile: the strips of a block on vectors ask for the next panel together.
// RUN: lintel-opt %s --lintel-tile --canonicalize --cse | FileCheck %s

// CHECK: func.func private @layer_microkernel_8({{.*}}, %[[OPERAND:[a-z0-9]*]]: index, %[[STEP:[a-z0-9]*]]: index)
// CHECK: lintel.microkernel {{.*}} next(%[[OPERAND]]) next_step(%[[STEP]])

// CHECK-LABEL: func.func private @layer_block(
// CHECK-SAME: %[[STRIP_BEGIN:[a-z0-9]*]]: index, %[[STRIP_END:[a-z0-9]*]]: index, %[[PANEL_BEGIN:[a-z0-9]*]]: index, %[[PANEL_END:[a-z0-9]*]]: index,
// CHECK: scf.for %[[K0:.*]] = %c0 to %c64 step
// CHECK: %[[DEPTH:.*]] = arith.minui
// CHECK: %[[DEEPER:.*]] = arith.addi %[[K0]], %[[DEPTH]]
// CHECK: %[[MORE:.*]] = arith.cmpi ult, %[[DEEPER]], %c64
// A step reads 48 columns: each strip asks for an equal part of them, rounded
// up, and for two lines of 16 at most.
// CHECK: %[[COUNT:.*]] = arith.subi %[[STRIP_END]], %[[STRIP_BEGIN]]
// CHECK: %[[STRIPS:.*]] = arith.maxui %[[COUNT]], %c1
// CHECK: %[[TO_ROUND:.*]] = arith.addi %[[STRIPS]], %c47
// CHECK: %[[DIVIDEND:.*]] = arith.index_castui %[[TO_ROUND]]
// CHECK: %[[DIVISOR:.*]] = arith.index_castui %[[STRIPS]]
// CHECK: %[[QUOTIENT:.*]] = arith.divui %[[DIVIDEND]], %[[DIVISOR]]
// CHECK: %[[EQUAL:.*]] = arith.index_castui %[[QUOTIENT]]
// CHECK: %[[ASKED:.*]] = arith.minui %[[EQUAL]], %c32
// CHECK: scf.while
// What the strips before have asked for, and no further than the panel goes.
// CHECK: %[[BEFORE:.*]] = arith.subi %{{.*}}, %[[STRIP_BEGIN]]
// CHECK: %[[STEPS_BEFORE:.*]] = arith.muli %[[BEFORE]], %[[DEPTH]]
// CHECK: %[[FROM:.*]] = arith.muli %[[STEPS_BEFORE]], %[[ASKED]]
// CHECK: %[[LEFT:.*]] = arith.subi %c48, %[[ASKED]]
// CHECK: %[[LAST:.*]] = arith.muli %[[DEPTH]], %[[LEFT]]
// Of the next panel of the block, or the first one, deeper.
// CHECK: %[[INSIDE:.*]] = arith.cmpi ugt, %[[PANEL_END]], %[[FOLLOWING:[0-9]+]]
// CHECK: %[[THEN:.*]] = arith.select %[[MORE]], %[[PANEL_BEGIN]], %[[FOLLOWING]]
// CHECK: %[[PANEL:.*]] = arith.select %[[INSIDE]], %[[FOLLOWING]], %[[THEN]]
// CHECK: %[[PART:.*]] = arith.minui %[[FROM]], %[[LAST]]
// CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %[[PART]]
// CHECK: func.call @layer_microkernel_8({{.*}}, %[[NEXT]], %[[ASKED]])
func.func @layer(%x: tensor<40x64xf32>, %w: tensor<96x64xf32>) -> tensor<40x96xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 8x48, share = 2, kc = 32, tiles = nm>, target = #lintel.target<isa = avx512>}
      : (tensor<40x64xf32>, tensor<96x64xf32>) -> tensor<40x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<40x96xf32>
}
