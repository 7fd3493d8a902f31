// lintel-lower-microkernel: lintel.apply_epilogue becomes loops over the rows and
// vectors of the tile: columns outside, so that what rows share is read once, but
// on avx512 two vectors of a row in turn where one is no whole cache line of it.
// RUN: lintel-opt %s --split-input-file --lintel-lower-microkernel --canonicalize --cse | FileCheck %s
// RUN: lintel-opt %s --split-input-file --lintel-lower-microkernel | FileCheck %s --check-prefix=TURNS

// With mask registers: one vector loop, its tail under a mask.
// CHECK-LABEL: func.func @masks(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[ACC:[^:]*]]: memref<f32>, %[[CO:[^:]*]]: index, %[[LDACC:[^:]*]]: index, %[[ROW:[^:]*]]: index, %[[COLUMN:[^:]*]]: index, %[[ROWS:[^:]*]]: index, %[[COLUMNS:[^:]*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK: %[[SCALES:.*]] = lintel.kernel_arg %[[ARGS]] operand[0] : memref<f32>
// CHECK: %[[STRIDE:.*]] = lintel.kernel_arg %[[ARGS]] operand_stride[0] : index
// CHECK: %[[OUTPUT:.*]] = lintel.kernel_arg %[[ARGS]] output[0] : memref<f32>
// CHECK: %[[LDY:.*]] = lintel.kernel_arg %[[ARGS]] output_stride[0] : index
// CHECK: %[[FIRSTROW:.*]] = arith.muli %[[ROW]], %[[STRIDE]] : index
// CHECK: %[[SKIPPED:.*]] = arith.muli %[[ROW]], %[[LDY]] : index
// CHECK: %[[FIRSTOUT:.*]] = arith.addi %[[SKIPPED]], %[[COLUMN]] : index
// CHECK: scf.for %[[C:.*]] = %[[C0]] to %[[COLUMNS]] step %[[C16]] {
// CHECK: %[[LEFT:.*]] = arith.subi %[[COLUMNS]], %[[C]] : index
// CHECK: %[[MASK:.*]] = arith.cmpi sgt, %{{.*}} : vector<16xi32>
// CHECK: %[[BIAS:.*]] = vector.maskedload %{{.*}}[%[[C]]], %[[MASK]]
// Rows carry where they begin: the operand of rows, the output and the sums.
// CHECK: %[[OUT:.*]] = arith.addi %[[FIRSTOUT]], %[[C]] : index
// CHECK: %[[FROM:.*]] = arith.addi %[[CO]], %[[C]] : index
// CHECK: scf.for %{{.*}} = %[[C0]] to %[[ROWS]] step %[[C1]] iter_args(%[[R:.*]] = %[[FIRSTROW]], %[[Y:.*]] = %[[OUT]], %[[S:.*]] = %[[FROM]])
// CHECK-NOT: arith.muli
// CHECK: memref.reinterpret_cast %[[SCALES]] to offset: [%[[R]]]
// CHECK: %[[ROWOUT:.*]] = memref.reinterpret_cast %[[OUTPUT]] to offset: [%[[Y]]]
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %[[ACC]] to offset: [%[[S]]]
// The scratch tile is padded to whole vectors.
// CHECK: %[[SUM:.*]] = vector.load %[[SUMS]][%[[C0]]] : {{.*}}, vector<16xf32>
// CHECK: %[[V:.*]] = arith.addf %[[SUM]], %[[BIAS]] : vector<16xf32>
// CHECK: %[[SCALED:.*]] = arith.mulf %[[V]], %{{.*}} : vector<16xf32>
// CHECK: vector.maskedstore %[[ROWOUT]][%[[C0]]], %[[MASK]], %[[SCALED]]
// CHECK-NOT: memref.store
// CHECK: %[[NEXTR:.*]] = arith.addi %[[R]], %[[STRIDE]] : index
// CHECK: %[[NEXTY:.*]] = arith.addi %[[Y]], %[[LDY]] : index
// CHECK: %[[NEXTS:.*]] = arith.addi %[[S]], %[[LDACC]] : index
// CHECK: scf.yield %[[NEXTR]], %[[NEXTY]], %[[NEXTS]]
// CHECK: return
func.func @masks(%args: !lintel.kernel_args, %acc: memref<f32>, %co: index, %ldacc: index, %row: index,
                 %column: index, %rows: index, %columns: index) {
  lintel.apply_epilogue %args acc(%acc[%co], %ldacc) at(%row, %column) size(%rows, %columns)
      attributes {schedule = #lintel.schedule<tile = 2x32>, target = #lintel.target<isa = avx512>, broadcasts = ["row", "column"]}
      : memref<f32> {
  ^bb0(%sum: f32, %r: f32, %b: f32):
    %0 = arith.addf %sum, %b : f32
    %1 = arith.mulf %0, %r : f32
    lintel.yield %1 : f32
  }
  return
}

// -----

// Without: whole vectors, then the rest one by one.
// CHECK-LABEL: func.func @scalar_tail(
// CHECK-SAME: %[[COLUMNS:[^:, ]*]]: index) {
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-NOT: mask
// CHECK: %[[VECTORS:.*]] = arith.divui %[[COLUMNS]], %[[C8]] : index
// CHECK: %[[WHOLE:.*]] = arith.muli %[[VECTORS]], %[[C8]] : index
// CHECK: scf.for %[[C:.*]] = %[[C0]] to %[[WHOLE]] step %[[C8]] {
// CHECK: vector.load {{.*}}[%[[C]]] : {{.*}}, vector<8xf32>
// CHECK: scf.for
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK: vector.store {{.*}}[%[[C0]]] : {{.*}}, vector<8xf32>
// CHECK-NOT: vector.store
// CHECK: scf.for %[[T:.*]] = %[[WHOLE]] to %[[COLUMNS]] step %[[C1]] {
// CHECK: memref.load %{{.*}}[%[[T]]]
// CHECK: scf.for
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.mulf {{.*}} : f32
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[C0]]]
// CHECK-NOT: mask
// CHECK: return
func.func @scalar_tail(%args: !lintel.kernel_args, %acc: memref<f32>, %co: index, %ldacc: index, %row: index,
                       %column: index, %rows: index, %columns: index) {
  lintel.apply_epilogue %args acc(%acc[%co], %ldacc) at(%row, %column) size(%rows, %columns)
      attributes {schedule = #lintel.schedule<tile = 2x32>, target = #lintel.target<isa = avx2>, broadcasts = ["row", "column"]}
      : memref<f32> {
  ^bb0(%sum: f32, %r: f32, %b: f32):
    %0 = arith.addf %sum, %b : f32
    %1 = arith.mulf %0, %r : f32
    lintel.yield %1 : f32
  }
  return
}

// -----

// 80 columns of bf16: two lines of two vectors, then one vector; no mask.
// CHECK-LABEL: func.func @lines(
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK: scf.for %[[L:.*]] = %[[C0]] to %[[C64]] step %[[C32]] {
// CHECK: scf.for
// CHECK-NOT: mask
// CHECK: vector.store {{.*}}[%[[C0]]] : {{.*}}, vector<16xbf16>
// CHECK-NOT: mask
// CHECK: vector.store {{.*}}[%[[C16]]] : {{.*}}, vector<16xbf16>
// CHECK-NOT: vector.store
// CHECK: arith.addi %{{.*}}, %[[C64]] : index
// CHECK: scf.for
// CHECK-NOT: mask
// CHECK: vector.store {{.*}}[%[[C0]]] : {{.*}}, vector<16xbf16>
// CHECK-NOT: vector.{{.*}}store
// CHECK: return
func.func @lines(%args: !lintel.kernel_args, %acc: memref<f32>, %i: index) {
  %columns = arith.constant 80 : index
  lintel.apply_epilogue %args acc(%acc[%i], %i) at(%i, %i) size(%i, %columns)
      attributes {schedule = #lintel.schedule<tile = 2x80, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512bf16>, broadcasts = ["full"]} : memref<f32> {
  ^bb0(%sum: f32, %r: bf16):
    %0 = arith.extf %r : bf16 to f32
    %1 = arith.addf %sum, %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    lintel.yield %2 : bf16
  }
  return
}

// Columns that are not known: whole lines without a mask, then vectors under
// one. What stands in a row once is read once for a line.
// CHECK-LABEL: func.func @ragged_lines(
// CHECK-SAME: %[[COLUMNS:[^:, ]*]]: index) {
// CHECK: %[[LINES:.*]] = arith.divui %[[COLUMNS]], %c32 : index
// CHECK: %[[WHOLE:.*]] = arith.muli %[[LINES]], %c32 : index
// CHECK: scf.for %{{.*}} = %c0 to %[[WHOLE]] step %c32 {
// CHECK: scf.for
// CHECK-COUNT-1: memref.load
// CHECK-NOT: {{memref.load|mask}}
// CHECK: vector.store
// CHECK-NOT: {{memref.load|mask}}
// CHECK: vector.store
// CHECK-NOT: vector.store
// CHECK: scf.for %[[C:.*]] = %[[WHOLE]] to %[[COLUMNS]] step %c16 {
// CHECK: %[[MASK:.*]] = arith.cmpi sgt
// CHECK: scf.for
// CHECK: vector.maskedstore %{{.*}}[%c0], %[[MASK]]
// CHECK-NOT: store
// CHECK: return
func.func @ragged_lines(%args: !lintel.kernel_args, %acc: memref<f32>, %i: index, %columns: index) {
  lintel.apply_epilogue %args acc(%acc[%i], %i) at(%i, %i) size(%i, %columns)
      attributes {schedule = #lintel.schedule<tile = 2x64, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512bf16>, broadcasts = ["row"]} : memref<f32> {
  ^bb0(%sum: f32, %r: f32):
    %0 = arith.mulf %sum, %r : f32
    %1 = arith.truncf %0 : f32 to bf16
    lintel.yield %1 : bf16
  }
  return
}

// A tile of one vector has no two side by side.
// CHECK-LABEL: func.func @narrow(
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c16 {
// CHECK: vector.maskedstore
// CHECK-NOT: scf.for
// CHECK: return
func.func @narrow(%args: !lintel.kernel_args, %acc: memref<f32>, %i: index, %columns: index) {
  lintel.apply_epilogue %args acc(%acc[%i], %i) at(%i, %i) size(%i, %columns)
      attributes {schedule = #lintel.schedule<tile = 2x16, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512bf16>, broadcasts = []} : memref<f32> {
  ^bb0(%sum: f32):
    %0 = arith.truncf %sum : f32 to bf16
    lintel.yield %0 : bf16
  }
  return
}

// Outputs of f32, but an operand of half a line a vector, which has rows too.
// CHECK-LABEL: func.func @narrow_operand(
// CHECK: scf.for %{{.*}} step %c1 iter_args(
// CHECK-COUNT-2: vector.store {{.*}} : {{.*}}, vector<16xf32>
// CHECK-NOT: {{scf.for|vector.store}}
// CHECK: return
func.func @narrow_operand(%args: !lintel.kernel_args, %acc: memref<f32>, %i: index) {
  %columns = arith.constant 32 : index
  lintel.apply_epilogue %args acc(%acc[%i], %i) at(%i, %i) size(%i, %columns)
      attributes {schedule = #lintel.schedule<tile = 2x32, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512bf16>, broadcasts = ["full"]} : memref<f32> {
  ^bb0(%sum: f32, %r: bf16):
    %0 = arith.extf %r : bf16 to f32
    %1 = arith.addf %sum, %0 : f32
    lintel.yield %1 : f32
  }
  return
}

// -----

// Sums of tile registers stand register by register: rows of 16 columns, and the
// columns from 16 on behind all 25 rows of the tile, also where it has fewer.
// CHECK-LABEL: func.func @tiles(
// CHECK-SAME: %[[ACC:[^:]*]]: memref<f32>, %[[CO:[^:]*]]: index, %{{[^:]*}}: index, %[[COLUMNS:[^:]*]]: index)
// CHECK: scf.for %[[C:.*]] = %c0 to %[[COLUMNS]] step %c16 {
// CHECK: %[[BEFORE:.*]] = arith.muli %[[C]], %c25 : index
// CHECK: %[[FROM:.*]] = arith.addi %[[CO]], %[[BEFORE]] : index
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c1 iter_args(%{{.*}} = %{{.*}}, %[[AT:.*]] = %[[FROM]])
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %[[ACC]] to offset: [%[[AT]]]
// CHECK: %[[SUM:.*]] = vector.load %[[SUMS]][%c0] : {{.*}}, vector<16xf32>
// CHECK: vector.maskedstore %{{.*}}[%c0], %{{.*}}, %[[SUM]]
// CHECK: arith.addi %[[AT]], %c16 : index
// CHECK-NOT: vector.load
// CHECK: return
func.func @tiles(%args: !lintel.kernel_args, %acc: memref<f32>, %i: index, %rows: index, %columns: index) {
  %ldacc = arith.constant 16 : index
  lintel.apply_epilogue %args acc(%acc[%i], %ldacc) at(%i, %i) size(%rows, %columns)
      attributes {schedule = #lintel.schedule<tile = 25x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []} : memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// Two vectors of a line of the output come from two registers, 25 rows of 16 apart.
// CHECK-LABEL: func.func @lines_of_tiles(
// CHECK: scf.for
// CHECK: %[[SUMS:.*]] = memref.reinterpret_cast %{{.*}} : memref<f32>
// CHECK: vector.load %[[SUMS]][%c0] : {{.*}}, vector<16xf32>
// CHECK: vector.store {{.*}}[%c0] : {{.*}}, vector<16xbf16>
// CHECK: vector.load %[[SUMS]][%c400] : {{.*}}, vector<16xf32>
// CHECK: vector.store {{.*}}[%c16] : {{.*}}, vector<16xbf16>
// CHECK-NOT: vector.store
// CHECK: return
func.func @lines_of_tiles(%args: !lintel.kernel_args, %acc: memref<f32>, %i: index) {
  %ldacc = arith.constant 16 : index
  %columns = arith.constant 32 : index
  lintel.apply_epilogue %args acc(%acc[%i], %ldacc) at(%i, %i) size(%i, %columns)
      attributes {schedule = #lintel.schedule<tile = 25x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []} : memref<f32> {
  ^bb0(%sum: f32):
    %0 = arith.truncf %sum : f32 to bf16
    lintel.yield %0 : bf16
  }
  return
}

// -----

// No loop over the columns where one turn takes them all.
// TURNS-LABEL: func.func @one_turn(
// TURNS-SAME: %[[ROWS:[^:, ]*]]: index)
// TURNS: scf.for %{{.*}} = %{{.*}} to %[[ROWS]]
// TURNS-NOT: scf.for
// TURNS: return
func.func @one_turn(%args: !lintel.kernel_args, %acc: memref<f32>, %i: index, %rows: index) {
  %columns = arith.constant 16 : index
  lintel.apply_epilogue %args acc(%acc[%i], %columns) at(%i, %i) size(%rows, %columns)
      attributes {schedule = #lintel.schedule<tile = 4x16, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// -----

// Under a mask it stays, or LLVM would know the mask and store four bytes of one.
// TURNS-LABEL: func.func @one_column(
// TURNS: scf.for %[[C:.*]] = %{{.*}} to %[[COLUMNS:.*]] step
// TURNS: arith.subi %[[COLUMNS]], %[[C]] : index
// TURNS: scf.for
// TURNS: vector.maskedstore %{{.*}} : memref<?xi8,
func.func @one_column(%args: !lintel.kernel_args, %acc: memref<i32>, %i: index, %rows: index) {
  %columns = arith.constant 1 : index
  lintel.apply_epilogue %args acc(%acc[%i], %columns) at(%i, %i) size(%rows, %columns)
      attributes {schedule = #lintel.schedule<tile = 1x1, group = 64, epilogue = tile>, target = #lintel.target<isa = avx512, extensions = avx512vnni>, broadcasts = []}
      : memref<i32> {
  ^bb0(%sum: i32):
    %0 = arith.trunci %sum : i32 to i8
    lintel.yield %0 : i8
  }
  return
}
