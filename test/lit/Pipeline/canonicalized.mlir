// Layers stay layers when MLIR has simplified them, and compile on every target.
// DEFINE: %{target} =
// DEFINE: %{plan} = lintel-opt %s --canonicalize --lintel-plan=target=isa=%{target}
// DEFINE: %{compile} = lintel-opt %s --canonicalize --lintel-kernel=target=isa=%{target}
// RUN: lintel-opt %s --canonicalize | FileCheck %s
// REDEFINE: %{target} = x86_64
// RUN: %{plan} | lintel-opt --lintel-lower -o /dev/null
// RUN: %{compile} -o /dev/null
// REDEFINE: %{target} = avx2
// RUN: %{plan} | lintel-opt --lintel-lower -o /dev/null
// RUN: %{compile} -o /dev/null
// REDEFINE: %{target} = avx512
// RUN: %{plan} | lintel-opt --lintel-lower -o /dev/null
// RUN: %{compile} -o /dev/null
// REDEFINE: %{target} = avx512,extensions=avx512bf16
// RUN: %{compile} -o /dev/null

// CHECK-LABEL: @constants
// CHECK-DAG: %[[B:.*]] = arith.constant 1.000000e+00 : bf16
// CHECK-DAG: arith.select %{{.*}}, %{{.*}}, %[[B]] : bf16
func.func @constants(%x: tensor<4x8xbf16>, %w: tensor<16x8xbf16>) -> tensor<4x16xbf16> {
  %y = lintel.linear %x, %w : (tensor<4x8xbf16>, tensor<16x8xbf16>) -> tensor<4x16xbf16> {
  ^bb0(%acc: f32):
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %above = arith.cmpf ogt, %acc, %zero : f32
    %0 = arith.truncf %acc : f32 to bf16
    %1 = arith.truncf %one : f32 to bf16
    %2 = arith.select %above, %0, %1 : bf16
    lintel.yield %2 : bf16
  }
  return %y : tensor<4x16xbf16>
}

// CHECK-LABEL: @integers
// CHECK: arith.sitofp %{{.*}} : i32 to f16
func.func @integers(%x: tensor<4x8xi8>, %w: tensor<16x8xi8>) -> tensor<4x16xf16> {
  %y = lintel.linear %x, %w : (tensor<4x8xi8>, tensor<16x8xi8>) -> tensor<4x16xf16> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    %1 = arith.truncf %0 : f32 to f16
    lintel.yield %1 : f16
  }
  return %y : tensor<4x16xf16>
}
