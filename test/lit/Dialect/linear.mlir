// lintel.linear: every form parses, prints and survives generic form and bytecode.
// RUN: lintel-opt %s | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --mlir-print-op-generic | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --emit-bytecode | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @column
// GENERIC-LABEL: sym_name = "column"
func.func @column(%x: tensor<?x768xf32>, %w: tensor<3072x768xf32>, %bias: tensor<3072xf32>) -> tensor<?x3072xf32> {
  // CHECK: %[[Y:.*]] = lintel.linear %{{.*}}, %{{.*}} epilogue(%{{.*}} : tensor<3072xf32>) : (tensor<?x768xf32>, tensor<3072x768xf32>) -> tensor<?x3072xf32> {
  // CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[B:.*]]: f32):
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[ACC]], %[[B]] : f32
  // CHECK-NEXT: lintel.yield %[[SUM]] : f32
  // CHECK-NEXT: }
  // GENERIC: "lintel.linear"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  // GENERIC: "lintel.yield"(%{{.*}}) : (f32) -> ()
  %y = lintel.linear %x, %w epilogue(%bias : tensor<3072xf32>)
      : (tensor<?x768xf32>, tensor<3072x768xf32>) -> tensor<?x3072xf32> {
  ^bb0(%acc: f32, %b: f32):
    %0 = arith.addf %acc, %b : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<?x3072xf32>
}

// Every broadcast, two results, constants and functions in the region.
// CHECK-LABEL: func.func @broadcasts
func.func @broadcasts(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %s: tensor<f32>, %c: tensor<16xf32>,
                      %r: tensor<4x1xf32>, %f: tensor<4x16xi32>) -> (tensor<4x16xf32>, tensor<4x16xbf16>) {
  // CHECK: %{{.*}}:2 = lintel.linear %{{.*}}, %{{.*}} epilogue(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<f32>, tensor<16xf32>, tensor<4x1xf32>, tensor<4x16xi32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> (tensor<4x16xf32>, tensor<4x16xbf16>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: i32):
  // CHECK: lintel.yield %{{.*}}, %{{.*}} : f32, bf16
  %y:2 = lintel.linear %x, %w epilogue(%s, %c, %r, %f : tensor<f32>, tensor<16xf32>, tensor<4x1xf32>, tensor<4x16xi32>)
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> (tensor<4x16xf32>, tensor<4x16xbf16>) {
  ^bb0(%acc: f32, %scale: f32, %bias: f32, %row: f32, %n: i32):
    %zero = arith.constant 0.0 : f32
    %four = arith.constant 4 : i32
    %0 = math.fma %acc, %scale, %bias : f32
    %1 = arith.mulf %0, %row : f32
    %quarter = arith.divsi %n, %four : i32
    %2 = arith.sitofp %quarter : i32 to f32
    %3 = math.powf %1, %2 : f32
    %positive = arith.cmpf ogt, %3, %zero : f32
    %4 = arith.select %positive, %3, %zero : f32
    %5 = arith.truncf %4 : f32 to bf16
    lintel.yield %4, %5 : f32, bf16
  }
  return %y#0, %y#1 : tensor<4x16xf32>, tensor<4x16xbf16>
}

// CHECK-LABEL: func.func @memref
func.func @memref(%x: memref<4x8xf32>, %w: memref<16x8xf32>, %b: memref<16xf32>, %y: memref<4x16xf32>) {
  // CHECK: lintel.linear %{{.*}}, %{{.*}} epilogue(%{{.*}} : memref<16xf32>) outs(%{{.*}} : memref<4x16xf32>) : (memref<4x8xf32>, memref<16x8xf32>) {
  lintel.linear %x, %w epilogue(%b : memref<16xf32>) outs(%y : memref<4x16xf32>)
      : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32, %bias: f32):
    lintel.yield %acc : f32
  }
  return
}

// CHECK-LABEL: func.func @packed
func.func @packed(%x: tensor<4x8xf32>, %w: !lintel.packed<16x8xf32, n = 16, k = 1>) -> tensor<4x16xf32> {
  // CHECK: lintel.linear %{{.*}}, %{{.*}} : (tensor<4x8xf32>, !lintel.packed<16x8xf32, n = 16, k = 1>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, !lintel.packed<16x8xf32, n = 16, k = 1>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// bf16 in, bf16 out, sums in f32; int8 with unsigned x, sums in i32; empty sizes.
// CHECK-LABEL: func.func @element_types
func.func @element_types(%x: tensor<?x?xbf16>, %w: tensor<?x?xbf16>, %u: tensor<0x8xui8>, %v: tensor<16x8xi8>)
    -> (tensor<?x?xbf16>, tensor<0x16xf32>) {
  // CHECK: ^bb0(%{{.*}}: f32):
  %y = lintel.linear %x, %w : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    lintel.yield %0 : bf16
  }
  // CHECK: ^bb0(%{{.*}}: i32):
  %z = lintel.linear %u, %v : (tensor<0x8xui8>, tensor<16x8xi8>) -> tensor<0x16xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y, %z : tensor<?x?xbf16>, tensor<0x16xf32>
}

