// Operations of dialects that nobody knows are nobody's math, and of no kernel.
// RUN: lintel-opt %s --allow-unregistered-dialect --lintel-approximate-math | FileCheck %s
// RUN: lintel-opt %s --allow-unregistered-dialect --lintel-verify-kernel --verify-diagnostics

// CHECK-LABEL: func.func @unregistered(
// CHECK-NEXT: %[[Y:.*]] = "foo.bar"(%{{.*}}) : (f32) -> f32
// CHECK-NEXT: return %[[Y]]
func.func @unregistered(%x: f32) -> f32 {
  // expected-error @+1 {{'foo.bar' op is left of an earlier stage, or of no stage}}
  %0 = "foo.bar"(%x) : (f32) -> f32
  return %0 : f32
}
