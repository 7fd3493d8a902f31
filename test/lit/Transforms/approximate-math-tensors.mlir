// lintel-approximate-math leaves functions on tensors alone: they are in no kernel.
// RUN: lintel-opt %s --lintel-approximate-math | FileCheck %s

#baseline = #lintel.target<isa = x86_64>

// CHECK-LABEL: @tensors
func.func @tensors(%t: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: math.erf %{{.*}} : tensor<4xf32>
  %0 = math.erf %t : tensor<4xf32>
  // CHECK: math.round %{{.*}} : tensor<4xf32>
  %1 = math.round %0 : tensor<4xf32>
  // CHECK: math.exp %{{.*}} : tensor<4xf32>
  %2 = math.exp %1 : tensor<4xf32>
  // CHECK: math.tanh %{{.*}} : tensor<4xf32>
  %3 = math.tanh %2 : tensor<4xf32>
  // CHECK: math.log %{{.*}} : tensor<4xf32>
  %4 = math.log %3 : tensor<4xf32>
  // CHECK: math.sin %{{.*}} : tensor<4xf32>
  %5 = math.sin %4 : tensor<4xf32>
  // CHECK: math.cos %{{.*}} : tensor<4xf32>
  %6 = math.cos %5 : tensor<4xf32>
  // CHECK: math.log1p %{{.*}} : tensor<4xf32>
  %7 = math.log1p %6 : tensor<4xf32>
  // CHECK: math.expm1 %{{.*}} : tensor<4xf32>
  %8 = math.expm1 %7 : tensor<4xf32>
  // CHECK: math.cbrt %{{.*}} : tensor<4xf32>
  %9 = math.cbrt %8 : tensor<4xf32>
  // CHECK: math.atan %{{.*}} : tensor<4xf32>
  %10 = math.atan %9 : tensor<4xf32>
  // CHECK: math.rsqrt %{{.*}} : tensor<4xf32>
  %11 = math.rsqrt %10 : tensor<4xf32>
  // CHECK: math.sinh %{{.*}} : tensor<4xf32>
  %12 = math.sinh %11 : tensor<4xf32>
  // CHECK: math.cosh %{{.*}} : tensor<4xf32>
  %13 = math.cosh %12 : tensor<4xf32>
  // CHECK: math.tan %{{.*}} : tensor<4xf32>
  %14 = math.tan %13 : tensor<4xf32>
  // CHECK: math.asinh %{{.*}} : tensor<4xf32>
  %15 = math.asinh %14 : tensor<4xf32>
  // CHECK: math.acosh %{{.*}} : tensor<4xf32>
  %16 = math.acosh %15 : tensor<4xf32>
  // CHECK: math.atanh %{{.*}} : tensor<4xf32>
  %17 = math.atanh %16 : tensor<4xf32>
  // CHECK: math.exp2 %{{.*}} : tensor<4xf32>
  %18 = math.exp2 %17 : tensor<4xf32>
  // CHECK: math.asin %{{.*}} : tensor<4xf32>
  %19 = math.asin %18 : tensor<4xf32>
  // CHECK: math.acos %{{.*}} : tensor<4xf32>
  %20 = math.acos %19 : tensor<4xf32>
  // CHECK: math.erfc %{{.*}} : tensor<4xf32>
  %21 = math.erfc %20 : tensor<4xf32>
  // CHECK: math.log2 %{{.*}} : tensor<4xf32>
  %22 = math.log2 %21 : tensor<4xf32>
  // CHECK: math.log10 %{{.*}} : tensor<4xf32>
  %23 = math.log10 %22 : tensor<4xf32>
  // CHECK: math.floor %{{.*}} : tensor<4xf32>
  %24 = math.floor %23 : tensor<4xf32>
  // CHECK: math.roundeven %{{.*}} : tensor<4xf32>
  %25 = math.roundeven %24 : tensor<4xf32>
  return %25 : tensor<4xf32>
}

// Beside a layer too, whose region is expanded, and whatever the sizes.
// CHECK-LABEL: @beside
func.func @beside(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>) -> tensor<?x16xbf16> {
  // CHECK: %[[X:.*]] = math.exp %{{.*}} : tensor<?x8xf32>
  %0 = math.exp %x : tensor<?x8xf32>
  // CHECK: lintel.linear %[[X]]
  %1 = lintel.linear %0, %w {target = #baseline} : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32):
    // CHECK-NOT: math.{{(exp|floor|fma) }}
    // CHECK: lintel.yield
    %2 = math.exp %acc : f32
    lintel.yield %2 : f32
  }
  // CHECK: %[[Y:.*]] = math.floor %{{.*}} : tensor<?x16xf32>
  %3 = math.floor %1 : tensor<?x16xf32>
  // CHECK: %[[R:.*]] = arith.remf %[[Y]], %[[Y]] : tensor<?x16xf32>
  %4 = arith.remf %3, %3 : tensor<?x16xf32>
  // CHECK: arith.truncf %[[R]] to_nearest_even : tensor<?x16xf32> to tensor<?x16xbf16>
  %5 = arith.truncf %4 to_nearest_even : tensor<?x16xf32> to tensor<?x16xbf16>
  return %5 : tensor<?x16xbf16>
}
