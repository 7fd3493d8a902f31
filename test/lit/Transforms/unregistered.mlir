// Operations of dialects that nobody knows are nobody's math: they stay.
// RUN: lintel-opt %s --allow-unregistered-dialect --lintel-verify-kernel | FileCheck %s
// RUN: lintel-opt %s --allow-unregistered-dialect --lintel-approximate-math | FileCheck %s

// CHECK-LABEL: func.func @unregistered(
// CHECK-NEXT: %[[Y:.*]] = "foo.bar"(%{{.*}}) : (f32) -> f32
// CHECK-NEXT: return %[[Y]]
func.func @unregistered(%x: f32) -> f32 {
  %0 = "foo.bar"(%x) : (f32) -> f32
  return %0 : f32
}
