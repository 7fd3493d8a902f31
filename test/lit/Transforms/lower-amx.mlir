// lintel-lower-microkernel with unit = amx: sums in tile registers, a cache line
// of each row of x a step.
// RUN: lintel-opt %s --split-input-file --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// Each tile is loaded right before its first product, those of B one after the
// other into one register.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %{{[^:]*}}: !lintel.kernel_args, %[[A:[^:]*]]: memref<bf16>, %[[B:[^:]*]]: memref<bf16>, %[[ACC:[^:]*]]: memref<f32>, %[[I:[^:]*]]: index,
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : index
// CHECK-DAG: %[[C768:.*]] = arith.constant 768 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[C512:.*]] = arith.constant 512 : index
// CHECK-DAG: %[[END:.*]] = arith.constant 128 : index
// CHECK: tmm.zero 0
// CHECK: tmm.zero 1
// CHECK: tmm.zero 2
// CHECK: tmm.zero 3
// A depth of 100 is packed, and padded, to 128.
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %{{.*}} to %[[END]] step %[[C32]] {
// CHECK: %[[A_STEP:.*]] = arith.muli %[[K]], %[[C32]]
// CHECK: %[[A0:.*]] = arith.addi %{{.*}}, %[[A_STEP]]
// CHECK: tmm.load 4, %[[A]][%[[A0]]], %[[C32]] hint(streamed) : memref<bf16>
// CHECK: tmm.load 6, %[[B]][%[[B0:.*]]], %[[C64]] : memref<bf16>
// CHECK: tmm.dpbf16 0, 4, 6
// CHECK: %[[A1:.*]] = arith.addi %[[A0]], %[[C512]]
// CHECK-NOT: memref.prefetch
// CHECK: tmm.load 5, %[[A]][%[[A1]]], %[[C32]] hint(streamed) : memref<bf16>
// CHECK: tmm.dpbf16 2, 5, 6
// CHECK: %[[B1:.*]] = arith.addi %[[B0]], %[[C32]]
// CHECK-NOT: memref.prefetch
// CHECK: tmm.load 6, %[[B]][%[[B1]]], %[[C64]] : memref<bf16>
// CHECK: tmm.dpbf16 1, 4, 6
// CHECK: tmm.dpbf16 3, 5, 6
// CHECK-NEXT: }
// Registers stand one behind the other, those of columns 16 to 31 after the 32
// rows of columns 0 to 15.
// CHECK: tmm.store 0, %[[ACC]][%[[I]]], %[[C16]] : memref<f32>
// CHECK: %[[S1:.*]] = arith.addi %[[I]], %[[C512]]
// CHECK: tmm.store 1, %[[ACC]][%[[S1]]], %[[C16]] : memref<f32>
// CHECK: %[[S2:.*]] = arith.addi %[[I]], %[[C256]]
// CHECK: tmm.store 2, %[[ACC]][%[[S2]]], %[[C16]] : memref<f32>
// CHECK: %[[S3:.*]] = arith.addi %[[I]], %[[C768]]
// CHECK: tmm.store 3, %[[ACC]][%[[S3]]], %[[C16]] : memref<f32>
// CHECK-NOT: {{scf.for|memref.prefetch}}
// CHECK: return
func.func @packed(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %lda: index) {
  %true = arith.constant true
  %ldacc = arith.constant 16 : index
  %depth = arith.constant 100 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 32, schedule = #lintel.schedule<tile = 32x32, unit = amx, hint = a, group = 2, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// In place the rows of x are lda apart; 25 rows are 12 and 13. Where K is cut,
// the sums of the blocks before are loaded, and those of the next tile asked for:
// a row of 16 of its register with each product, in the first 13 steps.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[ACC:[^:]*]]: memref<f32>, %[[I:[^:]*]]: index, %[[LDA:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[FIRST:[^:]*]]: i1, %[[NEXT:[^:]*]]: index)
// CHECK-DAG: %[[C12:.*]] = arith.constant 12 : index
// CHECK: scf.if %[[FIRST]] {
// CHECK-COUNT-2: tmm.zero
// CHECK: } else {
// CHECK-NEXT: tmm.load 0, %[[ACC]][%[[I]]], %c16 : memref<f32>
// CHECK-NEXT: %[[SECOND:.*]] = arith.addi %[[I]], %c192
// CHECK-NEXT: tmm.load 1, %[[ACC]][%[[SECOND]]], %c16 : memref<f32>
// CHECK-NEXT: }
// CHECK: %[[ASKING:.*]] = arith.minui %[[DEPTH]], %c416
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %c0 to %[[ASKING]] step %c32 {
// CHECK: %[[A0:.*]] = arith.addi %[[I]], %[[K]]
// CHECK: tmm.load 3, %{{.*}}[%[[A0]]], %[[LDA]] : memref<bf16>
// CHECK: tmm.load 2, %{{.*}} hint(streamed) : memref<bf16>
// CHECK: tmm.dpbf16 0, 3, 2
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %[[ACC]] to offset: [%[[NEXT]]], sizes: [400]
// CHECK: %[[STEP:.*]] = arith.divui %[[K]], %c32
// CHECK: %[[LINE:.*]] = arith.muli %[[STEP]], %c16
// CHECK: memref.prefetch %[[SUMS]][%[[LINE]]], read, locality<3>, data
// CHECK: %[[ROWS:.*]] = arith.muli %[[LDA]], %[[C12]]
// CHECK: %[[A1:.*]] = arith.addi %[[A0]], %[[ROWS]]
// CHECK: tmm.load 4, %{{.*}}[%[[A1]]], %[[LDA]] : memref<bf16>
// CHECK: tmm.dpbf16 1, 4, 2
// CHECK: %[[LOWER:.*]] = arith.addi %[[LINE]], %c192
// CHECK: memref.prefetch %[[SUMS]][%[[LOWER]]], read, locality<3>, data
// CHECK-NEXT: }
// The other steps have nothing left to ask for.
// CHECK: scf.for %{{.*}} = %[[ASKING]] to %[[DEPTH]] step %c32 {
// CHECK-NOT: memref.prefetch
// CHECK: tmm.dpbf16 0, 3, 2
// CHECK-NOT: memref.prefetch
// CHECK: tmm.dpbf16 1, 4, 2
// CHECK-NEXT: }
// CHECK: tmm.store 0,
func.func @in_place(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %lda: index, %depth: index, %first: i1, %next: index) {
  %true = arith.constant true
  %ldacc = arith.constant 16 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %ldacc) first(%first) last(%true) at(%i, %i) columns(%i) next_acc(%next)
      attributes {rows = 25, schedule = #lintel.schedule<tile = 25x16, unit = amx, hint = b, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

// f16 lies in pairs here, too.
// CHECK-LABEL: func.func @halves(
// CHECK: scf.for %{{.*}} step %c32
// CHECK: tmm.load 1, {{.*}} : memref<f16>
// CHECK: %[[B0:.*]] = arith.addi
// CHECK: tmm.load 2, %{{.*}}[%[[B0]]], %c32 : memref<f16>
// CHECK: tmm.dpfp16 0, 1, 2
func.func @halves(%args: !lintel.kernel_args, %a: memref<f16>, %b: memref<f16>, %s: memref<f32>, %i: index, %lda: index) {
  %true = arith.constant true
  %ldacc = arith.constant 16 : index
  %depth = arith.constant 64 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x16, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-fp16+amx-tile">, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}

// -----

// Lines of the next panel, spread over the products of a step.
// CHECK-LABEL: func.func @prefetching(
// CHECK-SAME: %[[NEXT:[^:]*]]: index)
// CHECK: scf.for %[[K:[a-z0-9_]*]] =
// CHECK: tmm.dpbf16 0,
// CHECK: %[[LINES:.*]] = arith.muli %[[K]], %c2
// CHECK: %[[AT:.*]] = arith.addi %[[NEXT]], %[[LINES]]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[AT]]]
// CHECK-COUNT-1: memref.prefetch %{{.*}}[%{{.*}}], read, locality<2>, data
// CHECK: tmm.dpbf16 1,
// CHECK-COUNT-1: memref.prefetch
// CHECK: tmm.store
func.func @prefetching(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %next: index) {
  %true = arith.constant true
  %ldacc = arith.constant 16 : index
  %depth = arith.constant 64 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i) next(%next)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, prefetch = 128, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// In streams a step asks for some lines in each of as many equal parts of the panel:
// eight lines of a panel of 32 columns for two in each of four parts, which are eight
// lines of 32 for each step of K long.
// CHECK-LABEL: func.func @prefetching_in_streams(
// CHECK-SAME: %[[DEPTH:[a-z0-9_]*]]: index, %[[NEXT:[a-z0-9_]*]]: index)
// CHECK: %[[DISTANCE:.*]] = arith.muli %{{.*}}, %c256
// CHECK: scf.for %[[K:[a-z0-9_]*]] =
// CHECK: tmm.dpbf16 0,
// CHECK: %[[LINES:.*]] = arith.muli %[[K]], %c2
// CHECK: %[[FIRST:.*]] = arith.addi %[[NEXT]], %[[LINES]]
// CHECK: %[[TWO:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%[[FIRST]]], sizes: [64]
// CHECK: memref.prefetch %[[TWO]][%c0], read, locality<2>, data
// CHECK: memref.prefetch %[[TWO]][%c32], read, locality<2>, data
// CHECK: %[[SECOND:.*]] = arith.addi %[[FIRST]], %[[DISTANCE]]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[SECOND]]]
// CHECK-COUNT-2: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: tmm.dpbf16 1,
// CHECK: %[[THIRD:.*]] = arith.addi %[[SECOND]], %[[DISTANCE]]
// CHECK-COUNT-2: memref.prefetch
// CHECK: arith.addi %[[THIRD]], %[[DISTANCE]]
// CHECK-COUNT-2: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: tmm.store
func.func @prefetching_in_streams(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %depth: index, %next: index) {
  %true = arith.constant true
  %ldacc = arith.constant 16 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i) next(%next)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, prefetch = 512, streams = 4, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// What a step 1 KiB later reads: 512 elements behind the 32 columns of this one.
// CHECK-LABEL: func.func @ahead(
// CHECK-SAME: %[[I:[^:]*]]: index)
// CHECK-DAG: %[[C512:.*]] = arith.constant 512 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK: scf.for %[[K:[a-z0-9_]*]] =
// CHECK: %[[STEP:.*]] = arith.muli %[[K]], %[[C32]]
// CHECK: %[[READ:.*]] = arith.addi %[[I]], %[[STEP]]
// CHECK: tmm.load {{.*}}[%[[READ]]]
// CHECK: tmm.dpbf16 0,
// CHECK: %[[AT:.*]] = arith.addi %[[READ]], %[[C512]]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[AT]]]
// CHECK-COUNT-16: memref.prefetch %{{.*}}[%{{.*}}], read, locality<2>, data
// CHECK: tmm.dpbf16 1,
// CHECK-COUNT-16: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: tmm.store
func.func @ahead(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index) {
  %true = arith.constant true
  %ldacc = arith.constant 16 : index
  %depth = arith.constant 64 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, ahead = 1024, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// What the epilogue will touch is asked for in the first 13 steps, as many as the
// taller row of registers is high: each takes two rows, as there are two rows of
// registers, and follows its products with their lines, one of bf16 and two of
// f32. The prefetch of the weight goes on to the end.
// CHECK-LABEL: func.func @touching(
// CHECK-SAME: %[[B:[a-z0-9_]*]]: memref<bf16>, %{{[a-z0-9_]*}}: memref<f32>, %{{[a-z0-9_]*}}: index, %[[NEXT:[a-z0-9_]*]]: index, %[[HALVES:[a-z0-9_]*]]: memref<25x32xbf16, {{[^:]*: \?>>}}, %[[FLOATS:[a-z0-9_]*]]: memref<25x32xf32, {{[^:]*: \?>>}})
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %c0 to %c416 step %c32 {
// CHECK: tmm.dpbf16 0, 4, 6
// CHECK: %[[STEP:.*]] = arith.divui %[[K]], %c32
// CHECK: %[[ROW:.*]] = arith.muli %[[STEP]], %c2
// CHECK-NEXT: memref.prefetch %[[HALVES]][%[[ROW]], %c0], read, locality<2>, data
// CHECK-NEXT: memref.prefetch %[[FLOATS]][%[[ROW]], %c0], read, locality<2>, data
// CHECK-NOT: memref.prefetch
// CHECK: tmm.dpbf16 2, 5, 6
// CHECK-NEXT: memref.prefetch %[[FLOATS]][%[[ROW]], %c16], read, locality<2>, data
// CHECK-NOT: memref.prefetch
// CHECK: tmm.dpbf16 1, 4, 6
// CHECK-NEXT: %[[FOLLOWING:.*]] = arith.addi %[[ROW]], %c1
// CHECK-NEXT: memref.prefetch %[[HALVES]][%[[FOLLOWING]], %c0], read, locality<2>, data
// CHECK-NEXT: memref.prefetch %[[FLOATS]][%[[FOLLOWING]], %c0], read, locality<2>, data
// CHECK-NEXT: tmm.dpbf16 3, 5, 6
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[NEXT]], %[[K]]
// CHECK-NEXT: %[[PANEL:.*]] = memref.reinterpret_cast %[[B]] to offset: [%[[AT]]]
// CHECK-NEXT: memref.prefetch %[[PANEL]][%c0], read, locality<2>, data
// CHECK-NEXT: memref.prefetch %[[FLOATS]][%[[FOLLOWING]], %c16], read, locality<2>, data
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %[[K:[a-z0-9_]*]] = %c416 to %c1024 step %c32 {
// CHECK-NOT: memref.prefetch
// CHECK: tmm.dpbf16 3, 5, 6
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[NEXT]], %[[K]]
// CHECK-NEXT: %[[PANEL:.*]] = memref.reinterpret_cast %[[B]] to offset: [%[[AT]]]
// CHECK-NEXT: memref.prefetch %[[PANEL]][%c0], read, locality<2>, data
// CHECK-NEXT: }
// CHECK: tmm.store 0,
func.func @touching(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %next: index,
                    %halves: memref<25x32xbf16, strided<[?, 1], offset: ?>>, %floats: memref<25x32xf32, strided<[?, 1], offset: ?>>) {
  %true = arith.constant true
  %ldacc = arith.constant 16 : index
  %depth = arith.constant 1024 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i) next(%next)
      touches(%halves, %floats : memref<25x32xbf16, strided<[?, 1], offset: ?>>, memref<25x32xf32, strided<[?, 1], offset: ?>>)
      attributes {rows = 25, schedule = #lintel.schedule<tile = 25x32, unit = amx, group = 2, prefetch = 64, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// A K of two steps asks for four rows in each, no more than four lines a product,
// and no other loop follows.
// The sums of the next tile are wanted in L1, where it begins by loading them.
// CHECK-LABEL: func.func @touching_and_shallow(
// CHECK-SAME: %[[NEXT:[a-z0-9_]*]]: index, %[[Y:[a-z0-9_]*]]: memref<16x16xf32>)
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %c0 to %c64 step %c32 {
// CHECK: tmm.dpbf16 0, 1, 2
// CHECK: %[[STEP:.*]] = arith.divui %[[K]], %c32
// CHECK: memref.prefetch %{{.*}}[%{{.*}}], read, locality<3>, data
// CHECK: %[[BEFORE:.*]] = arith.muli %[[STEP]], %c4
// CHECK-NEXT: memref.prefetch %[[Y]][%[[BEFORE]], %c0], read, locality<2>, data
// CHECK-COUNT-3: memref.prefetch %[[Y]][%{{.*}}, %c0], read, locality<2>, data
// CHECK-NEXT: }
// CHECK-NOT: scf.for
// CHECK: return
func.func @touching_and_shallow(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %next: index,
                                %y: memref<16x16xf32>) {
  %true = arith.constant true
  %ldacc = arith.constant 16 : index
  %depth = arith.constant 64 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i) next_acc(%next)
      touches(%y : memref<16x16xf32>)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x16, unit = amx, group = 2, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// With epilogue = next each product of the first steps takes along the row of its
// register in the pending tile: 12 rows at most, so that all registers have one,
// no more than the tile has in its last ones, and no more than there are steps.
// What its columns share is read before, and not where nothing is pending.
// CHECK-LABEL: func.func @finishing_another(
// CHECK-SAME: %[[ARGS:[^:]*]]: !lintel.kernel_args, %{{[^:]*}}: memref<bf16>, %{{[^:]*}}: memref<bf16>, %[[ACC:[^:]*]]: memref<f32>, %[[I:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[PENDING:[^:]*]]: index, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[ROWS:[^:]*]]: index)
// CHECK: %[[UP:.*]] = arith.addi %[[DEPTH]], %c31
// CHECK: %[[STEPS:.*]] = arith.divui %[[UP]], %c32
// CHECK: %[[END:.*]] = arith.muli %[[STEPS]], %c32
// CHECK: %[[MOST:.*]] = arith.minui %[[ROWS]], %c24
// CHECK: %[[ENOUGH:.*]] = arith.maxui %[[MOST]], %c12
// CHECK: %[[WHOLE:.*]] = arith.subi %[[ENOUGH]], %c12
// CHECK: %[[TAKEN:.*]] = arith.minui %[[WHOLE]], %[[STEPS]]
// CHECK: %[[FINISHING:.*]] = arith.muli %[[TAKEN]], %c32
// CHECK: %[[SOME:.*]] = arith.cmpi ugt, %[[TAKEN]], %c0
// CHECK: scf.if %[[SOME]] {
// CHECK: %[[BIASES:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%[[COLUMN]]]
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %[[ACC]] to offset: [%[[PENDING]]], sizes: [25, 16], strides: [16, 1]
// CHECK: %[[BIAS:.*]] = vector.load %[[BIASES]]
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %c0 to %[[FINISHING]] step %c32 {
// CHECK: tmm.dpbf16 0,
// CHECK: %[[STEP:.*]] = arith.divui %[[K]], %c32
// CHECK: arith.addi %[[ROW]], %[[STEP]]
// CHECK: %[[SUM:.*]] = vector.load %[[SUMS]][%[[STEP]], %c0]
// CHECK: %[[Y:.*]] = arith.addf %[[SUM]], %[[BIAS]]
// CHECK: vector.store %[[Y]]
// CHECK: tmm.dpbf16 1,
// CHECK: %[[LOWER:.*]] = arith.addi %[[STEP]], %c12
// CHECK: vector.load %[[SUMS]][%[[LOWER]], %c0]
// CHECK: vector.store
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK: scf.for %{{.*}} = %[[FINISHING]] to %[[END]] step %c32 {
// CHECK-NOT: vector
// CHECK: tmm.dpbf16 1,
// CHECK-NEXT: }
// CHECK-NEXT: tmm.store 0, %[[ACC]][%[[I]]]
// CHECK-NOT: vector
// CHECK: return
func.func @finishing_another(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %depth: index, %acc: index, %row: index, %column: index, %rows: index) {
  %true = arith.constant true
  %ldacc = arith.constant 16 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      pending(%acc) at(%row, %column) rows(%rows)
      attributes {rows = 25, schedule = #lintel.schedule<tile = 25x16, unit = amx, group = 2, pack = block, epilogue = next>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = ["column"]}
      : memref<bf16>, memref<bf16>, memref<f32> {
  ^bb0(%sum: f32, %bias: f32):
    %0 = arith.addf %sum, %bias : f32
    lintel.yield %0 : f32
  }
  return
}

// -----

// Of f16 that was split a step takes the high parts of both factors, the low
// part of b with that of a, with this the low part of a, and the high part of b
// again: a is loaded twice, the columns of b go back and forth, so that one
// stays for the next part of a. Parts of a step stand one behind the other, and what is asked for is spread over all
// four passes.
// CHECK-LABEL: func.func @split(
// CHECK-SAME: %[[A:[^:]*]]: memref<bf16>, %[[B:[^:]*]]: memref<bf16>, %{{[^:]*}}: memref<f32>, %[[W:[^:]*]]: memref<f16>, %[[I:[^:]*]]: index, %[[NEXT:[^:]*]]: index)
// CHECK-DAG: %[[C512:.*]] = arith.constant 512 : index
// CHECK-DAG: %[[C1024:.*]] = arith.constant 1024 : index
// CHECK-DAG: %[[C1056:.*]] = arith.constant 1056 : index
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %{{.*}} to %{{.*}} step %c32 {
// CHECK: %[[A_STEP:.*]] = arith.muli %[[K]], %c32
// CHECK: %[[A_HIGH:.*]] = arith.addi %[[I]], %[[A_STEP]]
// CHECK: tmm.load 2, %[[A]][%[[A_HIGH]]], %c32 : memref<bf16>
// CHECK: %[[B_STEP:.*]] = arith.muli %[[K]], %c64
// CHECK: %[[B_HIGH:.*]] = arith.addi %[[I]], %[[B_STEP]]
// CHECK: tmm.load 3, %[[B]][%[[B_HIGH]]], %c64 : memref<bf16>
// CHECK: tmm.dpbf16 0, 2, 3
// CHECK: memref.reinterpret_cast %[[W]]
// CHECK-COUNT-1: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: tmm.load 3,
// CHECK: tmm.dpbf16 1, 2, 3
// CHECK: %[[B_AT:.*]] = arith.addi %{{.*}}, %[[C1056]]
// CHECK: tmm.load 3, %[[B]][
// CHECK: tmm.dpbf16 1, 2, 3
// CHECK: %[[B_LOW:.*]] = arith.addi %[[B_HIGH]], %[[C1024]]
// CHECK: tmm.load 3, %[[B]][%[[B_LOW]]], %c64 : memref<bf16>
// CHECK: tmm.dpbf16 0, 2, 3
// CHECK: %[[A_AT:.*]] = arith.addi %[[A_STEP]], %[[C512]]
// CHECK: %[[A_LOW:.*]] = arith.addi %[[I]], %[[A_AT]]
// CHECK: tmm.load 2, %[[A]][%[[A_LOW]]], %c32 : memref<bf16>
// CHECK-NEXT: tmm.dpbf16 0, 2, 3
// CHECK: tmm.load 3,
// CHECK: tmm.dpbf16 1, 2, 3
// CHECK-COUNT-1: memref.prefetch
// CHECK: tmm.load 3, %[[B]][%[[B_HIGH]]], %c64 : memref<bf16>
// CHECK: tmm.dpbf16 0, 2, 3
// CHECK: tmm.load 3,
// CHECK: tmm.dpbf16 1, 2, 3
// CHECK-NOT: tmm.dpbf16
func.func @split(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %w: memref<f16>, %i: index, %next: index) {
  %true = arith.constant true
  %ldacc = arith.constant 16 : index
  %depth = arith.constant 64 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      next(%next) next_in(%w : memref<f16>)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, prefetch = 128, pack = block, widen = panel, epilogue = tile, tiles = nm>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}
