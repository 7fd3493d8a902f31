// A function is for the target of the nearest module that has one, and layers of nested modules for any.
// RUN: lintel-opt %s --lintel-approximate-math | FileCheck %s
// RUN: lintel-opt %s --lintel-approximate-math --lintel-tile --lintel-lower-microkernel --lintel-verify-kernel | FileCheck %s --check-prefix=LOWERED
// RUN: lintel-opt %s --lintel-kernel | FileCheck %s --check-prefix=LLVM
// RUN: not lintel-opt %s --lintel-verify-kernel 2>&1 | FileCheck %s --check-prefix=BEFORE

// BEFORE: 'math.floor' op has no inline lowering on its target

// LOWERED: module attributes {lintel.target = #lintel.target<isa = avx512,
// LOWERED: module attributes {lintel.target = #lintel.target<isa = x86_64,
// LOWERED: module {
// LOWERED: module attributes {lintel.target = #lintel.target<isa = avx2,

// Descriptors that nobody reads are erased wherever functions are.
// LLVM-NOT: lintel.target
// LLVM-NOT: llvm.insertvalue
// LLVM: llvm.func @around(
// LLVM-NOT: lintel.target
// LLVM-NOT: llvm.insertvalue

#baseline = #lintel.target<isa = x86_64>
#avx2 = #lintel.target<isa = avx2>
#avx512 = #lintel.target<isa = avx512>

module attributes {lintel.target = #avx512} {
  // CHECK-LABEL: @baseline
  // CHECK-NOT: math.{{(fma|floor) }}
  // CHECK: return
  module attributes {lintel.target = #baseline} {
    func.func @baseline(%a: f32) -> f32 {
      %0 = math.floor %a : f32
      %1 = math.fma %0, %a, %a : f32
      return %1 : f32
    }
  }
  // CHECK-LABEL: @as_around
  // CHECK: math.fma
  module {
    func.func @as_around(%a: f32) -> f32 {
      %0 = math.fma %a, %a, %a : f32
      return %0 : f32
    }
  }
  // CHECK-LABEL: @layer
  // CHECK: math.fma
  module {
    func.func @layer(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
      %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16>, target = #avx2}
          : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
      ^bb0(%acc: f32):
        %0 = math.fma %acc, %acc, %acc : f32
        lintel.yield %0 : f32
      }
      return %y : tensor<4x16xf32>
    }
  }
  // CHECK-LABEL: @around
  // CHECK: math.fma
  func.func @around(%v: vector<16xf32>) -> vector<16xf32> {
    %0 = math.fma %v, %v, %v : vector<16xf32>
    return %0 : vector<16xf32>
  }
}
