// lintel-tile with unit = amx: who configures the tile registers, who may use them,
// how x is packed for them, and what their k loop is to ask for, so that there is
// no function that does.
// RUN: lintel-opt %s --lintel-tile --canonicalize | FileCheck %s --implicit-check-not=_prefetch
// RUN: lintel-opt %s --lintel-tile --lintel-lower-microkernel --lintel-verify-kernel --lintel-verify-tmm | FileCheck %s --check-prefix=LOWERED

// 100 rows are four strips of 25: 12 and 13 rows of tiles.
// CHECK-LABEL: func.func private @layer_microkernel_25(
// CHECK-SAME: tmm.configured = #tmm.config<[12x64, 12x64, 13x64, 13x64, 12x64, 13x64, 16x64, 16x64]>
// Rows of sums are those of a register, and outputs of 25 KiB stay in L1.
// CHECK: lintel.microkernel %{{.*}} acc(%{{.*}}, %c16) first
// CHECK-NOT: touches
// LOWERED-LABEL: func.func private @layer_microkernel_25(
// LOWERED: tmm.dpbf16
// CHECK-LABEL: func.func private @layer_epilogue(
// CHECK-SAME: tmm.untouched
// CHECK: lintel.apply_epilogue %{{.*}} acc(%{{.*}}, %c16) at

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

// Packed once, before the loop over blocks of K: strip by strip, and each strip
// block of K by block of K, so that its rows of x are read to the end. A block of K
// of all strips is in one piece, which begins k times as many elements on as the
// strips have rows.
// CHECK-LABEL: func.func private @layer_block(
// CHECK-SAME: %[[ARGS:[^:]*]]: !lintel.kernel_args, %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index, {{.*}}, %[[PACKED:[^:]*]]: index, %[[PACKS:[^:]*]]: i1)
// CHECK-SAME: tmm.configured
// CHECK: %[[KC:.*]] = arith.maxui %{{.*}}, %c1 : index
// CHECK: scf.if %[[PACKS]] {
// CHECK-NEXT: scf.for %[[STRIP:[a-z0-9_]*]] = %[[BEGIN]] to %[[END]] step %c1 {
// CHECK-NEXT: scf.for %[[K0:[a-z0-9_]*]] = %c0 to %c90 step %[[KC]] {
// CHECK-NEXT: %[[LEFT:.*]] = arith.subi %c90, %[[K0]] : index
// CHECK-NEXT: %[[DEPTH:.*]] = arith.minui %[[KC]], %[[LEFT]] : index
// CHECK: %[[LINES:.*]] = arith.muli %{{.*}}, %c32 : index
// CHECK: %[[BEFORE:.*]] = arith.subi %[[STRIP]], %[[BEGIN]] : index
// CHECK-NEXT: %[[ROWS_BEFORE:.*]] = arith.muli %[[BEFORE]], %c25 : index
// CHECK-NEXT: %[[SIZE_BEFORE:.*]] = arith.muli %[[ROWS_BEFORE]], %[[LINES]] : index
// CHECK-NEXT: %[[IN_BLOCK:.*]] = arith.addi %[[PACKED]], %[[SIZE_BEFORE]] : index
// CHECK-NEXT: %[[STRIPS:.*]] = arith.subi %[[END]], %[[BEGIN]] : index
// CHECK-NEXT: %[[ALL_ROWS:.*]] = arith.muli %[[STRIPS]], %c25 : index
// CHECK-NEXT: %[[BLOCKS_BEFORE:.*]] = arith.muli %[[K0]], %[[ALL_ROWS]] : index
// CHECK-NEXT: %[[TO:.*]] = arith.addi %[[IN_BLOCK]], %[[BLOCKS_BEFORE]] : index
// CHECK-NEXT: func.call @layer_pack(%[[ARGS]], %{{.*}}, %{{.*}}, %[[K0]], %[[DEPTH]], %[[TO]])
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// The tiles read a block of K of a strip from where it was copied to.
// CHECK-NEXT: scf.for %[[K0:[a-z0-9_]*]] = %c0 to %c90 step %[[KC]] {
// CHECK-NOT: @layer_pack
// CHECK: scf.while
// CHECK: %[[TILE:.*]] = arith.select
// CHECK: %[[BEFORE_TILE:.*]] = arith.subi %[[TILE]], %[[BEGIN]] : index
// CHECK-NEXT: %[[ROWS_BEFORE_TILE:.*]] = arith.muli %[[BEFORE_TILE]], %c25 : index
// CHECK: %[[SIZE_BEFORE_TILE:.*]] = arith.muli %[[ROWS_BEFORE_TILE]], %{{.*}} : index
// CHECK-NEXT: %[[TILE_IN_BLOCK:.*]] = arith.addi %[[PACKED]], %[[SIZE_BEFORE_TILE]] : index
// CHECK-NEXT: %[[STRIPS:.*]] = arith.subi %[[END]], %[[BEGIN]] : index
// CHECK-NEXT: %[[ALL_ROWS:.*]] = arith.muli %[[STRIPS]], %c25 : index
// CHECK-NEXT: %[[BLOCKS_BEFORE:.*]] = arith.muli %[[K0]], %[[ALL_ROWS]] : index
// CHECK-NEXT: %[[FROM:.*]] = arith.addi %[[TILE_IN_BLOCK]], %[[BLOCKS_BEFORE]] : index
// CHECK-NOT: @layer_pack
// CHECK: func.call @layer_microkernel_25(%[[ARGS]], %[[FROM]],

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
// CHECK: %[[DEEPER:.*]] = arith.addi %[[K0]], %{{.*}}
// CHECK: %[[MORE:.*]] = arith.cmpi ult, %[[DEEPER]], %c128
// CHECK: %[[INSIDE:[0-9]+]] = arith.cmpi ugt, %[[END]], %[[FOLLOWING:[0-9]+]]
// CHECK: %[[PANEL_THEN:.*]] = arith.select %[[MORE]], %[[PANELS]], %[[FOLLOWING]]
// CHECK: %[[BEGIN_THEN:.*]] = arith.select %[[MORE]], %[[DEEPER]], %c0
// CHECK: %[[NEXT_PANEL:.*]] = arith.select %[[INSIDE]], %[[FOLLOWING]], %[[PANEL_THEN]]
// CHECK: %[[NEXT_BEGIN:.*]] = arith.select %[[INSIDE]], %[[K0]], %[[BEGIN_THEN]]
// CHECK: %[[DEPTHS:.*]] = arith.muli %[[NEXT_PANEL]], %c128
// CHECK: %[[NEXT_AT:.*]] = arith.addi %[[DEPTHS]], %[[NEXT_BEGIN]]
// CHECK: %[[NEXT:.*]] = arith.muli %[[NEXT_AT]], %c32
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

