// lintel-lower-microkernel on integers of 8 bits: four of K a step, or two that are widened.
// RUN: lintel-opt %s --split-input-file --lintel-lower-microkernel --canonicalize --cse | FileCheck %s

// Unsigned A times signed B, as they are. Of what is left of K the last byte
// stands for those that are missing, whose factors in B are zero.
// CHECK-LABEL: func.func @quads(
// CHECK-SAME: %[[B:[^: ]*]]: memref<i8>
// CHECK-DAG: %[[C96:.*]] = arith.constant 96 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[C128:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[B_REST:.*]] = arith.constant 3072 : index
// CHECK: %[[W:.*]] = memref.reinterpret_cast %[[B]] to {{.*}} sizes: [3200, 3200], strides: [1, 1]
// CHECK: scf.for %[[K:[a-z0-9_]*]] = %[[C0]] to %[[C96]] step %[[C4]] iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}, %[[AT:.*]] = %[[C0]]) -> (vector<16xi32>, vector<16xi32>, index)
// CHECK: %[[B0:.*]] = vector.load %[[W]][%[[AT]], %[[C0]]] : {{.*}}, vector<64xi8>
// CHECK: %[[B1:.*]] = vector.load %[[W]][%[[AT]], %[[C64]]] : {{.*}}, vector<64xi8>
// CHECK: %[[QUAD:.*]] = vector.load %{{.*}}[%[[K]], %[[C0]]] : {{.*}}, vector<4xui8>
// CHECK: %[[BITS:.*]] = vector.bitcast %[[QUAD]] : vector<4xui8> to vector<1xi32>
// CHECK: %[[LANE:.*]] = vector.extract %[[BITS]][0]
// CHECK: %[[LANES:.*]] = vector.broadcast %[[LANE]] : i32 to vector<16xi32>
// CHECK: %[[A:.*]] = vector.bitcast %[[LANES]] : vector<16xi32> to vector<64xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[S0]], %[[A]], %[[B0]])
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[S1]], %[[A]], %[[B1]])
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %[[C128]] : index
// CHECK: scf.yield {{.*}}, %[[NEXT]] :
// CHECK-NOT: vector<4xui8>
// CHECK: vector.load %[[W]][%[[B_REST]], %[[C0]]] : {{.*}}, vector<64xi8>
// CHECK: vector.load %[[W]][%[[B_REST]], %[[C64]]] : {{.*}}, vector<64xi8>
// CHECK: vector.load %{{.*}}[%[[C96]], %[[C0]]] : {{.*}}, vector<1xui8>
// CHECK: %[[FIRST:.*]] = arith.extui
// CHECK: vector.load %{{.*}}[%[[C96]], %[[C1]]] : {{.*}}, vector<1xui8>
// CHECK: %[[LAST:.*]] = arith.extui
// CHECK: %[[SECOND:.*]] = arith.shli %[[LAST]], %c8{{.*}} : i32
// CHECK: %[[TWO:.*]] = arith.ori %[[FIRST]], %[[SECOND]] : i32
// CHECK: %[[THIRD:.*]] = arith.shli %[[LAST]], %c16{{.*}} : i32
// CHECK: arith.ori %[[TWO]], %[[THIRD]] : i32
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
func.func @quads(%args: !lintel.kernel_args, %a: memref<ui8>, %b: memref<i8>, %s: memref<i32>, %i: index, %lda: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 98 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x32, group = 4, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "avx512vnni">, broadcasts = []}
      : memref<ui8>, memref<i8>, memref<i32> {
  }
  return
}

