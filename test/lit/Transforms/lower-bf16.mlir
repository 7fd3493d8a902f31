// lintel-lower-microkernel on bf16: two elements of K a step, multiplied by an
// instruction for pairs where the target has one, else widened in registers.
// RUN: lintel-opt %s --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// Pairs of B side by side; a pair of A in every lane, as the last factor.
// CHECK-LABEL: func.func @pairs(
// CHECK-SAME: %{{[^:]*}}: !lintel.kernel_args, %[[A:[^:]*]]: memref<bf16>, %[[B:[^:]*]]: memref<bf16>, %[[ACC:[^:]*]]: memref<f32>, %[[I:[^:]*]]: index, %[[LDA:[^:]*]]: index, %[[P:[^:]*]]: i1)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[C96:.*]] = arith.constant 96 : index
// CHECK-DAG: %[[X:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[I]]], sizes: [1, 96], strides: [%[[LDA]], 1]
// CHECK-DAG: %[[W:.*]] = memref.reinterpret_cast %[[B]] to offset: [%[[I]]], sizes: [96, 64], strides: [32, 1]
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %[[C0]] to %[[C96]] step %[[C2]] iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}) -> (vector<16xf32>, vector<16xf32>)
// CHECK: %[[B0:.*]] = vector.load %[[W]][%[[K]], %[[C0]]] : {{.*}}, vector<32xbf16>
// CHECK: %[[B1:.*]] = vector.load %[[W]][%[[K]], %[[C32]]] : {{.*}}, vector<32xbf16>
// CHECK: %[[PAIR:.*]] = vector.load %[[X]][%[[C0]], %[[K]]] : {{.*}}, vector<2xbf16>
// CHECK: %[[BITS:.*]] = vector.bitcast %[[PAIR]] : vector<2xbf16> to vector<1xi32>
// CHECK: %[[LANE:.*]] = vector.extract %[[BITS]][0]
// CHECK: %[[LANES:.*]] = vector.broadcast %[[LANE]] : i32 to vector<16xi32>
// CHECK: %[[A0:.*]] = vector.bitcast %[[LANES]] : vector<16xi32> to vector<32xbf16>
// CHECK: %[[N0:.*]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[S0]], %[[B0]], %[[A0]])
// CHECK: %[[N1:.*]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[S1]], %[[B1]], %[[A0]])
// CHECK: scf.yield %[[N0]], %[[N1]]
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

// Of an odd K the last element is read by itself.
// CHECK-LABEL: func.func @odd(
// CHECK-DAG: %[[LAST:.*]] = arith.constant 96 : index
// CHECK: %[[OUT:.*]] = scf.for %{{.*}} = %{{.*}} to %[[LAST]] step
// CHECK: vector<2xbf16>
// CHECK: scf.yield
// CHECK: }
// CHECK-NOT: scf.if
// CHECK-NOT: vector<2xbf16>
// CHECK: %[[B0:.*]] = vector.load %{{.*}}[%[[LAST]], %{{.*}}] : {{.*}}, vector<32xbf16>
// CHECK: %[[E:.*]] = vector.load %{{.*}}[%{{.*}}, %[[LAST]]] : memref<1x97xbf16, {{.*}}, vector<1xbf16>
// CHECK: %[[I16:.*]] = vector.bitcast %[[E]] : vector<1xbf16> to vector<1xi16>
// CHECK: %[[BITS:.*]] = vector.extract %[[I16]][0]
// CHECK: %[[LANE:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK: %[[LANES:.*]] = vector.broadcast %[[LANE]] : i32 to vector<16xi32>
// CHECK: %[[A0:.*]] = vector.bitcast %[[LANES]] : vector<16xi32> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[OUT]], %[[B0]], %[[A0]])
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