// In eight streams 16 lines a step are two in each of eight parts of the panel,
// four lines a step long: a strip begins where the one before it ended, in each.
// CHECK-LABEL: func.func private @prefetching_in_streams_block(
// CHECK: %[[BEFORE:[0-9]+]] = arith.muli %{{[0-9]+}}, %c64
// CHECK: %[[LAST:[0-9]+]] = arith.muli %{{[0-9]+}}, %c64
// CHECK: arith.minui %[[BEFORE]], %[[LAST]]
// CHECK: func.call @prefetching_in_streams_microkernel_32(
func.func @prefetching_in_streams(%x: tensor<128x128xbf16>, %w: tensor<64x128xbf16>) -> tensor<128x64xf32> {
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 32x32, unit = amx, hint = a, group = 2, prefetch = 1024, streams = 8, pack = block, epilogue = tile, mc = 128, kc = 64, tiles = nm>,
       target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">}
      : (tensor<128x128xbf16>, tensor<64x128xbf16>) -> tensor<128x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<128x64xf32>
}

// Outputs that may have left L1, and the full operand among those of the epilogue:
// the k loop asks for rows of both. Where a tile does not finish yet all rows are
// the first one, so that one loop serves every block of K, and asks for next to
// nothing until its epilogue follows.
// CHECK-LABEL: func.func private @touching_microkernel_32(
// CHECK-SAME: %[[ARGS:[^:]*]]: !lintel.kernel_args, %{{[^:]*}}: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %{{[^:]*}}: index, %{{[^:]*}}: i1, %[[NEXT:[^:]*]]: index, %[[FINISHES:[^:]*]]: i1)
// CHECK: %[[OPERAND:.*]] = lintel.kernel_arg %[[ARGS]] operand[1] : memref<bf16>
// CHECK: %[[OPERAND_STRIDE:.*]] = lintel.kernel_arg %[[ARGS]] operand_stride[1] : index
// CHECK: %[[OPERAND_APART:.*]] = arith.select %[[FINISHES]], %[[OPERAND_STRIDE]], %c0 : index
// CHECK: %[[ABOVE:.*]] = arith.muli %[[ROW]], %[[OPERAND_STRIDE]] : index
// CHECK: %[[FROM:.*]] = arith.addi %[[ABOVE]], %[[COLUMN]] : index
// CHECK: %[[OPERAND_TILE:.*]] = memref.reinterpret_cast %[[OPERAND]] to offset: [%[[FROM]]], sizes: [32, 32], strides: [%[[OPERAND_APART]], 1]
// CHECK: %[[OUTPUT:.*]] = lintel.kernel_arg %[[ARGS]] output[0] : memref<f32>
// CHECK: %[[STRIDE:.*]] = lintel.kernel_arg %[[ARGS]] output_stride[0] : index
// CHECK: %[[APART:.*]] = arith.select %[[FINISHES]], %[[STRIDE]], %c0 : index
// CHECK: %[[ABOVE:.*]] = arith.muli %[[ROW]], %[[STRIDE]] : index
// CHECK: %[[FROM:.*]] = arith.addi %[[ABOVE]], %[[COLUMN]] : index
// CHECK: %[[TILE:.*]] = memref.reinterpret_cast %[[OUTPUT]] to offset: [%[[FROM]]], sizes: [32, 32], strides: [%[[APART]], 1]
// CHECK: lintel.microkernel {{.*}} next_acc(%[[NEXT]]) touches(%[[OPERAND_TILE]], %[[TILE]] : memref<32x32xbf16, strided<[?, 1], offset: ?>>, memref<32x32xf32, strided<[?, 1], offset: ?>>)
// LOWERED-LABEL: func.func private @touching_microkernel_32(
// LOWERED: memref.prefetch {{.*}} locality<2>, data : memref<32x32xbf16,
// LOWERED: memref.prefetch {{.*}} locality<2>, data : memref<32x32xf32,
// CHECK-LABEL: func.func private @touching_block(
// CHECK: scf.for %[[K0:[a-z0-9_]*]] = %c0 to %c128
// CHECK: %[[THEN:.*]] = arith.addi %[[K0]], %{{.*}} : index
// CHECK: %[[LAST:.*]] = arith.cmpi uge, %[[THEN]], %c128 : index
// CHECK: func.call @touching_microkernel_32({{.*}}, %[[LAST]])
// CHECK-NEXT: scf.if %[[LAST]] {
// CHECK-NEXT: func.call @touching_epilogue(
func.func @touching(%x: tensor<128x128xbf16>, %w: tensor<96x128xbf16>, %b: tensor<96xf32>, %r: tensor<128x96xbf16>) -> tensor<128x96xf32> {
  %y = lintel.linear %x, %w epilogue(%b, %r : tensor<96xf32>, tensor<128x96xbf16>)
      {schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 2, epilogue = tile, kc = 64>,
       target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">}
      : (tensor<128x128xbf16>, tensor<96x128xbf16>) -> tensor<128x96xf32> {
  ^bb0(%acc: f32, %c: f32, %d: bf16):
    %0 = arith.addf %acc, %c : f32
    %1 = arith.extf %d : bf16 to f32
    %2 = arith.addf %0, %1 : f32
    lintel.yield %2 : f32
  }
  return %y : tensor<128x96xf32>
}

// Where K is not cut every tile finishes. Streamed outputs are not read.
// CHECK-LABEL: func.func private @streaming_microkernel_32(
// CHECK: lintel.kernel_arg %{{.*}} operand[0] : memref<f32>
// CHECK-NOT: output
// CHECK: lintel.microkernel {{.*}} columns(%c32) touches(%{{[^,]*}} : memref<32x32xf32, strided<[?, 1], offset: ?>>)
// CHECK-LABEL: func.func private @streaming_block(
// CHECK: func.call @streaming_microkernel_32({{.*}}, %true)
func.func @streaming(%x: tensor<128x128xbf16>, %w: tensor<96x128xbf16>, %r: tensor<128x96xf32>) -> tensor<128x96xf32> {
  %y = lintel.linear %x, %w epilogue(%r : tensor<128x96xf32>)
      {schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 2, epilogue = tile, store = stream>,
       target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">}
      : (tensor<128x128xbf16>, tensor<96x128xbf16>) -> tensor<128x96xf32> {
  ^bb0(%acc: f32, %d: f32):
    %0 = arith.addf %acc, %d : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<128x96xf32>
}

// With epilogue = next a tile finishes the one before: in the strip above, or the
// last of the panel before, where the outer loop is over panels. The two tiles of
// sums take turns. The first tile of a block has none before it, and what was
// ragged, like the last tile of a block, is finished at once.
// CHECK-LABEL: func.func private @finishing_microkernel_32(
// CHECK: lintel.microkernel %[[ARGS:[a-z0-9]*]] {{.*}} pending(%[[PENDING:[a-z0-9]*]]) at(%[[ROW:[a-z0-9]*]], %[[COLUMN:[a-z0-9]*]]) rows(%[[ROWS:[a-z0-9]*]])
// CHECK-NEXT: ^bb0
// K has two steps, in which the registers of rows 0 to 15 take two of them along.
// CHECK: %[[WHOLE:.*]] = arith.subi %{{.*}}, %c16
// CHECK: %[[TAKEN:.*]] = arith.minui %[[WHOLE]], %c2
// CHECK: %[[END:.*]] = arith.minui %[[ROWS]], %c16
// CHECK: %[[SOME:.*]] = arith.cmpi ugt, %[[END]], %[[TAKEN]]
// CHECK: scf.if %[[SOME]] {
// CHECK: %[[SUMS_BEFORE:.*]] = arith.muli %[[TAKEN]], %c16
// CHECK: %[[SUMS:.*]] = arith.addi %[[PENDING]], %[[SUMS_BEFORE]]
// CHECK: %[[BELOW:.*]] = arith.addi %[[ROW]], %[[TAKEN]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[END]], %[[TAKEN]]
// CHECK: func.call @finishing_epilogue(%[[ARGS]], %[[SUMS]], %[[BELOW]], %[[COLUMN]], %[[LEFT]])
// CHECK: arith.addi %[[TAKEN]], %c16
// CHECK: func.call @finishing_epilogue(%[[ARGS]]
// CHECK-LABEL: func.func private @finishing_block(
// CHECK-SAME: %[[ARGS:[^:]*]]: !lintel.kernel_args, %[[FIRST:[^:]*]]: index, %[[END:[^:]*]]: index, %[[FIRST_PANEL:[^:]*]]: index, %[[END_PANEL:[^:]*]]: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %[[ACC:[^:]*]]: index,
// CHECK: %[[OUTER_N:.*]] = arith.cmpi eq
// CHECK: ^bb0(%{{[^:]*}}: index, %[[INNER:[^:]*]]: index, %[[NUMBER:[^:]*]]: index):
// CHECK: %[[STRIP:.*]] = arith.select %[[OUTER_N]]
// CHECK: %[[PANEL:.*]] = arith.select %[[OUTER_N]]
// CHECK: %[[RAGGED:.*]] = arith.cmpi ugt, %{{.*}}, %c72
// CHECK: %[[PAIRS:.*]] = arith.divui %[[NUMBER]], %c2048
// CHECK: %[[EVEN:.*]] = arith.muli %[[PAIRS]], %c2048
// CHECK: %[[TURN:.*]] = arith.subi %[[NUMBER]], %[[EVEN]]
// CHECK: %[[SUMS:.*]] = arith.addi %[[ACC]], %[[TURN]]
// CHECK: %[[BEGINS:.*]] = arith.cmpi eq, %[[INNER]],
// CHECK: %[[LAST_STRIP:.*]] = arith.subi %[[END]], %c1
// CHECK: %[[ABOVE:.*]] = arith.subi %[[STRIP]], %c1
// CHECK: arith.select %[[BEGINS]], %[[LAST_STRIP]], %[[ABOVE]]
// CHECK: %[[OTHER_TURN:.*]] = arith.subi %c1024, %{{.*}}
// CHECK: %[[SUMS_BEFORE:.*]] = arith.addi %[[ACC]], %[[OTHER_TURN]]
// CHECK: %[[COLUMN:.*]] = arith.muli %{{.*}}, %c32
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[NUMBER]], %c0
// CHECK: %[[RAGGED_BEFORE:.*]] = arith.cmpi ugt, %{{.*}}, %c72
// CHECK: %[[NONE:.*]] = arith.ori %[[IS_FIRST]], %[[RAGGED_BEFORE]]
// CHECK: %[[ROWS:.*]] = arith.select %[[NONE]], %c0,
// CHECK: func.call @finishing_microkernel_32(%[[ARGS]], %{{.*}}, %{{.*}}, %[[SUMS]], %{{.*}}, %{{.*}}, %[[SUMS_BEFORE]], %{{.*}}, %[[COLUMN]], %[[ROWS]])
// CHECK: %[[LAST:.*]] = arith.andi
// CHECK: %[[NOW:.*]] = arith.ori %[[RAGGED]], %[[LAST]]
// CHECK: scf.if %[[NOW]] {
// CHECK-NEXT: func.call @finishing_epilogue(%[[ARGS]], %[[SUMS]],
// The workspace holds two tiles of sums before the packed rows.
// CHECK-LABEL: func.func @finishing(
// CHECK: %[[OWN:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK: arith.addi %{{.*}}, %c2048 : index
func.func @finishing(%x: tensor<64x64xbf16>, %w: tensor<72x64xbf16>) -> tensor<64x72xf32> {
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 2, pack = block, epilogue = next>,
       target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">}
      : (tensor<64x64xbf16>, tensor<72x64xbf16>) -> tensor<64x72xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x72xf32>
}

// Where K is cut, and is at run time, the sums of the tile before stand before
// those of this one; nothing is pending as long as more of K follows.
// CHECK-LABEL: func.func private @finishing_cut_block(
// CHECK: %[[CUT:.*]] = arith.cmpi ult, %[[KC:[0-9]+]], %c64
// CHECK: scf.for %[[K0:[a-z0-9_]*]] = %c0 to %c64 step %[[KC]] {
// CHECK: %[[SO_FAR:.*]] = arith.addi %[[K0]],
// CHECK: %[[LAST:.*]] = arith.cmpi uge, %[[SO_FAR]], %c64
// CHECK: %[[BEFORE:.*]] = arith.subi %{{.*}}, %c1024
// CHECK: %[[PENDING:.*]] = arith.select %[[CUT]], %[[BEFORE]],
// CHECK: %[[NOT_FIRST:.*]] = arith.cmpi ne, %{{.*}}, %c0
// CHECK: %[[SOME:.*]] = arith.andi %[[LAST]], %[[NOT_FIRST]]
// CHECK: %[[ROWS:.*]] = arith.select %[[SOME]], %{{.*}}, %c0
// CHECK: func.call @finishing_cut_microkernel_32({{.*}}, %[[PENDING]], %{{.*}}, %{{.*}}, %[[ROWS]])
func.func @finishing_cut(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 2, pack = block, epilogue = next, kc = 32>,
       target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">}
      : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x64xf32>
}

// f16 is split into two bf16 each, as halves of which neither is zero unless it
// is: rows as they are packed, first all high parts of a step, and a panel
// before the strips of a block pass it, where K lies in pairs then. Micro-kernels
// are those of bf16.
// CHECK-LABEL: func.func private @split_microkernel_32(
// CHECK: lintel.microkernel %{{.*}} : memref<bf16>, memref<bf16>, memref<f32>
// CHECK-LABEL: func.func private @split_pack(
// CHECK: %[[TO:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [%{{.*}}, 1024], strides: [1024, 1] : memref<i16>
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %c0 to %{{.*}} step %c32 {
// CHECK: %[[GROUP:.*]] = arith.divui %[[K]], %c32
// CHECK: scf.for %[[R:[a-z0-9_]*]] =
// CHECK: %[[X:.*]] = vector.load %{{.*}}[%[[R]], %[[K]]] : {{.*}}, vector<32xf16>
// CHECK: %[[COLUMN:.*]] = arith.muli %[[R]], %c32
// CHECK: %[[HIGH_ROW:.*]] = arith.muli %[[GROUP]], %c2
// CHECK: %[[LOW_ROW:.*]] = arith.addi %[[HIGH_ROW]], %c1
// CHECK: %[[WHOLE:.*]] = arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
// CHECK: %[[BITS:.*]] = arith.bitcast %[[WHOLE]]
// CHECK: %[[LOWER:.*]] = arith.andi %[[BITS]],
// CHECK: %[[SOME:.*]] = arith.cmpi ne, %[[LOWER]],
// CHECK: %[[HALF:.*]] = arith.mulf %[[WHOLE]],
// CHECK-DAG: %[[HALF_BITS:.*]] = arith.bitcast %[[HALF]]
// CHECK-DAG: %[[UPPER:.*]] = arith.andi %[[BITS]],
// CHECK: %[[HIGH_BITS:.*]] = arith.select %[[SOME]], %[[UPPER]], %[[HALF_BITS]]
// CHECK: %[[HIGH:.*]] = arith.bitcast %[[HIGH_BITS]]
// CHECK: %[[LOW:.*]] = arith.subf %[[WHOLE]], %[[HIGH]]
// CHECK: arith.select %[[SOME]], %[[LOW]], %[[HALF]]
// CHECK: vector.store %{{.*}}, %[[TO]][%[[HIGH_ROW]], %[[COLUMN]]] : {{.*}}, vector<16xi16>
// CHECK: vector.store %{{.*}}, %[[TO]][%[[LOW_ROW]], %[[COLUMN]]] : {{.*}}, vector<16xi16>
// CHECK: scf.if
// CHECK: vector.maskedload {{.*}} into vector<32xf16>
// CHECK-LABEL: func.func private @split_widen(
// CHECK: %[[W:.*]] = lintel.kernel_arg %{{.*}} w : memref<f16>
// CHECK: %[[FROM:.*]] = memref.reinterpret_cast %[[W]] to offset: [%{{.*}}], sizes: [%{{.*}}, 32], strides: [32, 1]
// CHECK: %[[PANEL:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [%{{.*}}, 64], strides: [64, 1] : memref<i16>
// CHECK: scf.for %[[STEP:[a-z0-9_]*]] =
// CHECK: %[[FIRST:.*]] = arith.muli %[[STEP]], %c32
// CHECK: scf.for %[[PAIR:[a-z0-9_]*]] = %c0 to %c16
// CHECK: %[[TWICE:.*]] = arith.muli %[[PAIR]], %c2
// CHECK: %[[EVEN:.*]] = arith.addi %[[FIRST]], %[[TWICE]]
// CHECK: %[[AHEAD:.*]] = arith.addi %[[EVEN]], %c32
// CHECK: memref.prefetch %[[FROM]][%[[AHEAD]], %c0], read, locality<3>
// CHECK: vector.load %[[FROM]][%[[EVEN]], %c0] : {{.*}}, vector<16xf16>
// CHECK: %[[ODD:.*]] = arith.addi %[[EVEN]], %c1
// CHECK: vector.load %[[FROM]][%[[ODD]], %c0] : {{.*}}, vector<16xf16>
// CHECK: %[[HIGHS:.*]] = arith.addi %[[FIRST]], %[[PAIR]]
// CHECK: vector.store %{{.*}}, %[[PANEL]][%[[HIGHS]], %c0] : {{.*}}, vector<32xi16>
// CHECK: %[[LOWS:.*]] = arith.addi %[[HIGHS]], %c16
// CHECK: vector.store %{{.*}}, %[[PANEL]][%[[LOWS]], %c0] : {{.*}}, vector<32xi16>
// LOWERED-LABEL: func.func private @split_microkernel_32(
// LOWERED-COUNT-16: tmm.dpbf16
func.func @split(%x: tensor<64x40xf16>, %w: tensor<64x40xf16>) -> tensor<64x64xf32> {
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 32x32, unit = amx, pack = block, widen = panel, epilogue = tile, tiles = nm>,
       target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">}
      : (tensor<64x40xf16>, tensor<64x40xf16>) -> tensor<64x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x64xf32>
}
