// Once no op of a kernel says for which target it is, its module does.
// RUN: lintel-opt %s --lintel-approximate-math | FileCheck %s
// RUN: not lintel-opt %s --lintel-verify-kernel 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: lintel-opt %s --lintel-approximate-math --lintel-verify-kernel | FileCheck %s
// BEFORE: error: 'math.floor' op has no inline lowering on its target; lintel-approximate-math makes some operations inline

module attributes {lintel.target = #lintel.target<isa = x86_64>} {
  // CHECK-LABEL: @lowered
  // CHECK-NOT: math.floor
  // CHECK: arith.fptosi %{{.*}} : vector<4xf32> to vector<4xi32>
  // CHECK-NOT: math.floor
  // CHECK: return
  func.func @lowered(%a: vector<4xf32>) -> vector<4xf32> {
    %0 = math.floor %a : vector<4xf32>
    return %0 : vector<4xf32>
  }
}