// Without the instruction: the first element of a pair is its lower half, and
// becomes an f32 by a shift, the second by a mask. A tile of one row, or of one
// vector, has a sum for each, which are added up behind the loop. A depth that is
// known only in the kernel may turn out odd.
// CHECK-LABEL: func.func @widened(
// CHECK-DAG: %[[SHIFT:.*]] = arith.constant dense<16> : vector<8xi32>
// CHECK-DAG: %[[MASK:.*]] = arith.constant dense<-65536> : vector<8xi32>
// CHECK: %[[WHOLE:.*]] = arith.muli
// CHECK: %[[OUT:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %[[WHOLE]] step %{{.*}} iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}) -> (vector<8xf32>, vector<8xf32>)
// CHECK: %[[B:.*]] = vector.load %{{.*}} : {{.*}}, vector<16xbf16>
// CHECK: %[[BITS:.*]] = vector.bitcast %[[B]] : vector<16xbf16> to vector<8xi32>
// CHECK: %[[UP:.*]] = arith.shli %[[BITS]], %[[SHIFT]]
// CHECK: %[[FIRST:.*]] = vector.bitcast %[[UP]] : vector<8xi32> to vector<8xf32>
// CHECK: %[[MASKED:.*]] = arith.andi %[[BITS]], %[[MASK]]
// CHECK: %[[SECOND:.*]] = vector.bitcast %[[MASKED]] : vector<8xi32> to vector<8xf32>
// CHECK: vector.load %{{.*}} : {{.*}}, vector<2xbf16>
// CHECK: %[[LANES:.*]] = vector.broadcast %{{.*}} : i32 to vector<8xi32>
// CHECK: %[[AUP:.*]] = arith.shli %[[LANES]], %[[SHIFT]]
// CHECK: %[[AFIRST:.*]] = vector.bitcast %[[AUP]]
// CHECK: %[[AMASKED:.*]] = arith.andi %[[LANES]], %[[MASK]]
// CHECK: %[[ASECOND:.*]] = vector.bitcast %[[AMASKED]]
// CHECK: %[[N0:.*]] = vector.fma %[[AFIRST]], %[[FIRST]], %[[S0]]
// CHECK: %[[N1:.*]] = vector.fma %[[ASECOND]], %[[SECOND]], %[[S1]]
// CHECK: scf.yield %[[N0]], %[[N1]]
// CHECK: %[[ODD:.*]] = arith.cmpi ugt, %{{.*}}, %[[WHOLE]] : index
// CHECK: %[[REST:.*]] = scf.if %[[ODD]] -> (vector<8xf32>) {
// CHECK: vector.load %{{.*}} : memref<1x?xbf16, {{.*}}, vector<1xbf16>
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
// CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
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

// A packed: pairs of the rows stand side by side.
// CHECK-LABEL: func.func @packed(
// CHECK: %[[X:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [64, 6], strides: [3, 1]
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %{{.*}}
// CHECK: vector.load %[[X]][%[[K]], %c0] : {{.*}}, vector<2xbf16>
// CHECK: vector.load %[[X]][%[[K]], %c2] : {{.*}}, vector<2xbf16>
// CHECK: vector.load %[[X]][%[[K]], %c4] : {{.*}}, vector<2xbf16>
// CHECK: scf.yield
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

// 512 bytes ahead is eight rows of pairs, 16 elements of K.
// CHECK-LABEL: func.func @ahead(
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %{{.*}}
// CHECK: %[[LATER:.*]] = arith.addi %[[K]], %[[C16]] : index
// CHECK: memref.prefetch %{{.*}}[%[[LATER]], %c0], read, locality<3>, data
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
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C48:.*]] = arith.constant 48 : index
// CHECK-DAG: %[[C56:.*]] = arith.constant 56 : index
// CHECK-DAG: %[[C96:.*]] = arith.constant 96 : index
// CHECK-DAG: %[[C98:.*]] = arith.constant 98 : index
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %{{.*}} to %[[C48]] step
// CHECK: %[[LATER:.*]] = arith.addi %[[K]], %[[C8]]
// CHECK: memref.prefetch %[[W:.*]][%[[LATER]],
// CHECK: vector.load %[[W]][%[[K]],
// CHECK: %[[OTHER:.*]] = arith.addi %[[K]], %[[C48]]
// CHECK: %[[LATER:.*]] = arith.addi %[[K]], %[[C56]]
// CHECK: memref.prefetch %[[W]][%[[LATER]],
// CHECK: vector.load %[[W]][%[[OTHER]],
// CHECK: vector.load %[[W]][%[[C96]],
// CHECK: vector.load %[[W]][%[[C98]],
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
