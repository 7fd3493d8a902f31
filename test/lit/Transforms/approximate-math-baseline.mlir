// On a target without FMA and SSE4.1, lintel-approximate-math leaves neither
// multiply-adds nor roundings; each function follows its own layer's target.
// RUN: lintel-opt %s --lintel-approximate-math | FileCheck %s

// CHECK-LABEL: @baseline
// CHECK: lintel.linear
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32):
// CHECK-NOT: math.{{(fma|floor|ceil|trunc|round|roundeven) }}

// fma: a product and a sum, with its own rounding.
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[ACC]], %[[ACC]] : f32
// CHECK: %[[X:.*]] = arith.addf %[[PRODUCT]], %[[ACC]] : f32

// floor: cut, one less where that is above x, with the sign of x, since i32 has no
// -0; x itself from 2^23 on and for NaN.
// CHECK: %[[CUT:.*]] = arith.fptosi %[[X]] : f32 to i32
// CHECK: %[[WHOLE:.*]] = arith.sitofp %[[CUT]] : i32 to f32
// CHECK: %[[LESS:.*]] = arith.addf %[[WHOLE]], %{{.*}} : f32
// CHECK: %[[ABOVE:.*]] = arith.cmpf ogt, %[[WHOLE]], %[[X]] : f32
// CHECK: %[[FLOOR:.*]] = arith.select %[[ABOVE]], %[[LESS]], %[[WHOLE]] : f32
// CHECK: %[[SIGNED:.*]] = math.copysign %[[FLOOR]], %[[X]] : f32
// CHECK: %[[MAGNITUDE:.*]] = math.absf %[[X]] : f32
// CHECK: %[[SMALL:.*]] = arith.cmpf olt, %[[MAGNITUDE]], %{{.*}} : f32
// CHECK: arith.select %[[SMALL]], %[[SIGNED]], %[[X]] : f32

// ceil: one more where the cut value is below x.
// CHECK: arith.cmpf olt
// CHECK: math.copysign
// trunc: the cut value.
// CHECK: arith.fptosi
// CHECK: math.copysign
// CHECK-NOT: math.{{(fma|floor|ceil|trunc|round|roundeven) }}
// CHECK: lintel.yield
func.func @baseline(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w {target = #lintel.target<isa = x86_64>}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    %0 = math.fma %acc, %acc, %acc : f32
    %1 = math.floor %0 : f32
    %2 = math.ceil %1 : f32
    %3 = math.trunc %2 : f32
    lintel.yield %3 : f32
  }
  return %y : tensor<4x16xf32>
}

// roundeven: 2^23 added and taken away; the sign and large values are x's own.
// CHECK-LABEL: @to_even
// CHECK-NEXT: lintel.linear
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32):
// CHECK-NEXT: %[[MAGIC:.*]] = arith.constant 0x4B000000 : f32
// CHECK-NEXT: %[[MAGNITUDE:.*]] = math.absf %[[X]] : f32
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[MAGNITUDE]], %[[MAGIC]] : f32
// CHECK-NEXT: %[[EVEN:.*]] = arith.subf %[[SUM]], %[[MAGIC]] : f32
// CHECK-NEXT: %[[SIGNED:.*]] = math.copysign %[[EVEN]], %[[X]] : f32
// CHECK: %[[SMALL:.*]] = arith.cmpf olt, %{{.*}}, %[[MAGIC]] : f32
// CHECK-NEXT: arith.select %[[SMALL]], %[[SIGNED]], %[[X]] : f32
func.func @to_even(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w {target = #lintel.target<isa = x86_64>}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    %0 = math.roundeven %acc : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<4x16xf32>
}

// Approximations are made of multiply-adds too.
// CHECK-LABEL: @approximated
// CHECK-NOT: math.{{(fma|floor|exp)}}
// CHECK: lintel.yield
func.func @approximated(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w {target = #lintel.target<isa = x86_64>}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    %0 = math.exp %acc : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<4x16xf32>
}

// The neighbour has the instructions.
// CHECK-LABEL: @with_fma
// CHECK: math.fma
// CHECK: math.floor
// CHECK: lintel.yield
func.func @with_fma(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w {target = #lintel.target<isa = avx2>}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    %0 = math.fma %acc, %acc, %acc : f32
    %1 = math.floor %0 : f32
    lintel.yield %1 : f32
  }
  return %y : tensor<4x16xf32>
}

// Once lintel-tile has run, the kernel's ops say for which target they are.
// CHECK-LABEL: @tiled
// CHECK-NOT: math.{{(fma|floor)}}
// CHECK: arith.fptosi
// CHECK-NOT: math.{{(fma|floor)}}
// CHECK: lintel.yield
func.func @tiled(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  lintel.apply_epilogue %args acc(%m[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48>, target = #lintel.target<isa = x86_64>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    %0 = math.floor %acc : f32
    %1 = math.fma %0, %0, %0 : f32
    lintel.yield %1 : f32
  }
  return
}

// CHECK-LABEL: @microkernel
// CHECK-NOT: math.floor
// CHECK: lintel.yield
func.func @microkernel(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16>, target = #lintel.target<isa = x86_64>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    %0 = math.floor %acc : f32
    lintel.yield %0 : f32
  }
  return
}

// What stands beside a layer, also in a module of its own, is for the layer's target, which lintel-tile notes later.
module {
  // CHECK-LABEL: @beside_baseline
  // CHECK-NOT: math.fma
  // CHECK: return
  func.func @beside_baseline(%a: f32) -> f32 {
    %0 = math.fma %a, %a, %a : f32
    return %0 : f32
  }
  // CHECK-LABEL: @inside_baseline
  // CHECK-NOT: math.fma
  // CHECK: return
  module {
    func.func @inside_baseline(%a: f32) -> f32 {
      %0 = math.fma %a, %a, %a : f32
      return %0 : f32
    }
  }
  func.func @layer_of_baseline(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
    %y = lintel.linear %x, %w {target = #lintel.target<isa = x86_64>} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
    ^bb0(%acc: f32):
      lintel.yield %acc : f32
    }
    return %y : tensor<4x16xf32>
  }
}

// Of two functions in a module inside, each has its layer's target.
module {
  // CHECK-LABEL: @inner_baseline
  // CHECK-NOT: math.fma
  // CHECK: lintel.yield
  func.func @inner_baseline(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
    %y = lintel.linear %x, %w {target = #lintel.target<isa = x86_64>} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
    ^bb0(%acc: f32):
      %0 = math.fma %acc, %acc, %acc : f32
      lintel.yield %0 : f32
    }
    return %y : tensor<4x16xf32>
  }
  // CHECK-LABEL: @inner_avx2
  // CHECK: math.fma
  func.func @inner_avx2(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
    %y = lintel.linear %x, %w {target = #lintel.target<isa = avx2>} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
    ^bb0(%acc: f32):
      %0 = math.fma %acc, %acc, %acc : f32
      lintel.yield %0 : f32
    }
    return %y : tensor<4x16xf32>
  }
}
