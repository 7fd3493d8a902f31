// lintel-lower-microkernel with unit = amx: sums in tile registers, a cache line
// of each row of x a step.
// RUN: lintel-opt %s --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// Each tile is loaded right before its first product.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %{{[^:]*}}: !lintel.kernel_args, %[[A:[^:]*]]: memref<bf16>, %[[B:[^:]*]]: memref<bf16>, %[[ACC:[^:]*]]: memref<f32>,
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
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
// CHECK: tmm.load 7, %[[B]][%[[B1]]], %[[C64]] : memref<bf16>
// CHECK: tmm.dpbf16 1, 4, 7
// CHECK: tmm.dpbf16 3, 5, 7
// CHECK-NEXT: }
// CHECK: tmm.store 0, %[[ACC]][
// CHECK: tmm.store 1, %[[ACC]][
// CHECK: tmm.store 2, %[[ACC]][
// CHECK: tmm.store 3, %[[ACC]][
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @packed(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %lda: index) {
  %true = arith.constant true
  %depth = arith.constant 100 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 32, schedule = #lintel.schedule<tile = 32x32, unit = amx, hint = a, group = 2, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// In place the rows of x are lda apart; 25 rows are 12 and 13. Where K is cut,
// the sums of the blocks before are loaded, and those of the next tile asked for:
// a line of 16 with each product, 26 in 13 steps.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[ACC:[^:]*]]: memref<f32>, %[[I:[^:]*]]: index, %[[LDA:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[FIRST:[^:]*]]: i1, %[[NEXT:[^:]*]]: index)
// CHECK-DAG: %[[C12:.*]] = arith.constant 12 : index
// CHECK: scf.if %[[FIRST]] {
// CHECK-COUNT-2: tmm.zero
// CHECK: } else {
// CHECK-COUNT-2: tmm.load {{.*}} : memref<f32>
// CHECK: }
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %{{.*}} to %[[DEPTH]] step
// CHECK: %[[A0:.*]] = arith.addi %[[I]], %[[K]]
// CHECK: tmm.load 3, %{{.*}}[%[[A0]]], %[[LDA]] : memref<bf16>
// CHECK: tmm.load 2, %{{.*}} hint(streamed) : memref<bf16>
// CHECK: tmm.dpbf16 0, 3, 2
// CHECK: %[[CLAMPED:.*]] = arith.minui %[[K]], %c384
// CHECK: %[[STEP:.*]] = arith.divui %[[CLAMPED]], %c32
// CHECK: %[[LINES:.*]] = arith.muli %[[STEP]], %c32
// CHECK: %[[LINE:.*]] = arith.addi %[[NEXT]], %[[LINES]]
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %[[ACC]] to offset: [%[[LINE]]]
// CHECK: memref.prefetch %[[SUMS]][%c0], read, locality<3>, data
// CHECK: %[[ROWS:.*]] = arith.muli %[[LDA]], %[[C12]]
// CHECK: %[[A1:.*]] = arith.addi %[[A0]], %[[ROWS]]
// CHECK: tmm.load 4, %{{.*}}[%[[A1]]], %[[LDA]] : memref<bf16>
// CHECK: tmm.dpbf16 1, 4, 2
// CHECK: %[[PAIRS:.*]] = arith.muli %[[STEP]], %c2
// CHECK: %[[SECOND:.*]] = arith.addi %[[PAIRS]], %c1
// CHECK: %[[LINES:.*]] = arith.muli %[[SECOND]], %c16
// CHECK: %[[LINE:.*]] = arith.addi %[[NEXT]], %[[LINES]]
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %[[ACC]] to offset: [%[[LINE]]]
// CHECK: memref.prefetch %[[SUMS]][%c0], read, locality<3>, data
// CHECK-NEXT: }
func.func @in_place(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %lda: index, %depth: index, %first: i1, %next: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%first) last(%true) at(%i, %i) columns(%i) next_acc(%next)
      attributes {rows = 25, schedule = #lintel.schedule<tile = 25x16, unit = amx, hint = b, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// f16 lies in pairs here, too.
// CHECK-LABEL: func.func @halves(
// CHECK: scf.for %{{.*}} step %c32
// CHECK: tmm.load 1, {{.*}} : memref<f16>
// CHECK: %[[B0:.*]] = arith.addi
// CHECK: tmm.load 2, %{{.*}}[%[[B0]]], %c32 : memref<f16>
// CHECK: tmm.dpfp16 0, 1, 2
func.func @halves(%args: !lintel.kernel_args, %a: memref<f16>, %b: memref<f16>, %s: memref<f32>, %i: index, %lda: index) {
  %true = arith.constant true
  %depth = arith.constant 64 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x16, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-fp16+amx-tile">, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}

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
  %depth = arith.constant 64 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i) next(%next)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, prefetch = 128, pack = block, epilogue = tile>,
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
  %depth = arith.constant 64 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, ahead = 1024, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}
