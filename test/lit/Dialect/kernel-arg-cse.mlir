// A kernel's arguments never change while it runs: reading one twice is reading it once.
// RUN: lintel-opt %s --cse | FileCheck %s

// CHECK-LABEL: func.func @twice
// CHECK-COUNT-1: lintel.kernel_arg %{{.*}} operand[0]
// CHECK-COUNT-1: lintel.kernel_arg %{{.*}} operand[1]
// CHECK-NOT: lintel.kernel_arg
func.func @twice(%args: !lintel.kernel_args) -> (memref<f32>, memref<f32>, memref<f32>) {
  %a = lintel.kernel_arg %args operand[0] : memref<f32>
  %b = lintel.kernel_arg %args operand[1] : memref<f32>
  %c = lintel.kernel_arg %args operand[0] : memref<f32>
  return %a, %b, %c : memref<f32>, memref<f32>, memref<f32>
}
