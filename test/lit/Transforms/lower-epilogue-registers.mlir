// lintel-lower-microkernel: the epilogue on registers, with every broadcast and
// several results.
// RUN: lintel-opt %s --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @broadcasts(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[A:[^:]*]]: memref<f32>, %[[B:[^:]*]]: memref<f32>, %[[ACC:[^:]*]]: memref<f32>, %[[AO:[^:]*]]: index, %[[LDA:[^:]*]]: index, %[[BO:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[CO:[^:]*]]: index, %[[LDACC:[^:]*]]: index, %[[IS_FIRST:[^:]*]]: i1, %[[IS_LAST:[^:]*]]: i1, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[COLUMNS:[^:]*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[LANES:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : vector<16xf32>
// CHECK: %[[SUMS:.*]]:4 = scf.if %{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
// CHECK: scf.if %[[IS_LAST]] {
// CHECK-DAG: %[[SCALAR:.*]] = lintel.kernel_arg %[[ARGS]] operand[0] : memref<f32>
// CHECK-DAG: %[[COLUMN_BASE:.*]] = lintel.kernel_arg %[[ARGS]] operand[1] : memref<f32>
// CHECK-DAG: %[[ROW_BASE:.*]] = lintel.kernel_arg %[[ARGS]] operand[2] : memref<f32>
// CHECK-DAG: %[[ROW_STRIDE:.*]] = lintel.kernel_arg %[[ARGS]] operand_stride[2] : index
// CHECK-DAG: %[[FULL_BASE:.*]] = lintel.kernel_arg %[[ARGS]] operand[3] : memref<f32>
// CHECK-DAG: %[[FULL_STRIDE:.*]] = lintel.kernel_arg %[[ARGS]] operand_stride[3] : index
// CHECK-DAG: %[[OUT0:.*]] = lintel.kernel_arg %[[ARGS]] output[0] : memref<f32>
// CHECK-DAG: %[[OUT0_STRIDE:.*]] = lintel.kernel_arg %[[ARGS]] output_stride[0] : index
// CHECK-DAG: %[[OUT1:.*]] = lintel.kernel_arg %[[ARGS]] output[1] : memref<f32>
// CHECK-DAG: %[[OUT1_STRIDE:.*]] = lintel.kernel_arg %[[ARGS]] output_stride[1] : index
// CHECK-DAG: %[[COLUMN_VIEW:.*]] = memref.reinterpret_cast %[[COLUMN_BASE]] to offset: [%[[COLUMN]]]
// The lanes of both vectors that are inside the output; the second may be outside.
// CHECK-DAG: %[[LEFT:.*]] = arith.index_cast %[[COLUMNS]] : index to i32
// CHECK-DAG: %[[LIMIT:.*]] = vector.broadcast %[[LEFT]] : i32 to vector<16xi32>
// CHECK-DAG: %[[MASK:.*]] = arith.cmpi sgt, %[[LIMIT]], %[[LANES]] : vector<16xi32>
// CHECK-DAG: %[[LEFT1:.*]] = arith.subi %[[COLUMNS]], %[[C16]] : index
// CHECK-DAG: %[[LEFT1_32:.*]] = arith.index_cast %[[LEFT1]] : index to i32
// CHECK-DAG: %[[LIMIT1:.*]] = vector.broadcast %[[LEFT1_32]] : i32 to vector<16xi32>
// CHECK-DAG: %[[MASK1:.*]] = arith.cmpi sgt, %[[LIMIT1]], %[[LANES]] : vector<16xi32>
// One load of the column operand serves every row.
// CHECK-DAG: %[[BIAS:.*]] = vector.maskedload %[[COLUMN_VIEW]][%[[C0]]], %[[MASK]], %[[ZERO]]
// CHECK-DAG: %[[BIAS1:.*]] = vector.maskedload %[[COLUMN_VIEW]][%[[C16]]], %[[MASK1]], %[[ZERO]]
// CHECK-DAG: %[[ROW_OFFSET:.*]] = arith.muli %[[ROW]], %[[ROW_STRIDE]] : index
// CHECK-DAG: memref.reinterpret_cast %[[ROW_BASE]] to offset: [%[[ROW_OFFSET]]]
// CHECK-DAG: %[[FULL_ROW:.*]] = arith.muli %[[ROW]], %[[FULL_STRIDE]] : index
// CHECK-DAG: %[[FULL_OFFSET:.*]] = arith.addi %[[FULL_ROW]], %[[COLUMN]] : index
// CHECK-DAG: %[[FULL_VIEW:.*]] = memref.reinterpret_cast %[[FULL_BASE]] to offset: [%[[FULL_OFFSET]]]
// CHECK-DAG: %[[OUT0_ROW:.*]] = arith.muli %[[ROW]], %[[OUT0_STRIDE]] : index
// CHECK-DAG: %[[OUT0_OFFSET:.*]] = arith.addi %[[OUT0_ROW]], %[[COLUMN]] : index
// CHECK-DAG: %[[OUT0_VIEW:.*]] = memref.reinterpret_cast %[[OUT0]] to offset: [%[[OUT0_OFFSET]]]
// CHECK-DAG: %[[OUT1_ROW:.*]] = arith.muli %[[ROW]], %[[OUT1_STRIDE]] : index
// CHECK-DAG: %[[OUT1_OFFSET:.*]] = arith.addi %[[OUT1_ROW]], %[[COLUMN]] : index
// CHECK-DAG: %[[OUT1_VIEW:.*]] = memref.reinterpret_cast %[[OUT1]] to offset: [%[[OUT1_OFFSET]]]
// CHECK: %[[FULL:.*]] = vector.maskedload %[[FULL_VIEW]][%[[C0]]], %[[MASK]], %[[ZERO]]
// CHECK: %[[V0:.*]] = arith.mulf %[[SUMS]]#0, %[[S:.*]] : vector<16xf32>
// CHECK: %[[V1:.*]] = arith.addf %[[V0]], %[[BIAS]] : vector<16xf32>
// CHECK: %[[V2:.*]] = arith.mulf %[[V1]], %[[R:.*]] : vector<16xf32>
// CHECK: %[[V3:.*]] = arith.addf %[[V2]], %[[FULL]] : vector<16xf32>
// CHECK: %[[V4:.*]] = arith.cmpf ogt, %[[V3]], %[[TWO]] : vector<16xf32>
// CHECK: %[[V5:.*]] = arith.select %[[V4]], %[[V3]], %[[TWO]] : vector<16xi1>, vector<16xf32>
// CHECK: vector.maskedstore %[[OUT0_VIEW]][%[[C0]]], %[[MASK]], %[[V5]]
// CHECK: vector.maskedstore %[[OUT1_VIEW]][%[[C0]]], %[[MASK]], %[[SUMS]]#0
// The second vector of the row.
// CHECK: arith.mulf %[[SUMS]]#1, %[[S]] : vector<16xf32>
// CHECK: arith.addf %{{.*}}, %[[BIAS1]] : vector<16xf32>
// CHECK-COUNT-2: vector.maskedstore {{.*}}[%[[C16]]], %[[MASK1]]
// The second row is one stride further; scalar and bias are the same.
// CHECK-DAG: arith.addi %[[FULL_OFFSET]], %[[FULL_STRIDE]] : index
// CHECK-DAG: arith.addi %[[OUT0_OFFSET]], %[[OUT0_STRIDE]] : index
// CHECK-DAG: arith.addi %[[ROW_OFFSET]], %[[ROW_STRIDE]] : index
// CHECK: arith.mulf %[[SUMS]]#2, %[[S]] : vector<16xf32>
// CHECK: arith.addf %{{.*}}, %[[BIAS]] : vector<16xf32>
// CHECK-COUNT-4: vector.maskedstore
// CHECK-NOT: vector.maskedstore
// CHECK: } else {
func.func @broadcasts(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %acc: memref<f32>, %ao: index, %lda: index,
    %bo: index, %depth: index, %co: index, %ldacc: index, %first: i1, %last: i1,
    %row: index, %column: index, %columns: index) {
  lintel.microkernel %args a(%a[%ao], %lda) b(%b[%bo], %depth) acc(%acc[%co], %ldacc) first(%first) last(%last)
      at(%row, %column) columns(%columns)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 2x32>, target = #lintel.target<isa = avx512>, broadcasts = ["scalar", "column", "row", "full"]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32, %s: f32, %c: f32, %r: f32, %f: f32):
    %two = arith.constant 2.0 : f32
    %0 = arith.mulf %sum, %s : f32
    %1 = arith.addf %0, %c : f32
    %2 = arith.mulf %1, %r : f32
    %3 = arith.addf %2, %f : f32
    %4 = arith.cmpf ogt, %3, %two : f32
    %5 = arith.select %4, %3, %two : f32
    lintel.yield %5, %sum : f32, f32
  }
  return
}

// No column is none of a vector.
// CHECK-LABEL: func.func @no_columns(
// CHECK-NOT: vector.store
// CHECK: return
func.func @no_columns(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %true = arith.constant true
  %none = arith.constant 0 : index
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%none)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}
