// lintel-lower-microkernel with embed = 1: A is read by pointers, one for each
// vector of B, a line behind each other; the first row has a load and a broadcast
// for each of its multiply-adds, the second one for both.
// RUN: lintel-opt %s --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[A:[^:]*]]: memref<f32>, %[[B:[^:]*]]: memref<f32>, %[[ACC:[^:]*]]: memref<f32>, %[[AO:[^:]*]]: index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[A]] : memref<f32> -> index
// CHECK: %[[BYTES:.*]] = arith.muli %[[AO]], %[[C4]] : index
// CHECK: %[[BEGIN:.*]] = arith.addi %[[BASE]], %[[BYTES]] : index
// CHECK: %[[ADDRESS:.*]] = arith.index_cast %[[BEGIN]] : index to i64
// CHECK: %[[P0:.*]] = llvm.inttoptr %[[ADDRESS]] : i64 to !llvm.ptr
// CHECK: %[[P1:.*]] = llvm.getelementptr %[[P0]][16] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK: scf.for %{{.*}} iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}, %[[S2:.*]] = %{{.*}}, %[[S3:.*]] = %{{.*}}, %[[Q0:.*]] = %[[P0]], %[[Q1:.*]] = %[[P1]], %{{.*}} = %{{.*}})
// CHECK: %[[B0:.*]] = vector.load
// CHECK: %[[B1:.*]] = vector.load
// CHECK-NEXT: %[[E0:.*]] = llvm.load %[[Q0]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[A0:.*]] = vector.broadcast %[[E0]]
// CHECK-NEXT: %[[N0:.*]] = vector.fma %[[A0]], %[[B0]], %[[S0]]
// CHECK-NEXT: %[[SAME:.*]] = llvm.getelementptr %[[Q1]][-16] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT: %[[E1:.*]] = llvm.load %[[SAME]]
// CHECK-NEXT: %[[A1:.*]] = vector.broadcast %[[E1]]
// CHECK-NEXT: %[[N1:.*]] = vector.fma %[[A1]], %[[B1]], %[[S1]]
// CHECK-NEXT: %[[NEXT:.*]] = llvm.getelementptr %[[Q0]][1] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT: %[[E2:.*]] = llvm.load %[[NEXT]]
// CHECK-NEXT: %[[A2:.*]] = vector.broadcast %[[E2]]
// CHECK-NEXT: %[[N2:.*]] = vector.fma %[[A2]], %[[B0]], %[[S2]]
// CHECK-NEXT: %[[N3:.*]] = vector.fma %[[A2]], %[[B1]], %[[S3]]
// CHECK-DAG: %[[R0:.*]] = llvm.getelementptr %[[Q0]][2] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-DAG: %[[R1:.*]] = llvm.getelementptr %[[Q1]][2] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK: scf.yield %[[N0]], %[[N1]], %[[N2]], %[[N3]], %[[R0]], %[[R1]],
func.func @packed(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %acc: memref<f32>, %ao: index, %lda: index,
    %bo: index, %depth: index, %co: index, %ldacc: index, %first: i1, %last: i1,
    %row: index, %column: index, %columns: index) {
  lintel.microkernel %args a(%a[%ao], %lda) b(%b[%bo], %depth) acc(%acc[%co], %ldacc) first(%first) last(%last)
      at(%row, %column) columns(%columns)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 2x32, pack = block, embed = 1>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// Rows in place, 100 elements apart.
// CHECK-LABEL: func.func @apart(
// CHECK: scf.for %{{.*}} iter_args({{.*}}, %[[Q0:.*]] = %{{.*}}, %[[Q1:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: llvm.getelementptr %[[Q0]][100] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK: llvm.getelementptr %[[Q0]][1] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK: llvm.getelementptr %[[Q1]][1] : (!llvm.ptr) -> !llvm.ptr, f32
func.func @apart(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %acc: memref<f32>, %ao: index,
    %bo: index, %depth: index, %co: index, %ldacc: index, %first: i1, %last: i1,
    %row: index, %column: index, %columns: index) {
  %lda = arith.constant 100 : index
  lintel.microkernel %args a(%a[%ao], %lda) b(%b[%bo], %depth) acc(%acc[%co], %ldacc) first(%first) last(%last)
      at(%row, %column) columns(%columns)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 2x32, embed = 1>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// So far apart that an operation's own index would not hold it.
// CHECK-LABEL: func.func @far_apart(
// CHECK: %[[FAR:.*]] = llvm.mlir.constant(1073741824 : i64) : i64
// CHECK: llvm.getelementptr %{{.*}}[%[[FAR]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
func.func @far_apart(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %acc: memref<f32>, %ao: index,
    %bo: index, %depth: index, %co: index, %ldacc: index, %first: i1, %last: i1,
    %row: index, %column: index, %columns: index) {
  %lda = arith.constant 1073741824 : index
  lintel.microkernel %args a(%a[%ao], %lda) b(%b[%bo], %depth) acc(%acc[%co], %ldacc) first(%first) last(%last)
      at(%row, %column) columns(%columns)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 2x32, embed = 1>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}
