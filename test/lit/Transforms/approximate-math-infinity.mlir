// math.isinf, which lintel-to-llvm cannot lower, becomes a comparison.
// RUN: lintel-opt %s --lintel-approximate-math --lintel-verify-kernel | FileCheck %s
// RUN: lintel-opt %s --lintel-approximate-math --lintel-to-llvm | FileCheck %s --check-prefix=LLVM
// RUN: not lintel-opt %s --lintel-verify-kernel 2>&1 | FileCheck %s --check-prefix=BEFORE
// BEFORE: error: 'math.isinf' op has no inline lowering on its target; lintel-approximate-math makes some operations inline

// CHECK-LABEL: @vectors
// CHECK: %[[INF:.*]] = arith.constant dense<0x7F800000> : vector<8xf32>
// CHECK: %[[MAGNITUDE:.*]] = math.absf %{{.*}} : vector<8xf32>
// CHECK: arith.cmpf oeq, %[[MAGNITUDE]], %[[INF]] : vector<8xf32>
// LLVM-LABEL: @vectors
// LLVM: llvm.fcmp "oeq" %{{.*}} : vector<8xf32>
func.func @vectors(%a: vector<8xf32>) -> vector<8xi1> {
  %0 = math.isinf %a : vector<8xf32>
  return %0 : vector<8xi1>
}

// CHECK-LABEL: @double
// CHECK: arith.cmpf oeq, %{{.*}} : f64
// LLVM-LABEL: @double
// LLVM: llvm.fcmp "oeq" %{{.*}} : f64
func.func @double(%a: f64) -> i1 {
  %0 = math.isinf %a : f64
  return %0 : i1
}