// Narrow operands are widened, the result is rounded once.
// CHECK-LABEL: func.func @narrow_operands
func.func @narrow_operands(%x: tensor<4x8xf16>, %w: tensor<16x8xf16>, %b: tensor<16xf16>) -> tensor<4x16xf16> {
  // CHECK: ^bb0(%[[ACC:.*]]: f32, %[[B:.*]]: f16):
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xf16>) : (tensor<4x8xf16>, tensor<16x8xf16>) -> tensor<4x16xf16> {
  ^bb0(%acc: f32, %a: f16):
    // CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[B]] : f16 to f32
    %0 = arith.extf %a : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    // CHECK: %[[NARROW:.*]] = arith.truncf %{{.*}} : f32 to f16
    %2 = arith.truncf %1 : f32 to f16
    // CHECK-NEXT: lintel.yield %[[NARROW]] : f16
    lintel.yield %2 : f16
  }
  return %y : tensor<4x16xf16>
}

// CHECK-LABEL: func.func @attributes
func.func @attributes(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  // CHECK: lintel.linear %{{.*}}, %{{.*}} {note = "kept", schedule = #lintel.schedule<tile = 4x16, {{.*}}>, target = #lintel.target<isa = avx2, {{.*}}>} : (
  %y = lintel.linear %x, %w {target = #lintel.target<isa = avx2>, schedule = #lintel.schedule<tile = 4x16>, note = "kept"}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// Integers of 8 bits: what the region takes beside the operands, and results.
// CHECK-LABEL: func.func @integers
// GENERIC-LABEL: sym_name = "integers"
func.func @integers(%x: tensor<?x8xui8>, %w: tensor<16x8xi8>, %z: tensor<i32>) -> tensor<?x16xui8> {
  // CHECK: lintel.linear %{{.*}}, %{{.*}} epilogue(%{{.*}} : tensor<i32>) {column_sums, row_sums} : (tensor<?x8xui8>, tensor<16x8xi8>) -> tensor<?x16xui8> {
  // CHECK-NEXT: ^bb0(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32):
  // CHECK: lintel.yield %{{.*}} : i8
  // GENERIC: "lintel.linear"({{.*}}) <{column_sums, operandSegmentSizes = array<i32: 1, 1, 1, 0>, row_sums}>
  %y = lintel.linear %x, %w epilogue(%z : tensor<i32>) {column_sums, row_sums}
      : (tensor<?x8xui8>, tensor<16x8xi8>) -> tensor<?x16xui8> {
  ^bb0(%acc: i32, %column: i32, %row: i32, %zero: i32):
    %0 = arith.muli %zero, %column : i32
    %1 = arith.subi %acc, %0 : i32
    %2 = arith.subi %1, %row : i32
    %3 = arith.trunci %2 : i32 to i8
    lintel.yield %3 : i8
  }
  return %y : tensor<?x16xui8>
}

// Sums of pairs of products that may be of i16.
// CHECK-LABEL: func.func @sums_of_i16
func.func @sums_of_i16(%x: tensor<?x8xui8>, %w: tensor<16x8xi8>) -> tensor<?x16xf32> {
  // CHECK: lintel.linear %{{.*}}, %{{.*}} {accumulate = i16} : (tensor<?x8xui8>, tensor<16x8xi8>) -> tensor<?x16xf32> {
  %y = lintel.linear %x, %w {accumulate = i16} : (tensor<?x8xui8>, tensor<16x8xi8>) -> tensor<?x16xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<?x16xf32>
}

// Sums of runs of K that may be of f16.
// CHECK-LABEL: func.func @sums_of_f16
func.func @sums_of_f16(%x: tensor<?x8xf16>, %w: tensor<16x8xf16>) -> tensor<?x16xf32> {
  // CHECK: lintel.linear %{{.*}}, %{{.*}} {accumulate = f16} : (tensor<?x8xf16>, tensor<16x8xf16>) -> tensor<?x16xf32> {
  %y = lintel.linear %x, %w {accumulate = f16} : (tensor<?x8xf16>, tensor<16x8xf16>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<?x16xf32>
}