// Signed A: 128 is added by flipping the sign bits. What is left of a depth that
// is known only in the kernel is one to three elements.
// CHECK-LABEL: func.func @signed(
// CHECK-SAME: %[[DEPTH:[^:]*]]: index)
// CHECK-DAG: %[[SIGNS:.*]] = arith.constant dense<-128> : vector<64xi8>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK: memref.reinterpret_cast %{{.*}} : memref<i8> to memref<?x?xi8, strided<[1, 1], offset: ?>>
// CHECK: memref.reinterpret_cast %{{.*}} : memref<i8> to memref<?x?xi8, strided<[1, 1], offset: ?>>
// CHECK: %[[QUADS:.*]] = arith.divui
// CHECK: %[[WHOLE:.*]] = arith.muli
// CHECK: scf.for
// CHECK: %[[A:.*]] = vector.bitcast %{{.*}} : vector<16xi32> to vector<64xi8>
// CHECK: %[[SHIFTED:.*]] = arith.xori %[[A]], %[[SIGNS]] : vector<64xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[SHIFTED]], %{{.*}})
// CHECK: %[[LEFT:.*]] = arith.subi %[[DEPTH]], %[[WHOLE]] : index
// CHECK: %[[SOME:.*]] = arith.cmpi ugt, %[[DEPTH]], %[[WHOLE]] : index
// CHECK: %[[B_REST:.*]] = arith.muli %[[QUADS]], %[[C64]] : index
// CHECK: scf.if %[[SOME]]
// CHECK: vector.load %{{.*}}[%[[B_REST]], %[[C0]]] : {{.*}}, vector<64xi8>
// CHECK: %[[LAST:.*]] = arith.subi %[[LEFT]], %[[C1]] : index
// CHECK: vector.load %[[X:.*]][%[[WHOLE]], %[[C0]]] : {{.*}}, vector<1xi8>
// CHECK: %[[SECOND:.*]] = arith.minui %[[LAST]], %[[C1]] : index
// CHECK: vector.load %[[X]][%[[WHOLE]], %[[SECOND]]] : {{.*}}, vector<1xi8>
// CHECK: %[[THIRD:.*]] = arith.minui %[[LAST]], %[[C2]] : index
// CHECK: vector.load %[[X]][%[[WHOLE]], %[[THIRD]]] : {{.*}}, vector<1xi8>
// CHECK: arith.xori
func.func @signed(%args: !lintel.kernel_args, %a: memref<i8>, %b: memref<i8>, %s: memref<i32>, %i: index, %lda: index, %p: i1, %depth: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, group = 4, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "avx512vnni">, broadcasts = []}
      : memref<i8>, memref<i8>, memref<i32> {
  }
  return
}

// -----

// Without products of quads: pairs, widened to 16 bits, whose products do not saturate. Of an odd K
// zero stands for the one that is missing.
// CHECK-LABEL: func.func @widened(
// CHECK-DAG: %[[C96:.*]] = arith.constant 96 : index
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK: scf.for {{.*}} iter_args(%[[S:[a-z0-9_]*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (vector<8xi32>, index)
// CHECK: %[[B:.*]] = vector.load {{.*}}, vector<16xi8>
// CHECK: %[[B_WIDE:.*]] = arith.extsi %[[B]] : vector<16xi8> to vector<16xi16>
// CHECK: vector.load {{.*}}, vector<2xui8>
// CHECK: vector.broadcast %{{.*}} : i16 to vector<8xi16>
// CHECK: %[[A:.*]] = vector.bitcast %{{.*}} : vector<8xi16> to vector<16xi8>
// CHECK: %[[A_WIDE:.*]] = arith.extui %[[A]] : vector<16xi8> to vector<16xi16>
// CHECK: %[[PRODUCTS:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%[[A_WIDE]], %[[B_WIDE]])
// CHECK: arith.addi %[[S]], %[[PRODUCTS]]
// CHECK: vector.load %{{.*}}[%[[C96]], %[[C0]]] : {{.*}}, vector<1xui8>
// CHECK: arith.extui %{{.*}} : i8 to i16
// CHECK: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
func.func @widened(%args: !lintel.kernel_args, %a: memref<ui8>, %b: memref<i8>, %s: memref<i32>, %i: index, %lda: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 97 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x8, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<ui8>, memref<i8>, memref<i32> {
  }
  return
}

// Rows that were widened as they were packed lie as those of x do.
// CHECK-LABEL: func.func @widened_as_packed(
// CHECK: %[[PAIR:.*]] = vector.load %{{.*}} : {{.*}}, vector<2xi16>
// CHECK: vector.bitcast %[[PAIR]] : vector<2xi16> to vector<1xi32>
// CHECK: vector.broadcast %{{.*}} : i32 to vector<8xi32>
// CHECK-NOT: arith.extui
// CHECK: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
func.func @widened_as_packed(%args: !lintel.kernel_args, %a: memref<i16>, %b: memref<i8>, %s: memref<i32>, %i: index, %lda: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 96 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x8, group = 2, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<i16>, memref<i8>, memref<i32> {
  }
  return
}

// -----

// CHECK-LABEL: func.func @widened_avx512(
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"
func.func @widened_avx512(%args: !lintel.kernel_args, %a: memref<i8>, %b: memref<i8>, %s: memref<i32>, %i: index, %lda: index, %p: i1) {
  %true = arith.constant true
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %i) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<i8>, memref<i8>, memref<i32> {
  }
  return
}

// -----

// CHECK-LABEL: func.func @widened_x86_64(
// CHECK: llvm.call_intrinsic "llvm.x86.sse2.pmadd.wd"
func.func @widened_x86_64(%args: !lintel.kernel_args, %a: memref<i8>, %b: memref<i8>, %s: memref<i32>, %i: index, %lda: index, %p: i1) {
  %true = arith.constant true
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %i) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x4, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = x86_64>, broadcasts = []}
      : memref<i8>, memref<i8>, memref<i32> {
  }
  return
}

