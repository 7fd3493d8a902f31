// lintel-tile on 16-bit floats: pointers to what they point to, offsets in its
// elements, sums in f32.
// RUN: lintel-opt %s --lintel-tile --split-input-file | FileCheck %s

// CHECK-LABEL: func.func private @layer_microkernel_4(
// CHECK-DAG: %[[SUMS:.*]] = lintel.kernel_arg %{{.*}} workspace : memref<f32>
// CHECK-DAG: %[[COPY:.*]] = lintel.kernel_arg %{{.*}} workspace : memref<bf16>
// CHECK-DAG: %[[W:.*]] = lintel.kernel_arg %{{.*}} w : memref<bf16>
// CHECK: lintel.microkernel %{{.*}} a(%[[COPY]][{{.*}} b(%[[W]][{{.*}} acc(%[[SUMS]][{{.*}} : memref<bf16>, memref<bf16>, memref<f32> {
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: bf16):

// Pairs of a row stay side by side: four rows and eight pairs at a time.
// CHECK-LABEL: func.func private @layer_pack(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[DEPTH:.*]]: index, %[[TO:.*]]: index) attributes {passthrough = ["noinline", "optnone"]} {
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[TO]]], sizes: [%{{.*}}, 8], strides: [8, 1]
// CHECK: %[[PAIRS:.*]] = arith.divui %[[DEPTH]], %[[C2:.*]] : index
// CHECK: %[[WHOLE:.*]] = arith.muli %[[PAIRS]], %[[C2]] : index
// CHECK: scf.for %[[STEP:.*]] = %{{.*}} to %[[WHOLE]] step %c16
// CHECK-NEXT: %[[K:.*]] = arith.minui %[[STEP]]
// CHECK: %[[ROW:.*]] = vector.load {{.*}}, vector<16xbf16>
// CHECK-NEXT: vector.bitcast %[[ROW]] : vector<16xbf16> to vector<8xi32>
// CHECK: %[[GROUP:.*]] = arith.divui %[[K]], %[[C2]] : index
// CHECK: %[[AT:.*]] = arith.muli %[[GROUP]], %c8
// CHECK-COUNT-8: vector.shuffle {{.*}} : vector<8xi32>, vector<8xi32>
// CHECK: vector.store {{.*}}, vector<8xbf16>
// What is left of K, element by element.
// CHECK: %[[GROUP:.*]] = arith.divui %[[WHOLE]], %[[C2]] : index
// CHECK: scf.for %[[R:.*]] = %{{.*}} to %c4
// CHECK: %[[FIRST:.*]] = arith.muli %[[R]], %[[C2]] : index
// CHECK: scf.for %[[K:.*]] = %[[WHOLE]] to %[[DEPTH]]
// CHECK: %[[IN_GROUP:.*]] = arith.subi %[[K]], %[[WHOLE]] : index
// CHECK: %[[AT:.*]] = arith.addi %[[FIRST]], %[[IN_GROUP]] : index
// CHECK: %[[LAST:.*]] = vector.load %{{.*}}[%[[R]], %[[K]]] : {{.*}}, vector<1xbf16>
// CHECK: vector.store %[[LAST]], %{{.*}}[%[[GROUP]], %[[AT]]]

// A strip takes the room of whole pairs.
// CHECK-LABEL: func.func private @layer_block(
// CHECK: %[[BEFORE:.*]] = arith.muli %{{.*}}, %c66{{.*}} : index
// CHECK: arith.addi %{{.*}}, %[[BEFORE]] : index

