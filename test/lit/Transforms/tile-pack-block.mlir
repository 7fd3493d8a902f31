// lintel-tile with pack = block: a function that transposes one strip of x, called
// before the tiles that read it, and micro-kernels that read the copy.
// RUN: lintel-opt %s --lintel-tile | FileCheck %s

// CHECK-LABEL: func.func private @layer_microkernel_8(
// CHECK-NOT: kernel_arg %{{.*}} x
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 8 : index
// CHECK: %[[SUMS:.*]] = lintel.kernel_arg %{{.*}} workspace : memref<f32>
// CHECK: %[[COPY:.*]] = lintel.kernel_arg %{{.*}} workspace : memref<f32>
// CHECK: lintel.microkernel %{{.*}} a(%[[COPY]][%{{.*}}], %[[ROWS]])
// CHECK-SAME: acc(%[[SUMS]][

// CHECK-LABEL: func.func private @layer_pack(
// CHECK-SAME: %[[ARGS:.*]]: !lintel.kernel_args, %[[ROW:.*]]: index, %{{.*}}: index, %[[K0:.*]]: index, %[[DEPTH:.*]]: index, %[[TO:.*]]: index) attributes {passthrough = ["noinline", "optnone"]} {
// CHECK-DAG: %[[LDX:.*]] = lintel.kernel_arg %[[ARGS]] ldx : index
// CHECK-DAG: %[[X:.*]] = lintel.kernel_arg %[[ARGS]] x : memref<f32>
// CHECK: %[[SKIPPED:.*]] = arith.muli %[[ROW]], %[[LDX]] : index
// CHECK: %[[FROM:.*]] = arith.addi %[[SKIPPED]], %[[K0]] : index
// CHECK: %[[SOURCE:.*]] = memref.reinterpret_cast %[[X]] to offset: [%[[FROM]]], sizes: [8, %[[DEPTH]]], strides: [%[[LDX]], 1]
// CHECK: %[[TARGET:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%[[TO]]], sizes: [%[[DEPTH]], 8], strides: [8, 1]
// Four rows and eight elements of K at a time, the last of which end with both:
// from four offsets, to constant distances from one.
// CHECK: %[[FITS:.*]] = arith.cmpi ugt, %[[DEPTH]], %c7
// CHECK: scf.if %[[FITS]] {
// CHECK: %[[FLAT:.*]] = memref.reinterpret_cast %[[X]] to offset: [%[[FROM]]], {{.*}} strides: [1, 1]
// CHECK: %[[COPY:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%[[TO]]], {{.*}} strides: [1, 1]
// CHECK: %[[LAST:.*]] = arith.subi %[[DEPTH]], %c8
// CHECK: scf.for %[[STEP:.*]] = %{{.*}} to %[[DEPTH]] step %c8
// CHECK-NEXT: %[[K:.*]] = arith.minui %[[STEP]], %[[LAST]] : index
// CHECK-NEXT: scf.for %[[R:.*]] = %{{.*}} to %c8 step %c4
// CHECK: %[[FOUR:.*]] = arith.minui %[[R]], %c4
// CHECK: %[[ABOVE:.*]] = arith.muli %[[FOUR]], %[[LDX]] : index
// CHECK: %[[AT0:.*]] = arith.addi %[[ABOVE]], %[[K]] : index
// CHECK: vector.load %[[FLAT]][%[[AT0]], %{{.*}}] : {{.*}}, vector<8xf32>
// CHECK: %[[AT1:.*]] = arith.addi %[[AT0]], %[[LDX]] : index
// CHECK: vector.load %[[FLAT]][%[[AT1]], %{{.*}}] : {{.*}}, vector<8xf32>
// CHECK-COUNT-2: vector.load %[[FLAT]]
// CHECK: vector.shuffle %{{.*}} [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK: vector.shuffle %{{.*}} [2, 10, 3, 11, 6, 14, 7, 15]
// CHECK: vector.shuffle %{{.*}} [0, 1, 8, 9, 4, 5, 12, 13]
// CHECK: vector.shuffle %{{.*}} [0, 1, 2, 3]
// CHECK: vector.shuffle %{{.*}} [4, 5, 6, 7]
// CHECK: vector.store %{{.*}}, %[[COPY]][%[[BEGIN:.*]], %{{.*}}] : {{.*}}, vector<4xf32>
// CHECK-COUNT-7: vector.store %{{.*}}, %[[COPY]][%[[BEGIN]], %{{.*}}] : {{.*}}, vector<4xf32>
// A last block of K may be shorter.
// CHECK: } else {
// CHECK: scf.for %[[R:.*]] = %{{.*}} to %c8
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[DEPTH]]
// CHECK-NEXT: %[[E:.*]] = vector.load %[[SOURCE]][%[[R]], %[[K]]] : {{.*}}, vector<1xf32>
// CHECK-NEXT: vector.store %[[E]], %[[TARGET]][%[[K]], %[[R]]]

