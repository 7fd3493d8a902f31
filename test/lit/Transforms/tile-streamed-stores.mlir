// lintel-tile: a driver whose outputs are streamed fences before it returns, and no
// other one does.
// RUN: lintel-opt %s --lintel-tile --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @streamed(
// CHECK: scf.for
// CHECK: func.call @streamed_block
// CHECK-COUNT-2: {{^ *}}}
// CHECK-NEXT: llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
// CHECK-NEXT: return
func.func @streamed(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16, store = stream>, target = #lintel.target<isa = avx512>}
      : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x32xf32>
}

// CHECK-LABEL: func.func @cached(
// CHECK-NOT: llvm.call_intrinsic
func.func @cached(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16>, target = #lintel.target<isa = avx512>}
      : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x32xf32>
}