// The copy stands behind the sums; of its elements two take the room of one sum.
// CHECK-LABEL: func.func @layer(
// CHECK: lintel.kernel_arg %{{.*}} workspace_stride : index
// CHECK: arith.muli %{{.*}}, %c2 : index
func.func @layer(%x: tensor<64x65xbf16>, %w: tensor<64x65xbf16>, %b: tensor<64xbf16>) -> tensor<64x64xbf16> {
  %y = lintel.linear %x, %w epilogue(%b : tensor<64xbf16>)
      {schedule = #lintel.schedule<tile = 4x32, group = 2, pack = block>, target = #lintel.target<isa = avx512, extensions = avx512bf16>}
      : (tensor<64x65xbf16>, tensor<64x65xbf16>) -> tensor<64x64xbf16> {
  ^bb0(%acc: f32, %c: bf16):
    %0 = arith.extf %c : bf16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    lintel.yield %2 : bf16
  }
  return %y : tensor<64x64xbf16>
}

// -----

// Where products are those of f32, rows are widened as they are packed: as they
// lie in x, an odd number of cache lines apart, 9 for 113 to 144 elements of K.
// The last vector of a row begins with elements of the one before.
// CHECK-LABEL: func.func private @widened_microkernel_4(
// CHECK-DAG: %[[LDA:.*]] = arith.constant 144 : index
// CHECK: lintel.microkernel %{{.*}} a(%{{[0-9]*}}[%{{[^]]*}}], %[[LDA]]) b({{.*}} : memref<f32>, memref<f16>, memref<f32> {

// CHECK-LABEL: func.func private @widened_pack(
// CHECK-SAME: %{{.*}}: !lintel.kernel_args, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[DEPTH:.*]]: index, %[[TO:.*]]: index) {
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK: %[[PAIRS:.*]] = arith.muli %{{.*}}, %[[C32]] : index
// CHECK: %[[STRIDE:.*]] = arith.addi %[[PAIRS]], %[[C16]] : index
// CHECK: %[[PACKED:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%[[TO]]], sizes: [4, %[[DEPTH]]], strides: [%[[STRIDE]], 1]
// CHECK: %[[ONE:.*]] = vector.load %{{.*}} : {{.*}}, vector<1xf16>
// CHECK: arith.extf %[[ONE]] : vector<1xf16> to vector<1xf32>
// CHECK: %[[LAST:.*]] = arith.subi %[[DEPTH]], %[[C16]] : index
// CHECK: scf.for %[[R:.*]] = %{{.*}} to %c4
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[DEPTH]] step %[[C16]]
// CHECK: %[[AT:.*]] = arith.minui %[[K]], %[[LAST]] : index
// CHECK: %[[NARROW:.*]] = vector.load %{{.*}}[%[[R]], %[[AT]]] : {{.*}}, vector<16xf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[NARROW]] : vector<16xf16> to vector<16xf32>
// CHECK: vector.store %[[WIDE]], %[[PACKED]][%[[R]], %[[AT]]]
func.func @widened(%x: tensor<64x130xf16>, %w: tensor<64x130xf16>) -> tensor<64x64xf32> {
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 4x16, pack = block>, target = #lintel.target<isa = avx512>}
      : (tensor<64x130xf16>, tensor<64x130xf16>) -> tensor<64x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x64xf32>
}

// -----

// Bytes are widened to 16 bits, a vector of these at a time.
// CHECK-LABEL: func.func private @widened_bytes_pack(
// CHECK: %[[BYTES:.*]] = vector.load %{{.*}} : {{.*}}, vector<16xi8>
// CHECK: %[[WIDE:.*]] = arith.extui %[[BYTES]] : vector<16xi8> to vector<16xi16>
// CHECK: vector.store %[[WIDE]], {{.*}}, vector<16xi16>
func.func @widened_bytes(%x: tensor<64x130xui8>, %w: tensor<64x130xi8>) -> tensor<64x64xf32> {
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 4x8, group = 2, pack = block>, target = #lintel.target<isa = avx2>}
      : (tensor<64x130xui8>, tensor<64x130xi8>) -> tensor<64x64xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<64x64xf32>
}

// -----

// A cache line of x holds 32 elements: slices of K end there.
// CHECK-LABEL: func.func @slices(
// CHECK: %[[LINE:.*]] = arith.constant 32 : index
// CHECK: lintel.kernel_arg %{{.*}} grid_k
// CHECK: arith.muli %{{.*}}, %[[LINE]] : index
func.func @slices(%x: tensor<8x640xf16>, %w: tensor<64x640xf16>) -> tensor<8x64xf16> {
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 4x16, epilogue = tile, grid = 1x1x2>, target = #lintel.target<isa = avx512>}
      : (tensor<8x640xf16>, tensor<64x640xf16>) -> tensor<8x64xf16> {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to f16
    lintel.yield %0 : f16
  }
  return %y : tensor<8x64xf16>
}
