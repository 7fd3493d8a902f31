// A rounding stays one, whatever may be contracted: with an instruction for it, and without.
// RUN: lintel-opt %s --lintel-approximate-math | FileCheck %s

// CHECK-LABEL: @rounds
// CHECK: %[[CUT:.*]] = arith.trunci %{{.*}} : i32 to i16
// CHECK: %[[BITS:.*]] = arith.select %{{.*}}, %{{.*}}, %[[CUT]] : i16
// CHECK: %[[HALF:.*]] = arith.bitcast %[[BITS]] : i16 to bf16
// CHECK: arith.bitcast %[[HALF]] : bf16 to i16
// CHECK-LABEL: @rounds_by_instruction
// CHECK: %[[HALF:.*]] = arith.truncf %{{.*}} fastmath<none> : f32 to bf16
// CHECK: %[[WIDE:.*]] = arith.extf %[[HALF]] fastmath<none> : bf16 to f32
// CHECK: arith.addf %[[WIDE]], %[[WIDE]] : f32
func.func @rounds(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w {target = #lintel.target<isa = avx2>}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    %h = arith.truncf %acc fastmath<contract> : f32 to bf16
    %r = arith.extf %h fastmath<contract> : bf16 to f32
    %s = arith.addf %r, %r : f32
    lintel.yield %s : f32
  }
  return %y : tensor<4x16xf32>
}
// The patterns of a function look at the conversions, too.
func.func @rounds_by_instruction(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w {target = #lintel.target<isa = avx512, extensions = avx512bf16>}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    %h = arith.truncf %acc fastmath<fast> : f32 to bf16
    %r = arith.extf %h fastmath<fast> : bf16 to f32
    %s = arith.addf %r, %r : f32
    %e = math.exp %s : f32
    lintel.yield %e : f32
  }
  return %y : tensor<4x16xf32>
}
