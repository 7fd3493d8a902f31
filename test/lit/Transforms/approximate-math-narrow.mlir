// lintel-approximate-math leaves conversions that the target has instructions
// for, and expands the others to integer arithmetic.
// RUN: lintel-opt %s --lintel-approximate-math | FileCheck %s

#bf16 = #lintel.target<isa = avx512, extensions = avx512bf16>
#avx512 = #lintel.target<isa = avx512>
#x86_64 = #lintel.target<isa = x86_64>

// CHECK-LABEL: func.func @has_bf16(
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[Y:.*]] = arith.truncf %{{.*}} : f32 to bf16
// CHECK: lintel.yield %[[Y]] : bf16
func.func @has_bf16(%x: tensor<4x8xbf16>, %w: tensor<16x8xbf16>, %r: tensor<16xbf16>) -> tensor<4x16xbf16> {
  %y = lintel.linear %x, %w epilogue(%r : tensor<16xbf16>) {target = #bf16}
      : (tensor<4x8xbf16>, tensor<16x8xbf16>) -> tensor<4x16xbf16> {
  ^bb0(%acc: f32, %b: bf16):
    %0 = arith.extf %b : bf16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    lintel.yield %2 : bf16
  }
  return %y : tensor<4x16xbf16>
}

// CHECK-LABEL: func.func @rounds_to_bf16(
// CHECK-NOT: truncf
// CHECK: arith.cmpf une
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: arith.trunci %{{.*}} : i32 to i16
// CHECK: arith.bitcast %{{.*}} : i16 to bf16
// CHECK-NOT: truncf
// CHECK: lintel.yield %{{.*}} : bf16
func.func @rounds_to_bf16(%x: tensor<4x8xbf16>, %w: tensor<16x8xbf16>) -> tensor<4x16xbf16> {
  %y = lintel.linear %x, %w {target = #avx512} : (tensor<4x8xbf16>, tensor<16x8xbf16>) -> tensor<4x16xbf16> {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    lintel.yield %0 : bf16
  }
  return %y : tensor<4x16xbf16>
}

// CHECK-LABEL: func.func @has_f16(
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @has_f16(%x: tensor<4x8xf16>, %w: tensor<16x8xf16>, %r: tensor<16xf16>) -> tensor<4x16xf16> {
  %y = lintel.linear %x, %w epilogue(%r : tensor<16xf16>) : (tensor<4x8xf16>, tensor<16x8xf16>) -> tensor<4x16xf16> {
  ^bb0(%acc: f32, %b: f16):
    %0 = arith.extf %b : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    lintel.yield %2 : f16
  }
  return %y : tensor<4x16xf16>
}

// CHECK-LABEL: func.func @converts_f16(
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast %{{.*}} : f16 to i16
// CHECK: arith.bitcast %{{.*}} : i16 to f16
// CHECK-NOT: arith.truncf
// CHECK: lintel.yield %{{.*}} : f16
func.func @converts_f16(%x: tensor<4x8xf16>, %w: tensor<16x8xf16>, %r: tensor<16xf16>) -> tensor<4x16xf16> {
  %y = lintel.linear %x, %w epilogue(%r : tensor<16xf16>) {target = #x86_64}
      : (tensor<4x8xf16>, tensor<16x8xf16>) -> tensor<4x16xf16> {
  ^bb0(%acc: f32, %b: f16):
    %0 = arith.extf %b : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    lintel.yield %2 : f16
  }
  return %y : tensor<4x16xf16>
}
