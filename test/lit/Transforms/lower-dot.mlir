// lintel-lower-microkernel: with a group in the schedule vectors run along K, and a
// tree of shuffles adds up the lanes.
// RUN: lintel-opt %s --split-input-file --lintel-lower-microkernel | FileCheck %s

// Two rows and two columns are four accumulators. 40 is two vectors and a half: the
// last loads are masked, of A and of B.
// CHECK-LABEL: func.func @ragged(
// CHECK: %[[SUMS:.*]]:4 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
// CHECK-COUNT-3: vector.load
// CHECK-COUNT-2: vector.fma
// CHECK: vector.load
// CHECK-COUNT-2: vector.fma
// CHECK-NOT: vector.fma
// CHECK: }
// CHECK-COUNT-3: vector.maskedload
// CHECK-COUNT-2: vector.fma
// CHECK: vector.maskedload
// CHECK: %[[A:.*]] = vector.fma
// CHECK: %[[B:.*]] = vector.fma
// Four to two to one, whose halves are then added until each lane is a sum.
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30] : vector<16xf32>, vector<16xf32>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31] : vector<16xf32>, vector<16xf32>
// CHECK: arith.addf
// CHECK: vector.shuffle %[[A]], %[[B]] [0,
// CHECK: vector.shuffle %[[A]], %[[B]] [1,
// CHECK: arith.addf
// CHECK-COUNT-6: vector.shuffle
// CHECK: %[[LAST:.*]] = arith.addf
// CHECK-NOT: vector.shuffle
// CHECK: vector.store %[[LAST]]
// CHECK-NEXT: return
func.func @ragged(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %depth = arith.constant 40 : index
  %ldacc = arith.constant 2 : index
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 4x2, group = 16, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    lintel.yield
  }
  return
}

// -----

// Whole vectors need no mask. Six sums of eight lanes fill one vector of eight.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT: maskedload
// CHECK-COUNT-1: vector.store
// CHECK-NOT: vector.store
// CHECK: return
func.func @whole(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %depth = arith.constant 64 : index
  %ldacc = arith.constant 2 : index
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 3, schedule = #lintel.schedule<tile = 3x2, group = 8, epilogue = tile>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    lintel.yield
  }
  return
}

// -----

// A depth known only at run time may leave something or nothing.
// CHECK-LABEL: func.func @any_depth(
// CHECK-COUNT-2: vector.maskedload
// CHECK: return
func.func @any_depth(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %depth: index) {
  %ldacc = arith.constant 1 : index
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x1, group = 16, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    lintel.yield
  }
  return
}

// -----

// Of narrow types a vector takes more of K, and a mask as many bits: pairs of bf16
// are multiplied by one instruction where the target has it,
// CHECK-LABEL: func.func @pairs(
// CHECK-COUNT-2: vector.load {{.*}}, vector<32xbf16>
// CHECK-NOT: vector.bitcast
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
// CHECK: vector<32xi16>
// CHECK: vector.maskedload {{.*}} vector<32xbf16>
// CHECK-NOT: vector.bitcast
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
// CHECK: return
func.func @pairs(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index) {
  %depth = arith.constant 40 : index
  %ldacc = arith.constant 1 : index
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x1, group = 32, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512bf16>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
    lintel.yield
  }
  return
}

// -----

// and elsewhere widened to two vectors of f32, whose products go to two sums in a tile
// of one row or column, which are added up before the lanes are.
// CHECK-LABEL: func.func @widened_pairs(
// CHECK: %[[SUMS:.*]]:4 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
// CHECK-COUNT-4: vector.fma
// CHECK-NOT: vector.fma
// CHECK: }
// CHECK: arith.addf %[[SUMS]]#0, %[[SUMS]]#1
// CHECK: arith.addf %[[SUMS]]#2, %[[SUMS]]#3
// CHECK: vector.shuffle
func.func @widened_pairs(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index) {
  %depth = arith.constant 64 : index
  %ldacc = arith.constant 1 : index
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 2x1, group = 32, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
    lintel.yield
  }
  return
}

// Integers that are widened: half as many a vector, the mask of as many bytes,
// CHECK-LABEL: func.func @widened_bytes(
// CHECK: vector.load {{.*}} vector<32xi8>
// CHECK: arith.extsi {{.*}} vector<32xi8> to vector<32xi16>
// CHECK: vector.load {{.*}} vector<32xui8>
// CHECK: arith.extui {{.*}} vector<32xi8> to vector<32xi16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"
// CHECK-COUNT-2: vector.maskedload {{.*}} vector<32x
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"
func.func @widened_bytes(%args: !lintel.kernel_args, %a: memref<ui8>, %b: memref<i8>, %s: memref<i32>, %i: index) {
  %depth = arith.constant 40 : index
  %ldacc = arith.constant 1 : index
  %true = arith.constant true
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x1, group = 32, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<ui8>, memref<i8>, memref<i32> {
    lintel.yield
  }
  return
}

