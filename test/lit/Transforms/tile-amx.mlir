// lintel-tile with unit = amx: who configures the tile registers, who may use them,
// and how x is packed for them.
// RUN: lintel-opt %s --lintel-tile --canonicalize | FileCheck %s
// RUN: lintel-opt %s --lintel-tile --lintel-lower-microkernel --lintel-verify-kernel --lintel-verify-tmm | FileCheck %s --check-prefix=LOWERED

// 100 rows are four strips of 25: 12 and 13 rows of tiles.
// CHECK-LABEL: func.func private @layer_microkernel_25(
// CHECK-SAME: tmm.configured = #tmm.config<[12x64, 12x64, 13x64, 13x64, 12x64, 13x64, 16x64, 16x64]>
// LOWERED-LABEL: func.func private @layer_microkernel_25(
// LOWERED: tmm.dpbf16
// CHECK-LABEL: func.func private @layer_epilogue(
// CHECK-SAME: tmm.untouched

// Lines of 32 elements; what is left of K is masked, and padded with zeros.
// CHECK-LABEL: func.func private @layer_pack(
// CHECK-SAME: %[[ROWS:[^:]*]]: index, %{{[^:]*}}: index, %[[DEPTH:[^:]*]]: index, %[[TO:[^:]*]]: index)
// CHECK-SAME: tmm.untouched
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[TO]]], sizes: [%{{.*}}, 800], strides: [800, 1]
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c32
// CHECK: scf.for %{{.*}} = %c0 to %[[ROWS]]
// CHECK: vector.load %{{.*}} vector<32xbf16>
// CHECK: vector.store
// CHECK: scf.if
// CHECK: %[[MASK:.*]] = llvm.bitcast %{{.*}} : i32 to vector<32xi1>
// CHECK: vector.maskedload %{{.*}}, %[[MASK]],
// CHECK: vector.store

// Packed once, before the loop over blocks of K; a block of K begins rows * k on.
// CHECK-LABEL: func.func private @layer_block(
// CHECK-SAME: %[[PACKS:[^:]*]]: i1)
// CHECK-SAME: tmm.configured
// CHECK: scf.if %[[PACKS]] {
// CHECK: func.call @layer_pack(
// CHECK: scf.for %[[K0:[a-z0-9_]*]] =
// CHECK-NOT: @layer_pack
// CHECK: arith.muli %[[K0]], %c25
// CHECK: func.call @layer_microkernel_25(

// CHECK-LABEL: func.func @layer(
// CHECK: tmm.config #tmm.config<[12x64,
// CHECK: scf.for
// CHECK: func.call @layer_block(
// CHECK: tmm.release
// CHECK-NEXT: return
func.func @layer(%x: tensor<100x90xbf16>, %w: tensor<64x90xbf16>) -> tensor<100x64xf32> {
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 25x32, unit = amx, group = 2, pack = whole, epilogue = tile, kc = 32>,
       target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">}
      : (tensor<100x90xbf16>, tensor<64x90xbf16>) -> tensor<100x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<100x64xf32>
}

// The panel to prefetch is the next of the block; after the last one comes the
// first one of the next block of K, and after all of K the next columns. Each
// strip asks for 64 bytes in each of the steps of 32, no further than the panel goes.
// CHECK-LABEL: func.func private @prefetching_block(
// CHECK-SAME: %[[PANELS:[a-z0-9_]*]]: index, %[[END:[a-z0-9_]*]]: index, %{{[a-z0-9_]*}}: index, %{{[a-z0-9_]*}}: index, %[[ACC:[a-z0-9_]*]]: index, %{{[a-z0-9_]*}}: index, %{{[a-z0-9_]*}}: i1)
// CHECK: scf.for %[[K0:[a-z0-9_]*]] =
// CHECK: %[[INSIDE:[0-9]+]] = arith.cmpi ugt, %[[END]], %[[FOLLOWING:[0-9]+]]
// CHECK: %[[DEEPER:.*]] = arith.addi %[[K0]], %{{.*}}
// CHECK: %[[MORE:.*]] = arith.cmpi ult, %[[DEEPER]], %c128
// CHECK: arith.select %[[MORE]], %[[PANELS]], %[[FOLLOWING]]
// CHECK: arith.select %[[MORE]], %[[DEEPER]], %c0
// CHECK: %[[NEXT:.*]] = arith.select %[[INSIDE]]
// CHECK: %[[FROM:.*]] = arith.minui
// CHECK: %[[PART:.*]] = arith.addi %[[NEXT]], %[[FROM]]
// The sums to prefetch are the next ones of the block; after the last come the
// first, and where K is not cut those that there are.
// CHECK: %[[SUMS_THEN:.*]] = arith.addi %{{.*}}, %c1024
// CHECK: %[[SOME_LEFT:.*]] = arith.cmpi ugt, %{{.*}}, %[[SUMS_THEN]]
// CHECK: %[[IN_BLOCK:.*]] = arith.andi %{{.*}}, %[[SOME_LEFT]]
// CHECK: %[[OF_BLOCK:.*]] = arith.select %[[IN_BLOCK]], %[[SUMS_THEN]], %c0
// CHECK: %[[NEXT_SUMS:.*]] = arith.addi %[[ACC]], %[[OF_BLOCK]]
// CHECK: func.call @prefetching_microkernel_32({{.*}}, %[[PART]], %[[NEXT_SUMS]])
func.func @prefetching(%x: tensor<64x128xbf16>, %w: tensor<64x128xbf16>) -> tensor<64x64xf32> {
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 32x32, unit = amx, hint = a, group = 2, prefetch = 64, pack = block, epilogue = tile, mc = 32, kc = 64, tiles = nm>,
       target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">}
      : (tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x64xf32>
}
