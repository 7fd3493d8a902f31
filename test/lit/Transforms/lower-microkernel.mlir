// lintel-lower-microkernel: the k loop of each ISA level, and what is around it.
// RUN: lintel-opt %s --split-input-file --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// Two rows of two vectors: four accumulators of one dimension each.
// CHECK-LABEL: func.func @avx512(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[A:[^:]*]]: memref<f32>, %[[B:[^:]*]]: memref<f32>, %[[ACC:[^:]*]]: memref<f32>, %[[AO:[^:]*]]: index, %[[LDA:[^:]*]]: index, %[[BO:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[CO:[^:]*]]: index, %[[LDACC:[^:]*]]: index, %[[IS_FIRST:[^:]*]]: i1, %[[IS_LAST:[^:]*]]: i1, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[COLUMNS:[^:]*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// A product begins at zero. What K blocks before left is asked for, to be added behind it.
// CHECK: %[[BEFORE:.*]] = memref.reinterpret_cast %[[ACC]] to offset: [%[[CO]]], sizes: [2, 32], strides: [%[[LDACC]], 1]
// CHECK-NEXT: memref.prefetch %[[BEFORE]][%[[C0]], %[[C0]]], read, locality<3>
// CHECK-NEXT: memref.prefetch %[[BEFORE]][%[[C0]], %[[C16]]], read, locality<3>
// CHECK-NEXT: memref.prefetch %[[BEFORE]][%[[C1]], %[[C0]]], read, locality<3>
// CHECK-NEXT: memref.prefetch %[[BEFORE]][%[[C1]], %[[C16]]], read, locality<3>
// A in place: a view of each row, which are lda apart. Views are flat: an offset,
// of B one that the loop carries, and what is known of the place. Both count elements,
// and so do the sizes.
// CHECK-DAG: %[[OF_A:.*]] = arith.muli %[[LDA]], %[[C2]] : index
// CHECK-DAG: %[[X0:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[AO]]], sizes: [%[[OF_A]], %[[OF_A]]], strides: [1, 1]
// CHECK-DAG: %[[AO1:.*]] = arith.addi %[[AO]], %[[LDA]] : index
// CHECK-DAG: %[[X1:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[AO1]]], sizes: [%[[OF_A]], %[[OF_A]]], strides: [1, 1]
// CHECK-DAG: %[[OF_B:.*]] = arith.muli %[[DEPTH]], %[[C32]] : index
// CHECK-DAG: %[[W:.*]] = memref.reinterpret_cast %[[B]] to offset: [%[[BO]]], sizes: [%[[OF_B]], %[[OF_B]]], strides: [1, 1]
// CHECK: %[[OUT:.*]]:5 = scf.for %[[K:.*]] = %[[C0]] to %[[DEPTH]] step %[[C1]] iter_args(%[[S0:.*]] = %[[ZERO]], %[[S1:.*]] = %[[ZERO]], %[[S2:.*]] = %[[ZERO]], %[[S3:.*]] = %[[ZERO]], %[[AT:.*]] = %[[C0]])
// CHECK-NEXT: %[[B0:.*]] = vector.load %[[W]][%[[AT]], %[[C0]]] : {{.*}}, vector<16xf32>
// CHECK-NEXT: %[[B1:.*]] = vector.load %[[W]][%[[AT]], %[[C16]]] : {{.*}}, vector<16xf32>
// CHECK-NEXT: %[[E0:.*]] = memref.load %[[X0]][%[[K]], %[[C0]]]
// CHECK-NEXT: %[[A0:.*]] = vector.broadcast %[[E0]] : f32 to vector<16xf32>
// CHECK-NEXT: %[[N0:.*]] = vector.fma %[[A0]], %[[B0]], %[[S0]] : vector<16xf32>
// CHECK-NEXT: %[[N1:.*]] = vector.fma %[[A0]], %[[B1]], %[[S1]] : vector<16xf32>
// CHECK-NEXT: %[[E1:.*]] = memref.load %[[X1]][%[[K]], %[[C0]]]
// CHECK-NEXT: %[[A1:.*]] = vector.broadcast %[[E1]] : f32 to vector<16xf32>
// CHECK-NEXT: %[[N2:.*]] = vector.fma %[[A1]], %[[B0]], %[[S2]] : vector<16xf32>
// CHECK-NEXT: %[[N3:.*]] = vector.fma %[[A1]], %[[B1]], %[[S3]] : vector<16xf32>
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[AT]], %[[C32]] : index
// CHECK-NEXT: scf.yield %[[N0]], %[[N1]], %[[N2]], %[[N3]], %[[NEXT]] :
// CHECK: %[[SUMS:.*]]:4 = scf.if %[[IS_FIRST]]
// CHECK-NEXT: scf.yield %[[OUT]]#0, %[[OUT]]#1, %[[OUT]]#2, %[[OUT]]#3
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[I0:.*]] = vector.load %[[BEFORE]][%[[C0]], %[[C0]]]
// CHECK-NEXT: %[[T0:.*]] = arith.addf %[[I0]], %[[OUT]]#0
// CHECK-NEXT: %[[I1:.*]] = vector.load %[[BEFORE]][%[[C0]], %[[C16]]]
// CHECK-NEXT: %[[T1:.*]] = arith.addf %[[I1]], %[[OUT]]#1
// CHECK-NEXT: %[[I2:.*]] = vector.load %[[BEFORE]][%[[C1]], %[[C0]]]
// CHECK-NEXT: %[[T2:.*]] = arith.addf %[[I2]], %[[OUT]]#2
// CHECK-NEXT: %[[I3:.*]] = vector.load %[[BEFORE]][%[[C1]], %[[C16]]]
// CHECK-NEXT: %[[T3:.*]] = arith.addf %[[I3]], %[[OUT]]#3
// CHECK-NEXT: scf.yield %[[T0]], %[[T1]], %[[T2]], %[[T3]]
// The last K block goes to the output under masks, the others to acc.
// CHECK: scf.if %[[IS_LAST]] {
// CHECK-COUNT-4: vector.maskedstore
// CHECK: } else {
// CHECK-NOT: mask
// CHECK: vector.store %[[SUMS]]#0,
// CHECK: vector.store %[[SUMS]]#1,
// CHECK: vector.store %[[SUMS]]#2,
// CHECK: vector.store %[[SUMS]]#3,
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