// -----

// or, without masks, what is left of x in pieces.
// CHECK-LABEL: func.func @bytes_in_pieces(
// CHECK: scf.for
// CHECK: vector.load {{.*}} vector<16xi8>
// CHECK: vector.load {{.*}} vector<16xi8>
// CHECK: vector.load {{.*}} vector<8xi8>
// CHECK: vector.load {{.*}} vector<2xi8>
// CHECK: arith.extsi {{.*}} vector<16xi8> to vector<16xi16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
func.func @bytes_in_pieces(%args: !lintel.kernel_args, %m: memref<i8>, %s: memref<i32>, %i: index) {
  %depth = arith.constant 42 : index
  %ldacc = arith.constant 1 : index
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x1, group = 16, epilogue = tile>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<i8>, memref<i8>, memref<i32> {
    lintel.yield
  }
  return
}

// -----

// Signed integers of A become unsigned ones, those of B do not.
// CHECK-LABEL: func.func @quads(
// CHECK: scf.for
// CHECK: %[[B:.*]] = vector.load {{.*}} vector<64xi8>
// CHECK: %[[A:.*]] = vector.load {{.*}} vector<64xi8>
// CHECK: %[[FLIPPED:.*]] = arith.xori %[[A]], %{{.*}} : vector<64xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[FLIPPED]], %[[B]])
// CHECK: vector.shuffle
// CHECK: arith.addi
func.func @quads(%args: !lintel.kernel_args, %m: memref<i8>, %s: memref<i32>, %i: index) {
  %depth = arith.constant 128 : index
  %ldacc = arith.constant 1 : index
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x1, group = 64, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512vnni>, broadcasts = []}
      : memref<i8>, memref<i8>, memref<i32> {
    lintel.yield
  }
  return
}

// A mask leaves zeros in vectors of unsigned integers, too.
// CHECK-LABEL: func.func @masked_quads(
// CHECK: vector<64xi8>
// CHECK: vector.maskedload {{.*}} vector<64xi8>
// CHECK: vector.maskedload {{.*}} vector<64xui8>
// CHECK: return
func.func @masked_quads(%args: !lintel.kernel_args, %a: memref<ui8>, %m: memref<i8>, %s: memref<i32>, %i: index) {
  %depth = arith.constant 70 : index
  %ldacc = arith.constant 1 : index
  %true = arith.constant true
  lintel.microkernel %args a(%a[%i], %i) b(%m[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x1, group = 64, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512vnni>, broadcasts = []}
      : memref<ui8>, memref<i8>, memref<i32> {
    lintel.yield
  }
  return
}

// -----

// Where nothing masks what is narrower than a lane, what is left of K is read in pieces of a
// power of two: here 11 of 16, as 8, 2 and 1. B is padded with zeros.
// CHECK-LABEL: func.func @pieces(
// CHECK: scf.for
// CHECK: vector.load %{{[^,]*}}] : {{.*}}, vector<16xbf16>
// CHECK: %[[EIGHT:.*]] = vector.load %[[X:.*]][%{{.*}}, %{{.*}}] : {{.*}}, vector<8xbf16>
// CHECK: %[[WIDE:.*]] = vector.shuffle %[[EIGHT]], %[[EIGHT]] [0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1]
// CHECK: %[[FIRST:.*]] = vector.shuffle %{{.*}}, %[[WIDE]] [16, 17, 18, 19, 20, 21, 22, 23, 8, 9, 10, 11, 12, 13, 14, 15]
// CHECK: vector.load %[[X]][%{{.*}}, %{{.*}}] : {{.*}}, vector<2xbf16>
// CHECK: %[[SECOND:.*]] = vector.shuffle %[[FIRST]], %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 10, 11, 12, 13, 14, 15]
// CHECK: vector.load %[[X]][%{{.*}}, %{{.*}}] : {{.*}}, vector<1xbf16>
// CHECK: %[[THIRD:.*]] = vector.shuffle %[[SECOND]], %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 11, 12, 13, 14, 15]
// CHECK: vector.bitcast %[[THIRD]] : vector<16xbf16> to vector<8xi32>
// CHECK-NOT: maskedload
// CHECK: return
func.func @pieces(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index) {
  %depth = arith.constant 27 : index
  %ldacc = arith.constant 1 : index
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%s[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x1, group = 16, epilogue = tile>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
    lintel.yield
  }
  return
}
