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

// Constants and selects only move bits.
// CHECK-LABEL: func.func @moves(
// CHECK: %[[C:.*]] = arith.constant {{.*}} : bf16
// CHECK: %[[S:.*]] = arith.select %{{.*}}, %{{.*}}, %[[C]] : bf16
// CHECK: lintel.yield %[[S]] : bf16
func.func @moves(%x: tensor<4x8xbf16>, %w: tensor<16x8xbf16>, %r: tensor<16xbf16>) -> tensor<4x16xbf16> {
  %y = lintel.linear %x, %w epilogue(%r : tensor<16xbf16>) {target = #avx512}
      : (tensor<4x8xbf16>, tensor<16x8xbf16>) -> tensor<4x16xbf16> {
  ^bb0(%acc: f32, %b: bf16):
    %zero = arith.constant 0.0 : f32
    %above = arith.cmpf ogt, %acc, %zero : f32
    %one = arith.constant 1.0 : bf16
    %0 = arith.select %above, %b, %one : bf16
    lintel.yield %0 : bf16
  }
  return %y : tensor<4x16xbf16>
}

// A constant that is rounded may be one of the narrow type before it is.
// CHECK-LABEL: func.func @folds(
// CHECK: %[[C:.*]] = arith.constant 1.000000e+00 : bf16
// CHECK: lintel.yield %[[C]] : bf16
func.func @folds(%x: tensor<4x8xbf16>, %w: tensor<16x8xbf16>) -> tensor<4x16xbf16> {
  %y = lintel.linear %x, %w {target = #avx512} : (tensor<4x8xbf16>, tensor<16x8xbf16>) -> tensor<4x16xbf16> {
  ^bb0(%acc: f32):
    %e = math.exp %acc : f32
    %c = arith.constant 1.0 : f32
    %0 = arith.truncf %c : f32 to bf16
    lintel.yield %0 : bf16
  }
  return %y : tensor<4x16xbf16>
}

// An integer is rounded as f32 is.
// CHECK-LABEL: func.func @from_integers(
// CHECK: %[[F:.*]] = arith.sitofp %{{.*}} : i32 to f32
// CHECK: %[[H:.*]] = arith.truncf %[[F]] : f32 to bf16
// CHECK: lintel.yield %[[H]] : bf16
func.func @from_integers(%x: tensor<4x8xi8>, %w: tensor<16x8xi8>) -> tensor<4x16xbf16> {
  %y = lintel.linear %x, %w {target = #bf16} : (tensor<4x8xi8>, tensor<16x8xi8>) -> tensor<4x16xbf16> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to bf16
    lintel.yield %0 : bf16
  }
  return %y : tensor<4x16xbf16>
}

// CHECK-LABEL: func.func @vector_from_integers(
// CHECK-NOT: to vector<8x{{b?}}f16>
// CHECK: arith.uitofp %{{.*}} : vector<8xi32> to vector<8xf32>
// CHECK: arith.bitcast %{{.*}} : vector<8xi16> to vector<8xbf16>
func.func @vector_from_integers(%a: vector<8xi32>) -> vector<8xbf16> {
  %0 = arith.uitofp %a : vector<8xi32> to vector<8xbf16>
  return %0 : vector<8xbf16>
}

// To nearest and even is how everything rounds, said or not.
// CHECK-LABEL: func.func @nearest(
// CHECK: %[[B:.*]] = arith.truncf %{{.*}} : f32 to bf16
// CHECK: lintel.yield %[[B]] : bf16
func.func @nearest(%x: tensor<4x8xbf16>, %w: tensor<16x8xbf16>) -> tensor<4x16xbf16> {
  %y = lintel.linear %x, %w {target = #bf16} : (tensor<4x8xbf16>, tensor<16x8xbf16>) -> tensor<4x16xbf16> {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc to_nearest_even : f32 to bf16
    lintel.yield %0 : bf16
  }
  return %y : tensor<4x16xbf16>
}

// CHECK-LABEL: func.func @nearest_expanded(
// CHECK-NOT: truncf
// CHECK: lintel.yield
func.func @nearest_expanded(%x: tensor<4x8xbf16>, %w: tensor<16x8xbf16>) -> tensor<4x16xbf16> {
  %y = lintel.linear %x, %w {target = #avx512} : (tensor<4x8xbf16>, tensor<16x8xbf16>) -> tensor<4x16xbf16> {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc to_nearest_even : f32 to bf16
    lintel.yield %0 : bf16
  }
  return %y : tensor<4x16xbf16>
}