// -----

// Whole panels only: no masks. A cache line of sums, two vectors, is asked for once.
// CHECK-LABEL: func.func @avx2(
// CHECK-COUNT-2: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, index) {
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

// -----

// Without FMA: a product and a sum.
// CHECK-LABEL: func.func @x86_64(
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK: scf.for %{{.*}} iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}, %[[AT:.*]] = %[[C0]]) -> (vector<4xf32>, vector<4xf32>, index) {
// CHECK: %[[B0:.*]] = vector.load {{.*}}, vector<4xf32>
// CHECK: %[[B1:.*]] = vector.load {{.*}}, vector<4xf32>
// CHECK: %[[A0:.*]] = vector.broadcast
// CHECK-NEXT: %[[P0:.*]] = arith.mulf %[[A0]], %[[B0]] : vector<4xf32>
// CHECK-NEXT: %[[N0:.*]] = arith.addf %[[S0]], %[[P0]] : vector<4xf32>
// CHECK-NEXT: %[[P1:.*]] = arith.mulf %[[A0]], %[[B1]] : vector<4xf32>
// CHECK-NEXT: %[[N1:.*]] = arith.addf %[[S1]], %[[P1]] : vector<4xf32>
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[AT]], %[[C8]] : index
// CHECK-NEXT: scf.yield %[[N0]], %[[N1]], %[[NEXT]] :
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

// -----

