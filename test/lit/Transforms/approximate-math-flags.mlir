// Of fast-math flags in an epilogue kernels take the permission to fuse and no other.
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

// What is no epilogue is left as it is.
// CHECK-LABEL: @beside
// CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<ninf> : f32
func.func @beside(%a: f32, %b: f32) -> f32 {
  %0 = arith.divf %a, %b fastmath<ninf> : f32
  return %0 : f32
}
