// lintel-lower-microkernel: with store = stream a whole tile whose rows begin with
// cache lines in all outputs is stored past the caches; any other is stored as ever.
// RUN: lintel-opt %s --split-input-file --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// One decision a tile, one branch a row. Ragged panels are masked, never streamed.
// CHECK-LABEL: func.func @registers(
// CHECK-SAME: %[[ARGS:[^:]*]]: !lintel.kernel_args, %[[M:[^:]*]]: memref<f32>, %[[I:[^:]*]]: index, %[[DEPTH:[^:]*]]: index, %[[COLUMNS:[^:]*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[C63:.*]] = arith.constant 63 : index
// CHECK: scf.for
// CHECK-DAG: %[[OUT0:.*]] = lintel.kernel_arg %[[ARGS]] output[0] : memref<f32>
// CHECK-DAG: %[[LD0:.*]] = lintel.kernel_arg %[[ARGS]] output_stride[0] : index
// CHECK-DAG: %[[OUT1:.*]] = lintel.kernel_arg %[[ARGS]] output[1] : memref<f32>
// CHECK-DAG: %[[LD1:.*]] = lintel.kernel_arg %[[ARGS]] output_stride[1] : index
// CHECK: %[[P0:.*]] = memref.extract_aligned_pointer_as_index %[[OUT0]]
// CHECK: %[[S0:.*]] = arith.muli %[[LD0]], %[[C4]] : index
// CHECK: %[[OR0:.*]] = arith.ori %[[P0]], %[[S0]] : index
// CHECK: %[[P1:.*]] = memref.extract_aligned_pointer_as_index %[[OUT1]]
// CHECK: %[[OR1:.*]] = arith.ori %[[OR0]], %[[P1]] : index
// CHECK: %[[S1:.*]] = arith.muli %[[LD1]], %[[C4]] : index
// CHECK: %[[OR2:.*]] = arith.ori %[[OR1]], %[[S1]] : index
// CHECK: %[[BITS:.*]] = arith.andi %[[OR2]], %[[C63]] : index
// CHECK: %[[ALIGNED:.*]] = arith.cmpi eq, %[[BITS]], %[[C0]] : index
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[COLUMNS]], %[[C32]] : index
// CHECK: %[[STREAMS:.*]] = arith.andi %[[ALIGNED]], %[[WHOLE]] : i1
// CHECK-NOT: store
// CHECK: scf.if %[[STREAMS]] {
// CHECK-COUNT-4: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true} : {{.*}}, vector<16xf32>
// CHECK: } else {
// CHECK-COUNT-4: vector.maskedstore
// CHECK: }
// CHECK: scf.if %[[STREAMS]] {
// CHECK-COUNT-4: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true} : {{.*}}, vector<16xf32>
// CHECK: } else {
// CHECK-COUNT-4: vector.maskedstore
// CHECK: }
// CHECK-NEXT: return
func.func @registers(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %depth: index, %columns: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%columns)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 2x32, store = stream>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    %0 = arith.negf %sum : f32
    lintel.yield %sum, %0 : f32, f32
  }
  return
}

// -----

// Sums of an unfinished K stay in the caches.
// CHECK-LABEL: func.func @unfinished(
// CHECK: scf.if
// CHECK: nontemporal
// CHECK: } else {
// CHECK: vector.store {{.*}} : memref<1x16xf32, {{.*}}>, vector<8xf32>
// CHECK-NEXT: vector.store {{.*}} : memref<1x16xf32, {{.*}}>, vector<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @unfinished(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %depth: index, %last: i1) {
  %true = arith.constant true
  %columns = arith.constant 16 : index
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%last) at(%i, %i) columns(%columns)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, store = stream>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// On a tile: vectors are streamed, the scalars of a ragged panel are not. The
// decision is made outside the loops.
// CHECK-LABEL: func.func @tile(
// CHECK: %[[STREAMS:.*]] = arith.andi {{.*}} : i1
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.if %[[STREAMS]] {
// CHECK-NEXT: vector.store {{.*}} {alignment = 32 : i64, nontemporal = true} : {{.*}}, vector<8xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: vector.store {{.*}}] : {{.*}}, vector<8xf32>
// CHECK-NEXT: }
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: memref.store
// CHECK-NOT: nontemporal
func.func @tile(%args: !lintel.kernel_args, %acc: memref<f32>, %co: index, %ldacc: index, %row: index,
                %column: index, %rows: index, %columns: index) {
  lintel.apply_epilogue %args acc(%acc[%co], %ldacc) at(%row, %column) size(%rows, %columns)
      attributes {schedule = #lintel.schedule<tile = 2x16, epilogue = tile, store = stream>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// -----

// What stands once in a row is read once, before the loop over its vectors.
// CHECK-LABEL: func.func @row_operand(
// CHECK: scf.for %{{.*}} iter_args(
// CHECK: memref.load
// CHECK: scf.for
// CHECK-NOT: memref.load
// CHECK: nontemporal = true
// CHECK-NOT: memref.load
// CHECK: return
func.func @row_operand(%args: !lintel.kernel_args, %acc: memref<f32>, %i: index) {
  %columns = arith.constant 32 : index
  lintel.apply_epilogue %args acc(%acc[%i], %columns) at(%i, %i) size(%i, %columns)
      attributes {schedule = #lintel.schedule<tile = 2x32, epilogue = tile, store = stream>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["row"]} : memref<f32> {
  ^bb0(%sum: f32, %r: f32):
    %0 = arith.mulf %sum, %r : f32
    lintel.yield %0 : f32
  }
  return
}