// Eight views would leave too few registers. Four serve two groups of rows, of which
// the first stands at k, and the loop carries where the second does, four rows below.
// CHECK-LABEL: func.func @two_groups(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[A:[^:]*]]: memref<f32>, %[[B:[^:]*]]: memref<f32>, %[[ACC:[^:]*]]: memref<f32>, %[[AO:[^:]*]]: index, %[[LDA:[^:]*]]: index, %[[BO:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[CO:[^:]*]]: index, %[[LDACC:[^:]*]]: index, %[[IS_FIRST:[^:]*]]: i1, %[[IS_LAST:[^:]*]]: i1, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[COLUMNS:[^:]*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK: %[[OF_A:.*]] = arith.muli %[[LDA]], %[[C8]] : index
// CHECK-NEXT: %[[X0:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[AO]]], sizes: [%[[OF_A]], %[[OF_A]]], strides: [1, 1]
// CHECK-NEXT: %[[AO1:.*]] = arith.addi %[[AO]], %[[LDA]] : index
// CHECK-NEXT: %[[X1:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[AO1]]], sizes: [%[[OF_A]], %[[OF_A]]], strides: [1, 1]
// CHECK-NEXT: %[[AO2:.*]] = arith.addi %[[AO1]], %[[LDA]] : index
// CHECK-NEXT: %[[X2:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[AO2]]], sizes: [%[[OF_A]], %[[OF_A]]], strides: [1, 1]
// CHECK-NEXT: %[[AO3:.*]] = arith.addi %[[AO2]], %[[LDA]] : index
// CHECK-NEXT: %[[X3:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[AO3]]], sizes: [%[[OF_A]], %[[OF_A]]], strides: [1, 1]
// CHECK-NOT: reinterpret_cast %[[A]]
// CHECK: %[[W:.*]] = memref.reinterpret_cast %[[B]] to
// CHECK-NEXT: %[[APART:.*]] = arith.muli %[[LDA]], %[[C4]] : index
// CHECK-NEXT: scf.for %[[K:[a-z0-9]*]] = %[[C0]] to %[[DEPTH]] step %[[C1]] iter_args({{.*}}, %[[GROUP:[a-z0-9]*]] = %[[APART]], %[[B_AT:[a-z0-9]*]] = %[[C0]]) -> ({{(vector<16xf32>, ){8}index, index}})
// CHECK-NEXT: vector.load %[[W]][%[[B_AT]], %[[C0]]]
// CHECK-NEXT: memref.load %[[X0]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X1]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X2]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X3]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X0]][%[[GROUP]], %[[C0]]]
// CHECK: memref.load %[[X1]][%[[GROUP]], %[[C0]]]
// CHECK: memref.load %[[X2]][%[[GROUP]], %[[C0]]]
// CHECK: memref.load %[[X3]][%[[GROUP]], %[[C0]]]
// CHECK-NOT: memref.load
// CHECK: %[[NEXT:.*]] = arith.addi %[[GROUP]], %[[C1]] : index
// CHECK-NEXT: %[[B_NEXT:.*]] = arith.addi %[[B_AT]], %[[C16]] : index
// CHECK-NEXT: scf.yield {{.*}}, %[[NEXT]], %[[B_NEXT]] :
func.func @two_groups(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %acc: memref<f32>, %ao: index, %lda: index,
    %bo: index, %depth: index, %co: index, %ldacc: index, %first: i1, %last: i1,
    %row: index, %column: index, %columns: index) {
  lintel.microkernel %args a(%a[%ao], %lda) b(%b[%bo], %depth) acc(%acc[%co], %ldacc) first(%first) last(%last)
      at(%row, %column) columns(%columns)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x16, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// Of eleven the third group has three.
// CHECK-LABEL: func.func @three_groups(
// CHECK-SAME: %{{[^:]*}}: !lintel.kernel_args, %[[A:[^:]*]]: memref<f32>, %[[B:[^:]*]]: memref<f32>, %{{[^:]*}}: memref<f32>, %{{[^:]*}}: index, %[[LDA:[^:]*]]: index,
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[X0:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK: %[[X1:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK: %[[X2:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK: %[[X3:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK-NOT: reinterpret_cast %[[A]]
// CHECK: memref.reinterpret_cast %[[B]] to
// CHECK-NEXT: %[[APART:.*]] = arith.muli %[[LDA]], %[[C4]] : index
// CHECK-NEXT: %[[TWICE:.*]] = arith.addi %[[APART]], %[[APART]] : index
// CHECK-NEXT: scf.for %[[K:[a-z0-9]*]] = {{.*}}, %[[SECOND:[a-z0-9]*]] = %[[APART]], %[[THIRD:[a-z0-9]*]] = %[[TWICE]], %{{[a-z0-9]*}} = %[[C0]]) -> ({{(vector<16xf32>, ){11}index, index, index}})
// CHECK: memref.load %[[X0]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X1]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X2]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X3]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X0]][%[[SECOND]], %[[C0]]]
// CHECK: memref.load %[[X1]][%[[SECOND]], %[[C0]]]
// CHECK: memref.load %[[X2]][%[[SECOND]], %[[C0]]]
// CHECK: memref.load %[[X3]][%[[SECOND]], %[[C0]]]
// CHECK: memref.load %[[X0]][%[[THIRD]], %[[C0]]]
// CHECK: memref.load %[[X1]][%[[THIRD]], %[[C0]]]
// CHECK: memref.load %[[X2]][%[[THIRD]], %[[C0]]]
// CHECK-NOT: memref.load
// CHECK: %[[SECOND_NEXT:.*]] = arith.addi %[[SECOND]], %[[C1]] : index
// CHECK-NEXT: %[[THIRD_NEXT:.*]] = arith.addi %[[THIRD]], %[[C1]] : index
// CHECK: scf.yield {{.*}}, %[[SECOND_NEXT]], %[[THIRD_NEXT]], %{{[0-9]*}} :
func.func @three_groups(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %acc: memref<f32>, %ao: index, %lda: index,
    %bo: index, %depth: index, %co: index, %ldacc: index, %first: i1, %last: i1,
    %row: index, %column: index, %columns: index) {
  lintel.microkernel %args a(%a[%ao], %lda) b(%b[%bo], %depth) acc(%acc[%co], %ldacc) first(%first) last(%last)
      at(%row, %column) columns(%columns)
      attributes {rows = 11, schedule = #lintel.schedule<tile = 12x16, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// Six are one group: the loop carries nothing for A.
// CHECK-LABEL: func.func @one_group(
// CHECK-SAME: %{{[^:]*}}: !lintel.kernel_args, %[[A:[^:]*]]: memref<f32>, %[[B:[^:]*]]: memref<f32>,
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[X0:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK: %[[X1:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK: %[[X2:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK: %[[X3:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK: %[[X4:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK: %[[X5:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK-NOT: reinterpret_cast %[[A]]
// CHECK: memref.reinterpret_cast %[[B]] to
// CHECK-NEXT: scf.for %[[K:[a-z0-9]*]] = {{.*}} -> ({{(vector<16xf32>, ){6}index}})
// CHECK: memref.load %[[X0]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X1]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X2]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X3]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X4]][%[[K]], %[[C0]]]
// CHECK: memref.load %[[X5]][%[[K]], %[[C0]]]
// CHECK-NOT: memref.load
// CHECK: scf.yield
func.func @one_group(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %acc: memref<f32>, %ao: index, %lda: index,
    %bo: index, %depth: index, %co: index, %ldacc: index, %first: i1, %last: i1,
    %row: index, %column: index, %columns: index) {
  lintel.microkernel %args a(%a[%ao], %lda) b(%b[%bo], %depth) acc(%acc[%co], %ldacc) first(%first) last(%last)
      at(%row, %column) columns(%columns)
      attributes {rows = 6, schedule = #lintel.schedule<tile = 6x16, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// A packed: the rows of one k stand side by side, `rows` apart, whatever lda says.
// One view serves them all, and the loop carries where those of k begin.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[A:[^:]*]]: memref<f32>, %[[B:[^:]*]]: memref<f32>, %[[ACC:[^:]*]]: memref<f32>, %[[AO:[^:]*]]: index, %[[LDA:[^:]*]]: index, %[[BO:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[CO:[^:]*]]: index, %[[LDACC:[^:]*]]: index, %[[IS_FIRST:[^:]*]]: i1, %[[IS_LAST:[^:]*]]: i1, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[COLUMNS:[^:]*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK: %[[OF_A:.*]] = arith.muli %[[DEPTH]], %[[C3]] : index
// CHECK-NEXT: %[[X:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[AO]]], sizes: [%[[OF_A]], %[[OF_A]]], strides: [1, 1] :
// CHECK-NOT: reinterpret_cast %[[A]]
// CHECK-NOT: %[[LDA]]
// CHECK: %[[W:.*]] = memref.reinterpret_cast %[[B]] to
// CHECK-NEXT: scf.for %{{.*}} = %[[C0]] to %[[DEPTH]] step %[[C1]] iter_args({{.*}}, %[[AT:[a-z0-9]*]] = %[[C0]], %[[B_AT:[a-z0-9]*]] = %[[C0]])
// CHECK-NEXT: vector.load %[[W]][%[[B_AT]], %[[C0]]]
// CHECK-NEXT: memref.load %[[X]][%[[AT]], %[[C0]]]
// CHECK: memref.load %[[X]][%[[AT]], %[[C1]]]
// CHECK: memref.load %[[X]][%[[AT]], %[[C2]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %[[C3]] : index
// CHECK-NEXT: %[[B_NEXT:.*]] = arith.addi %[[B_AT]], %[[C16]] : index
// CHECK-NEXT: scf.yield {{.*}}, %[[NEXT]], %[[B_NEXT]] :
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
// CHECK: %[[IN_MEMORY:.*]] = memref.reinterpret_cast %[[ACC]] to offset: [%[[CO]]], sizes: [2, 16], strides: [%[[LDACC]], 1]
// CHECK: scf.for
// CHECK: }
// CHECK: %[[SUMS:.*]]:2 = scf.if %[[IS_FIRST]]
// CHECK-NOT: scf.if
// CHECK-NOT: kernel_arg
// CHECK-NOT: mask
// CHECK: vector.store %[[SUMS]]#0, %[[IN_MEMORY]][%[[C0]], %[[C0]]]
// CHECK-NEXT: vector.store %[[SUMS]]#1, %[[IN_MEMORY]][%[[C1]], %[[C0]]]
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