// The block function packs every strip, in each round of K, if it is told to.
// CHECK-LABEL: func.func private @layer_block(
// CHECK-SAME: %[[ARGS:[^:]*]]: !lintel.kernel_args, %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %[[PACKED:[^:]*]]: index, %[[PACKS:[^:]*]]: i1) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: scf.for %[[K0:.*]] = %{{.*}} to
// CHECK: %[[DEPTH:.*]] = arith.minui
// CHECK-NOT: {{scf.for|call}}
// CHECK: scf.if %[[PACKS]] {
// CHECK-NEXT: scf.for %[[STRIP:.*]] = %[[BEGIN]] to %[[END]] step %[[ONE]] {
// CHECK: %[[ROW:.*]] = arith.addi
// CHECK: %[[BEFORE:.*]] = arith.subi %[[STRIP]], %[[BEGIN]] : index
// CHECK: %[[ROWS_BEFORE:.*]] = arith.muli %[[BEFORE]], %[[ROWS]] : index
// CHECK: %[[SIZE:.*]] = arith.muli %[[ROWS_BEFORE]], %[[DEPTH]] : index
// CHECK: %[[TO:.*]] = arith.addi %[[PACKED]], %[[SIZE]] : index
// CHECK: func.call @layer_pack(%[[ARGS]], %[[ROW]], %[[ROWS]], %[[K0]], %[[DEPTH]], %[[TO]])
// The tiles read a strip from where it was copied to.
// CHECK: scf.while
// CHECK-NOT: call
// CHECK: %[[TILE:.*]] = arith.select
// CHECK: %[[BEFORE_TILE:.*]] = arith.subi %[[TILE]], %[[BEGIN]] : index
// CHECK: %[[ROWS_BEFORE_TILE:.*]] = arith.muli %[[BEFORE_TILE]], %[[ROWS]] : index
// CHECK: %[[SIZE_BEFORE_TILE:.*]] = arith.muli %[[ROWS_BEFORE_TILE]], %[[DEPTH]] : index
// CHECK: %[[FROM:.*]] = arith.addi %[[PACKED]], %[[SIZE_BEFORE_TILE]] : index
// CHECK: func.call @layer_microkernel_8(%[[ARGS]], %[[FROM]],
// CHECK-NOT: call
// CHECK: return

// CHECK-LABEL: func.func @layer(
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[K:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[KC:.*]] = lintel.kernel_arg %{{.*}} kc : index
// CHECK-DAG: %[[SOME_DEPTH:.*]] = arith.maxui %[[KC]], %[[ONE]] : index
// CHECK-DAG: %[[CUTS_DEPTH:.*]] = arith.cmpi ult, %[[SOME_DEPTH]], %[[K]] : index
// CHECK-DAG: %[[ORDER:.*]] = lintel.kernel_arg %{{.*}} block_order : index
// CHECK-DAG: %[[N_OUTER:.*]] = arith.cmpi eq, %[[ORDER]], %[[ONE]] : index
// The copy stands behind the sums, of which a cut K has a block, in a line of its own.
// CHECK-DAG: %[[TILE:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[NONE:.*]] = arith.constant 0 : index
// CHECK: kernel_arg %{{.*}} workspace_stride
// CHECK: %[[ACC:.*]] = arith.muli
// CHECK: %[[BLOCK_TILES:.*]] = arith.muli
// CHECK-NEXT: %[[BLOCK_SUMS:.*]] = arith.muli %[[BLOCK_TILES]], %[[TILE]] : index
// CHECK-NEXT: %[[SUMS:.*]] = arith.select %[[CUTS_DEPTH]], %[[BLOCK_SUMS]], %[[NONE]] : index
// CHECK-NEXT: %[[PART_OF_LINE:.*]] = arith.addi %[[SUMS]], %{{.*}} : index
// CHECK-NEXT: %[[LINES:.*]] = arith.divui %[[PART_OF_LINE]], %[[LINE:.*]] : index
// CHECK-NEXT: %[[WHOLE_LINES:.*]] = arith.muli %[[LINES]], %[[LINE]] : index
// CHECK-NEXT: %[[PACKED:.*]] = arith.addi %[[ACC]], %[[WHOLE_LINES]] : index
// CHECK: scf.for
// What the chunk before left serves another one of its rows, if it is one block with all of K.
// CHECK: %[[SEVERAL:.*]] = arith.cmpi ugt, %{{.*}} : index
// CHECK-NEXT: %[[SAME:.*]] = lintel.kernel_arg %{{.*}} same_rows : index
// CHECK-NEXT: %[[IS_SAME:.*]] = arith.cmpi eq, %[[SAME]], %[[ONE]] : index
// CHECK-NEXT: %[[LOST:.*]] = arith.ori %[[SEVERAL]], %[[CUTS_DEPTH]] : i1
// CHECK: %[[LEFT:.*]] = arith.xori %[[LOST]], %{{.*}} : i1
// CHECK-NEXT: %[[STANDS:.*]] = arith.andi %[[IS_SAME]], %[[LEFT]] : i1
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %[[FIRST:[^)]*]])
// CHECK: ^bb0(%{{.*}}: index, %[[INNER:.*]]: index):
// A block is packed again only if the one before was another.
// CHECK: %[[STARTS:.*]] = arith.cmpi eq, %[[INNER]], %[[FIRST]] : index
// CHECK: %[[OFTEN:.*]] = arith.ori %[[N_OUTER]], %[[CUTS_DEPTH]] : i1
// CHECK: %[[ANEW:.*]] = arith.ori %[[STARTS]], %[[OFTEN]] : i1
// CHECK: %[[MISSING:.*]] = arith.xori %[[STANDS]], %{{.*}} : i1
// CHECK-NEXT: %[[NEEDED:.*]] = arith.andi %[[ANEW]], %[[MISSING]] : i1
// CHECK: call @layer_block({{.*}}, %[[ACC]], %[[PACKED]], %[[NEEDED]]) :
func.func @layer(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 8x16, pack = block, kc = 32>, target = #lintel.target<isa = avx512>}
      : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}
