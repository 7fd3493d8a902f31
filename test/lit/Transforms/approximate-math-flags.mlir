// Of flags in an epilogue kernels take the permission to fuse and no other.
// RUN: lintel-opt %s --lintel-approximate-math | FileCheck %s
// The quotient is none of a reciprocal.
// RUN: lintel-opt %s --lintel-kernel | FileCheck %s --check-prefix=KERNEL --implicit-check-not=arcp --implicit-check-not=reassoc --implicit-check-not='fastmath<fast'

// CHECK-LABEL: @layer
// CHECK: arith.divf %{{.*}}, %{{.*}} : f32
// CHECK: arith.subf %{{.*}}, %{{.*}} : f32
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// A product with zero is NaN of NaN.
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: math.sqrt %{{.*}} : f32
// KERNEL: llvm.fdiv %{{[0-9]+}}, %{{[0-9]+}} :
func.func @layer(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w {target = #lintel.target<isa = avx2>}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    %zero = arith.constant 0.0 : f32
    %three = arith.constant 3.0 : f32
    %0 = arith.divf %acc, %three fastmath<fast> : f32
    %1 = arith.subf %0, %acc fastmath<reassoc,nnan> : f32
    %2 = arith.mulf %1, %acc fastmath<contract> : f32
    %3 = arith.mulf %2, %zero fastmath<nnan,nsz> : f32
    %4 = math.sqrt %3 fastmath<afn> : f32
    lintel.yield %4 : f32
  }
  return %y : tensor<4x16xf32>
}

// What integers promise is not relied on either.
// CHECK-LABEL: @integers
// CHECK-NOT: overflow
// CHECK-NOT: exact
// CHECK: arith.addi
// CHECK: arith.subi
// CHECK: arith.muli
// CHECK: arith.shli
// CHECK: arith.divsi
// CHECK: arith.divui
// CHECK: arith.shrsi
// CHECK: arith.shrui
// CHECK: arith.trunci
// CHECK-NOT: overflow
// CHECK-NOT: exact
// CHECK: lintel.yield
func.func @integers(%x: tensor<4x8xi8>, %w: tensor<16x8xi8>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w {target = #lintel.target<isa = avx2>}
      : (tensor<4x8xi8>, tensor<16x8xi8>) -> tensor<4x16xf32> {
  ^bb0(%acc: i32):
    %three = arith.constant 3 : i32
    %0 = arith.addi %acc, %three overflow<nsw> : i32
    %1 = arith.subi %0, %acc overflow<nuw> : i32
    %2 = arith.muli %1, %acc overflow<nsw, nuw> : i32
    %3 = arith.shli %2, %three overflow<nsw> : i32
    %4 = arith.divsi %3, %three exact : i32
    %5 = arith.divui %4, %three exact : i32
    %6 = arith.shrsi %5, %three exact : i32
    %7 = arith.shrui %6, %three exact : i32
    %8 = arith.trunci %7 overflow<nsw, nuw> : i32 to i8
    %9 = arith.sitofp %8 : i8 to f32
    lintel.yield %9 : f32
  }
  return %y : tensor<4x16xf32>
}

// What is no epilogue is left as it is.
// CHECK-LABEL: @beside
// CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<ninf> : f32
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK: arith.divsi %{{.*}}, %{{.*}} exact : i32
func.func @beside(%a: f32, %b: f32, %i: i32) -> (f32, i32) {
  %0 = arith.divf %a, %b fastmath<ninf> : f32
  %1 = arith.addi %i, %i overflow<nsw> : i32
  %2 = arith.divsi %1, %i exact : i32
  return %0, %2 : f32, i32
}
