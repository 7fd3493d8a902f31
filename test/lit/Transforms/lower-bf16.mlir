// lintel-lower-microkernel on bf16: two elements of K a step, multiplied by an
// instruction for pairs where the target has one, else widened in registers.
// RUN: lintel-opt %s --split-input-file --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// Pairs of B side by side; a pair of A in every lane, as the last factor.
// CHECK-LABEL: func.func @pairs(
// CHECK-SAME: %{{[^:]*}}: !lintel.kernel_args, %[[A:[^:]*]]: memref<bf16>, %[[B:[^:]*]]: memref<bf16>, %[[ACC:[^:]*]]: memref<f32>, %[[I:[^:]*]]: index, %[[LDA:[^:]*]]: index, %[[P:[^:]*]]: i1)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[C96:.*]] = arith.constant 96 : index
// CHECK-DAG: %[[X:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[I]]], sizes: [%[[LDA]], %[[LDA]]], strides: [1, 1]
// CHECK-DAG: %[[W:.*]] = memref.reinterpret_cast %[[B]] to offset: [%[[I]]], sizes: [3072, 3072], strides: [1, 1]
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %[[C0]] to %[[C96]] step %[[C2]] iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}, %[[AT:.*]] = %[[C0]]) -> (vector<16xf32>, vector<16xf32>, index)
// CHECK: %[[B0:.*]] = vector.load %[[W]][%[[AT]], %[[C0]]] : {{.*}}, vector<32xbf16>
// CHECK: %[[B1:.*]] = vector.load %[[W]][%[[AT]], %[[C32]]] : {{.*}}, vector<32xbf16>
// CHECK: %[[PAIR:.*]] = vector.load %[[X]][%[[K]], %[[C0]]] : {{.*}}, vector<2xbf16>
// CHECK: %[[BITS:.*]] = vector.bitcast %[[PAIR]] : vector<2xbf16> to vector<1xi32>
// CHECK: %[[LANE:.*]] = vector.extract %[[BITS]][0]
// CHECK: %[[LANES:.*]] = vector.broadcast %[[LANE]] : i32 to vector<16xi32>
// CHECK: %[[A0:.*]] = vector.bitcast %[[LANES]] : vector<16xi32> to vector<32xbf16>
// CHECK: %[[N0:.*]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[S0]], %[[B0]], %[[A0]])
// CHECK: %[[N1:.*]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[S1]], %[[B1]], %[[A0]])
// A row of pairs further.
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %[[C64]] : index
// CHECK: scf.yield %[[N0]], %[[N1]], %[[NEXT]] :
// Nothing is left of an even K.
// CHECK-NOT: call_intrinsic
// CHECK: return
func.func @pairs(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %lda: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 96 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x32, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512bf16>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// Of an odd K the last element is read by itself, and of B the row of pairs that it
// stands in, 96 * 16 elements behind the first.
// CHECK-LABEL: func.func @odd(
// CHECK-SAME: %{{[^:]*}}: !lintel.kernel_args, %[[A:[^:]*]]: memref<bf16>, %{{[^:]*}}: memref<bf16>, %{{[^:]*}}: memref<f32>, %[[I:[^:]*]]: index, %[[LDA:[^:]*]]: index, %{{[^:]*}}: i1)
// CHECK-DAG: %[[LAST:.*]] = arith.constant 96 : index
// CHECK-DAG: %[[B_LAST:.*]] = arith.constant 1536 : index
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[X:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[I]]], sizes: [%[[LDA]], %[[LDA]]], strides: [1, 1]
// CHECK: %[[OUT:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %[[LAST]] step
// CHECK: vector<2xbf16>
// CHECK: scf.yield
// CHECK: }
// CHECK-NOT: scf.if
// CHECK-NOT: vector<2xbf16>
// CHECK: %[[B0:.*]] = vector.load %{{.*}}[%[[B_LAST]], %[[C0]]] : {{.*}}, vector<32xbf16>
// CHECK: %[[E:.*]] = vector.load %[[X]][%[[LAST]], %[[C0]]] : memref<?x?xbf16, {{.*}}, vector<1xbf16>
// CHECK: %[[I16:.*]] = vector.bitcast %[[E]] : vector<1xbf16> to vector<1xi16>
// CHECK: %[[BITS:.*]] = vector.extract %[[I16]][0]
// CHECK: %[[LANE:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK: %[[LANES:.*]] = vector.broadcast %[[LANE]] : i32 to vector<16xi32>
// CHECK: %[[A0:.*]] = vector.bitcast %[[LANES]] : vector<16xi32> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[OUT]]#0, %[[B0]], %[[A0]])
func.func @odd(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %lda: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 97 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512bf16>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

// Without the instruction: the first element of a pair is its lower half, and
// becomes an f32 by a shift, the second by a mask. A tile of one row, or of one
// vector, has a sum for each, which are added up behind the loop. A depth that is
// known only in the kernel may turn out odd.
// CHECK-LABEL: func.func @widened(
// CHECK-DAG: %[[SHIFT:.*]] = arith.constant dense<16> : vector<8xi32>
// CHECK-DAG: %[[MASK:.*]] = arith.constant dense<-65536> : vector<8xi32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK: memref.reinterpret_cast %{{.*}} : memref<bf16> to memref<?x?xbf16, strided<[1, 1], offset: ?>>
// CHECK: memref.reinterpret_cast %{{.*}} : memref<bf16> to memref<?x?xbf16, strided<[1, 1], offset: ?>>
// CHECK: %[[PAIRS:.*]] = arith.divui
// CHECK: %[[WHOLE:.*]] = arith.muli
// CHECK: %[[OUT:.*]]:3 = scf.for %[[K:.*]] = %{{.*}} to %[[WHOLE]] step %{{.*}} iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}, %[[AT:.*]] = %[[C0]]) -> (vector<8xf32>, vector<8xf32>, index)
// CHECK: %[[B:.*]] = vector.load %[[W:.*]][%[[AT]], %[[C0]]] : {{.*}}, vector<16xbf16>
// CHECK: %[[BITS:.*]] = vector.bitcast %[[B]] : vector<16xbf16> to vector<8xi32>
// CHECK: %[[UP:.*]] = arith.shli %[[BITS]], %[[SHIFT]]
// CHECK: %[[FIRST:.*]] = vector.bitcast %[[UP]] : vector<8xi32> to vector<8xf32>
// CHECK: %[[MASKED:.*]] = arith.andi %[[BITS]], %[[MASK]]
// CHECK: %[[SECOND:.*]] = vector.bitcast %[[MASKED]] : vector<8xi32> to vector<8xf32>
// CHECK: vector.load %[[X:.*]][%[[K]], %[[C0]]] : {{.*}}, vector<2xbf16>
// CHECK: %[[LANES:.*]] = vector.broadcast %{{.*}} : i32 to vector<8xi32>
// CHECK: %[[AUP:.*]] = arith.shli %[[LANES]], %[[SHIFT]]
// CHECK: %[[AFIRST:.*]] = vector.bitcast %[[AUP]]
// CHECK: %[[AMASKED:.*]] = arith.andi %[[LANES]], %[[MASK]]
// CHECK: %[[ASECOND:.*]] = vector.bitcast %[[AMASKED]]
// CHECK: %[[N0:.*]] = vector.fma %[[AFIRST]], %[[FIRST]], %[[S0]]
// CHECK: %[[N1:.*]] = vector.fma %[[ASECOND]], %[[SECOND]], %[[S1]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %[[C16]] : index
// CHECK: scf.yield %[[N0]], %[[N1]], %[[NEXT]] :
// CHECK: %[[ODD:.*]] = arith.cmpi ugt, %{{.*}}, %[[WHOLE]] : index
// CHECK: %[[B_REST:.*]] = arith.muli %[[PAIRS]], %[[C16]] : index
// CHECK: %[[REST:.*]] = scf.if %[[ODD]] -> (vector<8xf32>) {
// CHECK: vector.load %[[W]][%[[B_REST]], %[[C0]]] : {{.*}}, vector<16xbf16>
// CHECK: vector.load %[[X]][%[[WHOLE]], %[[C0]]] : memref<?x?xbf16, {{.*}}, vector<1xbf16>
// CHECK: %[[LAST:.*]] = vector.fma %{{.*}}, %{{.*}}, %[[OUT]]#0
// CHECK-NEXT: scf.yield %[[LAST]]
// CHECK: } else {
// CHECK: scf.yield %[[OUT]]#0
// CHECK: arith.addf %[[REST]], %[[OUT]]#1 : vector<8xf32>
func.func @widened(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %lda: index, %depth: index, %p: i1) {
  %true = arith.constant true
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x8, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// Larger tiles keep to one sum.
// CHECK-LABEL: func.func @chained(
// CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, index)
// CHECK: %[[N0:.*]] = vector.fma
// CHECK: vector.fma %{{.*}}, %{{.*}}, %[[N0]]
// CHECK-NOT: arith.addf
// CHECK: return
func.func @chained(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %lda: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 64 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 2x16, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

// A packed: pairs of the rows stand side by side.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %{{[^:]*}}: !lintel.kernel_args, %[[A:[^:]*]]: memref<bf16>
// CHECK: %[[X:.*]] = memref.reinterpret_cast %[[A]] to offset: [%{{.*}}], sizes: [192, 192], strides: [1, 1]
// CHECK: scf.for {{.*}}, %[[AT:[a-z0-9_]*]] = %c0, %{{[a-z0-9_]*}} = %c0) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, index, index)
// CHECK: vector.load %[[X]][%[[AT]], %c0] : {{.*}}, vector<2xbf16>
// CHECK: vector.load %[[X]][%[[AT]], %c2] : {{.*}}, vector<2xbf16>
// CHECK: vector.load %[[X]][%[[AT]], %c4] : {{.*}}, vector<2xbf16>
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %c6 : index
// CHECK: scf.yield {{.*}}, %[[NEXT]], %{{.*}} :
func.func @packed(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 64 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 3, schedule = #lintel.schedule<tile = 4x16, group = 2, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512bf16>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// 512 bytes ahead is eight rows of pairs, 16 elements of K, 256 of B.
// CHECK-LABEL: func.func @ahead(
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : index
// CHECK: scf.for {{.*}}, %[[AT:[a-z0-9_]*]] = %c0)
// CHECK: memref.prefetch %[[W:.*]][%[[AT]], %[[C256]]], read, locality<3>, data
// CHECK-NEXT: vector.load %[[W]][%[[AT]], %c0] : {{.*}}, vector<32xbf16>
// CHECK-NOT: memref.prefetch
// CHECK: scf.yield
func.func @ahead(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 64 : index
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, group = 2, prefetch = 512, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512bf16>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// Two streams of 24 pairs, each asked for four steps ahead; then a pair, and an
// element.
// CHECK-LABEL: func.func @streams(
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C48:.*]] = arith.constant 48 : index
// CHECK-DAG: %[[C96:.*]] = arith.constant 96 : index
// CHECK-DAG: %[[C98:.*]] = arith.constant 98 : index
// Of B, 16 for each element of K: 8, 48, 56, 96 and 98 of them.
// CHECK-DAG: %[[B8:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[B48:.*]] = arith.constant 768 : index
// CHECK-DAG: %[[B56:.*]] = arith.constant 896 : index
// CHECK-DAG: %[[B96:.*]] = arith.constant 1536 : index
// CHECK-DAG: %[[B98:.*]] = arith.constant 1568 : index
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %{{.*}} to %[[C48]] step %{{.*}} iter_args({{.*}}, %[[AT:[a-z0-9_]*]] = %[[C0]])
// CHECK: memref.prefetch %[[W:.*]][%[[AT]], %[[B8]]],
// CHECK: vector.load %[[W]][%[[AT]], %[[C0]]]
// CHECK: vector.load %[[X:.*]][%[[K]], %[[C0]]] : {{.*}}, vector<2xbf16>
// CHECK: memref.prefetch %[[W]][%[[AT]], %[[B56]]],
// CHECK: vector.load %[[W]][%[[AT]], %[[B48]]]
// CHECK: vector.load %[[X]][%[[K]], %[[C48]]] : {{.*}}, vector<2xbf16>
// CHECK: scf.yield
// CHECK: vector.load %[[W]][%[[B96]], %[[C0]]]
// CHECK: vector.load %[[X]][%[[C96]], %[[C0]]] : {{.*}}, vector<2xbf16>
// CHECK: vector.load %[[W]][%[[B98]], %[[C0]]]
// CHECK: vector.load %[[X]][%[[C98]], %[[C0]]] : {{.*}}, vector<1xbf16>
// CHECK: return
func.func @streams(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<f32>, %i: index, %lda: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 99 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, group = 2, ahead = 256, streams = 2>,
                  target = #lintel.target<isa = avx512, extensions = "avx512bf16">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// -----

// Rows that were widened as they were packed: two elements of f32, side by side.
// CHECK-LABEL: func.func @widened_rows(
// CHECK: scf.for %[[K:[a-z0-9_]*]] =
// CHECK: arith.shli
// CHECK: arith.andi
// CHECK-NOT: arith.shli
// CHECK: %[[E0:.*]] = memref.load %[[X:.*]][%[[K]], %c0] : memref<112x112xf32,
// CHECK: vector.broadcast %[[E0]] : f32 to vector<16xf32>
// CHECK: %[[E1:.*]] = memref.load %[[X]][%[[K]], %c1] : memref<112x112xf32,
// CHECK: vector.broadcast %[[E1]] : f32 to vector<16xf32>
// CHECK: return
func.func @widened_rows(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<bf16>, %s: memref<f32>, %i: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 96 : index
  %lda = arith.constant 112 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, group = 2, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<bf16>, memref<f32> {
  }
  return
}
