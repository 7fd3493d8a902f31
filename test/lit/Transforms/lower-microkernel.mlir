// lintel-lower-microkernel: the k loop of each ISA level, and what is around it.
// RUN: lintel-opt %s --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// Two rows of two vectors: four accumulators of one dimension each.
// CHECK-LABEL: func.func @avx512(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[A:[^:]*]]: memref<f32>, %[[B:[^:]*]]: memref<f32>, %[[ACC:[^:]*]]: memref<f32>, %[[AO:[^:]*]]: index, %[[LDA:[^:]*]]: index, %[[BO:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[CO:[^:]*]]: index, %[[LDACC:[^:]*]]: index, %[[IS_FIRST:[^:]*]]: i1, %[[IS_LAST:[^:]*]]: i1, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[COLUMNS:[^:]*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// Sums begin at zero in the first K block, else where the block before left them.
// CHECK: %[[INIT:.*]]:4 = scf.if %[[IS_FIRST]]
// CHECK: scf.yield %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]]
// CHECK: } else {
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %[[ACC]] to offset: [%[[CO]]], sizes: [2, 32], strides: [%[[LDACC]], 1]
// CHECK: %[[I0:.*]] = vector.load %[[SUMS]][%[[C0]], %[[C0]]]
// CHECK: %[[I1:.*]] = vector.load %[[SUMS]][%[[C0]], %[[C16]]]
// CHECK: %[[I2:.*]] = vector.load %[[SUMS]][%[[C1]], %[[C0]]]
// CHECK: %[[I3:.*]] = vector.load %[[SUMS]][%[[C1]], %[[C16]]]
// CHECK: scf.yield %[[I0]], %[[I1]], %[[I2]], %[[I3]]
// A in place: rows are lda apart.
// CHECK-DAG: %[[X:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[AO]]], sizes: [2, %[[DEPTH]]], strides: [%[[LDA]], 1]
// CHECK-DAG: %[[W:.*]] = memref.reinterpret_cast %[[B]] to offset: [%[[BO]]], sizes: [%[[DEPTH]], 32], strides: [32, 1]
// CHECK: %[[OUT:.*]]:4 = scf.for %[[K:.*]] = %[[C0]] to %[[DEPTH]] step %[[C1]] iter_args(%[[S0:.*]] = %[[INIT]]#0, %[[S1:.*]] = %[[INIT]]#1, %[[S2:.*]] = %[[INIT]]#2, %[[S3:.*]] = %[[INIT]]#3)
// CHECK-NEXT: %[[B0:.*]] = vector.load %[[W]][%[[K]], %[[C0]]] : {{.*}}, vector<16xf32>
// CHECK-NEXT: %[[B1:.*]] = vector.load %[[W]][%[[K]], %[[C16]]] : {{.*}}, vector<16xf32>
// CHECK-NEXT: %[[E0:.*]] = memref.load %[[X]][%[[C0]], %[[K]]]
// CHECK-NEXT: %[[A0:.*]] = vector.broadcast %[[E0]] : f32 to vector<16xf32>
// CHECK-NEXT: %[[N0:.*]] = vector.fma %[[A0]], %[[B0]], %[[S0]] : vector<16xf32>
// CHECK-NEXT: %[[N1:.*]] = vector.fma %[[A0]], %[[B1]], %[[S1]] : vector<16xf32>
// CHECK-NEXT: %[[E1:.*]] = memref.load %[[X]][%[[C1]], %[[K]]]
// CHECK-NEXT: %[[A1:.*]] = vector.broadcast %[[E1]] : f32 to vector<16xf32>
// CHECK-NEXT: %[[N2:.*]] = vector.fma %[[A1]], %[[B0]], %[[S2]] : vector<16xf32>
// CHECK-NEXT: %[[N3:.*]] = vector.fma %[[A1]], %[[B1]], %[[S3]] : vector<16xf32>
// CHECK-NEXT: scf.yield %[[N0]], %[[N1]], %[[N2]], %[[N3]]
// The last K block goes to the output under masks, the others to acc.
// CHECK: scf.if %[[IS_LAST]] {
// CHECK-COUNT-4: vector.maskedstore
// CHECK: } else {
// CHECK-NOT: mask
// CHECK: vector.store %[[OUT]]#0,
// CHECK: vector.store %[[OUT]]#1,
// CHECK: vector.store %[[OUT]]#2,
// CHECK: vector.store %[[OUT]]#3,
// CHECK: return
func.func @avx512(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %acc: memref<f32>, %ao: index, %lda: index,
    %bo: index, %depth: index, %co: index, %ldacc: index, %first: i1, %last: i1,
    %row: index, %column: index, %columns: index) {
  lintel.microkernel %args a(%a[%ao], %lda) b(%b[%bo], %depth) acc(%acc[%co], %ldacc) first(%first) last(%last)
      at(%row, %column) columns(%columns)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 2x32>, target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32, %bias: f32):
    %0 = arith.addf %sum, %bias : f32
    lintel.yield %0 : f32
  }
  return
}