// -----

// The sums of columns and rows are read where they stand, beside the operands.
// CHECK-LABEL: func.func @sums(
// CHECK: %[[COLUMNS:.*]] = lintel.kernel_arg %{{.*}} column_sums : memref<i32>
// CHECK: memref.reinterpret_cast %[[COLUMNS]] to offset: [%[[COLUMN:[a-z0-9]*]]]
// CHECK: %[[ROWS:.*]] = lintel.kernel_arg %{{.*}} row_sums : memref<i32>
// CHECK: lintel.kernel_arg %{{.*}} operand[0] : memref<f32>
// CHECK: vector.maskedload %{{.*}}, vector<16xi32>
// CHECK: %[[ROW:.*]] = memref.reinterpret_cast %[[ROWS]]
// CHECK: memref.load %[[ROW]][%{{.*}}] : memref<{{.*}}xi32
func.func @sums(%args: !lintel.kernel_args, %s: memref<i32>, %i: index) {
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 1x16, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column_sums", "row_sums", "column"]} : memref<i32> {
  ^bb0(%acc: i32, %column: i32, %row: i32, %bias: f32):
    %0 = arith.muli %column, %row : i32
    %1 = arith.subi %acc, %0 : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.addf %2, %bias : f32
    lintel.yield %3 : f32
  }
  return
}

// -----

// Sums of pairs in 16 bits: bytes as they are, the two pairs of a lane added by ones. An A of i8
// counts as A + 128.
// CHECK-LABEL: func.func @pairs(
// CHECK-DAG: %[[ONES:.*]] = arith.constant dense<1> : vector<16xi16>
// CHECK-DAG: %[[SIGNS:.*]] = arith.constant dense<-128> : vector<32xi8>
// CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %{{.*}}) -> (vector<8xi32>, index)
// CHECK: %[[B:.*]] = vector.load {{.*}}, vector<32xi8>
// CHECK: %[[A:.*]] = vector.bitcast %{{.*}} : vector<8xi32> to vector<32xi8>
// CHECK: %[[SHIFTED:.*]] = arith.xori %[[A]], %[[SIGNS]] : vector<32xi8>
// CHECK: %[[PAIRS:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.ub.sw"(%[[SHIFTED]], %[[B]]) : {{.*}} -> vector<16xi16>
// CHECK: %[[QUADS:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%[[PAIRS]], %[[ONES]]) : {{.*}} -> vector<8xi32>
// CHECK: %[[SUM:.*]] = arith.addi %[[S]], %[[QUADS]] : vector<8xi32>
// CHECK: scf.yield %[[SUM]],
func.func @pairs(%args: !lintel.kernel_args, %a: memref<i8>, %b: memref<i8>, %s: memref<i32>, %i: index, %lda: index, %p: i1) {
  %true = arith.constant true
  %depth = arith.constant 96 : index
  lintel.microkernel %args a(%a[%i], %lda) b(%b[%i], %depth) acc(%s[%i], %i) first(%true) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x8, accumulate = s16, group = 4, epilogue = tile>,
                  target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<i8>, memref<i8>, memref<i32> {
  }
  return
}
