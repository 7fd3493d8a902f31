// lintel-tile on integers: sums in i32, pointers to the sums of columns and rows,
// and signed rows of x for products that take unsigned ones.
// RUN: lintel-opt %s --lintel-tile --split-input-file | FileCheck %s

// The sums of columns and rows are no operands: those count from 0.
// CHECK-LABEL: func.func private @zeros_microkernel_4(
// CHECK: %[[SUMS:.*]] = lintel.kernel_arg %{{.*}} workspace : memref<i32>
// CHECK: %[[X:.*]] = lintel.kernel_arg %{{.*}} x : memref<ui8>
// CHECK: %[[W:.*]] = lintel.kernel_arg %{{.*}} w : memref<i8>
// CHECK: lintel.microkernel %{{.*}} a(%[[X]][{{.*}} b(%[[W]][{{.*}} acc(%[[SUMS]][
// CHECK-SAME: broadcasts = ["column_sums", "row_sums", "scalar", "column"]
// CHECK-SAME: : memref<ui8>, memref<i8>, memref<i32> {
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: f32):
// CHECK-NEXT: arith.sitofp %[[ACC]]
func.func @zeros(%x: tensor<8x66xui8>, %w: tensor<32x66xi8>, %z: tensor<i32>, %s: tensor<32xf32>) -> tensor<8x32xui8> {
  %y = lintel.linear %x, %w epilogue(%z, %s : tensor<i32>, tensor<32xf32>)
      {column_sums, row_sums, schedule = #lintel.schedule<tile = 4x32, group = 4>,
       target = #lintel.target<isa = avx512, extensions = "avx512vnni">}
      : (tensor<8x66xui8>, tensor<32x66xi8>) -> tensor<8x32xui8> {
  ^bb0(%acc: i32, %column: i32, %row: i32, %zero: i32, %scale: f32):
    %0 = arith.sitofp %acc : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = arith.fptosi %1 : f32 to i32
    %3 = arith.subi %2, %row : i32
    %4 = arith.muli %column, %zero : i32
    %5 = arith.addi %3, %4 : i32
    %6 = arith.trunci %5 : i32 to i8
    lintel.yield %6 : i8
  }
  return %y : tensor<8x32xui8>
}

// -----

// Products are of x + 128: packed rows hold it, and the epilogue takes 128 times
// the sum of the column away.
// CHECK-LABEL: func.func private @shifted_microkernel_4(
// CHECK: %[[X:.*]] = lintel.kernel_arg %{{.*}} workspace : memref<ui8>
// CHECK: lintel.microkernel %{{.*}} a(%[[X]][
// CHECK-SAME: broadcasts = ["column_sums", "scalar"]
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: i32, %[[COLUMN:.*]]: i32, %[[SCALE:.*]]: f32):
// CHECK-NEXT: %[[SHIFT:.*]] = arith.constant 128 : i32
// CHECK-NEXT: %[[EXCESS:.*]] = arith.muli %[[COLUMN]], %[[SHIFT]] : i32
// CHECK-NEXT: %[[SUM:.*]] = arith.subi %[[ACC]], %[[EXCESS]] : i32
// CHECK-NEXT: %[[FLOAT:.*]] = arith.sitofp %[[SUM]] : i32 to f32
// CHECK-NEXT: arith.mulf %[[FLOAT]], %[[SCALE]] : f32
// CHECK-LABEL: func.func private @shifted_pack(
// CHECK: scf.for %{{.*}} step %c32
// CHECK: %[[QUADS:.*]] = vector.load {{.*}}, vector<32xi8>
// CHECK: %[[FLIPPED:.*]] = arith.xori %[[QUADS]], %{{.*}} : vector<32xi8>
// CHECK: vector.bitcast %[[FLIPPED]] : vector<32xi8> to vector<8xi32>
// CHECK: vector.shuffle
// CHECK: vector.store {{.*}}, vector<16xi8>
// CHECK: scf.for
// CHECK: %[[BYTE:.*]] = vector.load {{.*}}, vector<1xi8>
// CHECK: arith.xori %[[BYTE]], %{{.*}} : vector<1xi8>
func.func @shifted(%x: tensor<8x66xi8>, %w: tensor<32x66xi8>, %s: tensor<f32>) -> tensor<8x32xf32> {
  %y = lintel.linear %x, %w epilogue(%s : tensor<f32>)
      {schedule = #lintel.schedule<tile = 4x32, group = 4, pack = block>,
       target = #lintel.target<isa = avx512, extensions = "avx512vnni">}
      : (tensor<8x66xi8>, tensor<32x66xi8>) -> tensor<8x32xf32> {
  ^bb0(%acc: i32, %scale: f32):
    %0 = arith.sitofp %acc : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    lintel.yield %1 : f32
  }
  return %y : tensor<8x32xf32>
}

// -----

// Without such products nothing is shifted. Slices of K are added up as integers.
// CHECK-LABEL: func.func private @plain_microkernel_4(
// CHECK: lintel.microkernel {{.*}} : memref<i8>, memref<i8>, memref<i32>
// CHECK-LABEL: func.func private @plain_epilogue(
// CHECK: lintel.apply_epilogue {{.*}}broadcasts = []
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: i32):
// CHECK-NEXT: arith.sitofp %[[ACC]]
// CHECK-LABEL: func.func private @plain_reduce(
// CHECK: vector.load {{.*}}, vector<16xi32>
// CHECK: arith.addi %{{.*}}, %{{.*}} : vector<16xi32>
func.func @plain(%x: tensor<4x256xi8>, %w: tensor<16x256xi8>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 4x16, group = 2, epilogue = tile, grid = 1x1x2>,
       target = #lintel.target<isa = avx512>}
      : (tensor<4x256xi8>, tensor<16x256xi8>) -> tensor<4x16xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<4x16xf32>
}