// Whole panels only: no masks.
// CHECK-LABEL: func.func @avx2(
// CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>) {
// CHECK-COUNT-3: vector.load {{.*}}, vector<8xf32>
// CHECK: vector.broadcast
// CHECK-COUNT-3: vector.fma {{.*}} : vector<8xf32>
// CHECK: scf.yield
// CHECK-NOT: mask
// CHECK: scf.if
// CHECK-COUNT-3: vector.store {{.*}}, vector<8xf32>
// CHECK: } else {
// CHECK-COUNT-3: vector.store {{.*}}, vector<8xf32>
// CHECK-NOT: mask
// CHECK: return
func.func @avx2(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %acc: memref<f32>, %ao: index, %lda: index,
    %bo: index, %depth: index, %co: index, %ldacc: index, %first: i1, %last: i1,
    %row: index, %column: index, %columns: index) {
  lintel.microkernel %args a(%a[%ao], %lda) b(%b[%bo], %depth) acc(%acc[%co], %ldacc) first(%first) last(%last)
      at(%row, %column) columns(%columns)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 4x24>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// Without FMA: a product and a sum.
// CHECK-LABEL: func.func @x86_64(
// CHECK: scf.for %{{.*}} iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}) -> (vector<4xf32>, vector<4xf32>) {
// CHECK: %[[B0:.*]] = vector.load {{.*}}, vector<4xf32>
// CHECK: %[[B1:.*]] = vector.load {{.*}}, vector<4xf32>
// CHECK: %[[A0:.*]] = vector.broadcast
// CHECK-NEXT: %[[P0:.*]] = arith.mulf %[[A0]], %[[B0]] : vector<4xf32>
// CHECK-NEXT: %[[N0:.*]] = arith.addf %[[S0]], %[[P0]] : vector<4xf32>
// CHECK-NEXT: %[[P1:.*]] = arith.mulf %[[A0]], %[[B1]] : vector<4xf32>
// CHECK-NEXT: %[[N1:.*]] = arith.addf %[[S1]], %[[P1]] : vector<4xf32>
// CHECK-NEXT: scf.yield %[[N0]], %[[N1]]
// CHECK-NOT: fma
// CHECK: return
func.func @x86_64(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %acc: memref<f32>, %ao: index, %lda: index,
    %bo: index, %depth: index, %co: index, %ldacc: index, %first: i1, %last: i1,
    %row: index, %column: index, %columns: index) {
  lintel.microkernel %args a(%a[%ao], %lda) b(%b[%bo], %depth) acc(%acc[%co], %ldacc) first(%first) last(%last)
      at(%row, %column) columns(%columns)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x8>, target = #lintel.target<isa = x86_64>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// A packed: the rows of one k stand side by side, `rows` apart, whatever lda says.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[A:[^:]*]]: memref<f32>, %[[B:[^:]*]]: memref<f32>, %[[ACC:[^:]*]]: memref<f32>, %[[AO:[^:]*]]: index, %[[LDA:[^:]*]]: index, %[[BO:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[CO:[^:]*]]: index, %[[LDACC:[^:]*]]: index, %[[IS_FIRST:[^:]*]]: i1, %[[IS_LAST:[^:]*]]: i1, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[COLUMNS:[^:]*]]: index)
// CHECK: memref.reinterpret_cast %[[A]] to offset: [%[[AO]]], sizes: [%[[DEPTH]], 3], strides: [3, 1] :
// CHECK-NOT: %[[LDA]]
// CHECK: return
func.func @packed(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %acc: memref<f32>, %ao: index, %lda: index,
    %bo: index, %depth: index, %co: index, %ldacc: index, %first: i1, %last: i1,
    %row: index, %column: index, %columns: index) {
  lintel.microkernel %args a(%a[%ao], %lda) b(%b[%bo], %depth) acc(%acc[%co], %ldacc) first(%first) last(%last)
      at(%row, %column) columns(%columns)
      attributes {rows = 3, schedule = #lintel.schedule<tile = 8x16, pack = block>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// With epilogue = tile the sums are stored as they are, last K block or not.
// CHECK-LABEL: func.func @tile(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[A:[^:]*]]: memref<f32>, %[[B:[^:]*]]: memref<f32>, %[[ACC:[^:]*]]: memref<f32>, %[[AO:[^:]*]]: index, %[[LDA:[^:]*]]: index, %[[BO:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[CO:[^:]*]]: index, %[[LDACC:[^:]*]]: index, %[[IS_FIRST:[^:]*]]: i1, %[[IS_LAST:[^:]*]]: i1, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[COLUMNS:[^:]*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK: scf.for
// CHECK: }
// CHECK-NOT: scf.if
// CHECK-NOT: kernel_arg
// CHECK-NOT: mask
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %[[ACC]] to offset: [%[[CO]]], sizes: [2, 16], strides: [%[[LDACC]], 1]
// CHECK-NEXT: vector.store %{{.*}}, %[[SUMS]][%[[C0]], %[[C0]]]
// CHECK-NEXT: vector.store %{{.*}}, %[[SUMS]][%[[C1]], %[[C0]]]
// CHECK-NEXT: return
func.func @tile(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %acc: memref<f32>, %ao: index, %lda: index,
    %bo: index, %depth: index, %co: index, %ldacc: index, %first: i1, %last: i1,
    %row: index, %column: index, %columns: index) {
  lintel.microkernel %args a(%a[%ao], %lda) b(%b[%bo], %depth) acc(%acc[%co], %ldacc) first(%first) last(%last)
      at(%row, %column) columns(%columns)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 2x16, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}
