// lintel-approximate-math makes math inline, in a layer's region and on vectors.
// RUN: lintel-opt %s --lintel-approximate-math | FileCheck %s
// Once is enough.
// RUN: lintel-opt %s --lintel-approximate-math > %t.once
// RUN: lintel-opt %t.once --lintel-approximate-math | diff %t.once -

// CHECK-LABEL: @layer
// CHECK: lintel.linear
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %{{.*}}: f32):
// CHECK-NOT: vector
// CHECK-NOT: math.{{(exp|erf|tanh)}}
// CHECK: math.fma {{.*}} : f32
// CHECK-NOT: math.{{(exp|erf|tanh)}}
// CHECK: lintel.yield %{{.*}} : f32
func.func @layer(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xf32>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xf32>) {target = #lintel.target<isa = avx512>}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %bias: f32):
    %0 = arith.addf %acc, %bias : f32
    %1 = math.exp %0 : f32
    %2 = math.erf %1 : f32
    %3 = math.tanh %2 : f32
    lintel.yield %3 : f32
  }
  return %y : tensor<4x16xf32>
}

// CHECK-LABEL: @vectors
// CHECK-NOT: math.{{(exp|erf|tanh)}}
// CHECK: math.fma {{.*}} : vector<16xf32>
// CHECK-NOT: math.{{(exp|erf|tanh)}}
// CHECK: return
func.func @vectors(%a: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %0 = math.exp %a : vector<16xf32>
  %1 = math.erf %a : vector<16xf32>
  %2 = math.tanh %a : vector<16xf32>
  return %0, %1, %2 : vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// erf(x) is x p(x^2) / q(x^2), x cut to [-4, 4] and the quotient to [-1, 1]. NaN
// is beyond neither end, so it stays.
// CHECK-LABEL: @erf
// CHECK-SAME: %[[X:.*]]: f32)
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0{{.*}} : f32
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4.0{{.*}} : f32
// CHECK-DAG: %[[MINUS_ONE:.*]] = arith.constant -1.0{{.*}} : f32
// CHECK-DAG: %[[MINUS_FOUR:.*]] = arith.constant -4.0{{.*}} : f32
// CHECK: %[[ABOVE:.*]] = arith.cmpf olt, %[[FOUR]], %[[X]] : f32
// CHECK: %[[LOW:.*]] = arith.select %[[ABOVE]], %[[FOUR]], %[[X]] : f32
// CHECK: %[[BELOW:.*]] = arith.cmpf ogt, %[[MINUS_FOUR]], %[[LOW]] : f32
// CHECK: %[[CUT:.*]] = arith.select %[[BELOW]], %[[MINUS_FOUR]], %[[LOW]] : f32
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[CUT]], %[[CUT]] : f32
// CHECK-COUNT-6: math.fma {{.*}}, %[[SQUARE]], {{.*}} : f32
// CHECK-COUNT-4: math.fma {{.*}}, %[[SQUARE]], {{.*}} : f32
// CHECK-NOT: math.fma
// CHECK: arith.mulf %[[CUT]]
// CHECK: %[[QUOTIENT:.*]] = arith.divf
// CHECK: %[[TOO_LARGE:.*]] = arith.cmpf olt, %[[ONE]], %[[QUOTIENT]] : f32
// CHECK: arith.select %[[TOO_LARGE]], %[[ONE]], %[[QUOTIENT]] : f32
// CHECK: arith.cmpf ogt, %[[MINUS_ONE]]
// CHECK-NOT: arith.divf
// CHECK: return
func.func @erf(%x: f32) -> f32 {
  %0 = math.erf %x : f32
  return %0 : f32
}

// exp(x) is 2^n p(r): a sum with 1.5 * 2^23 + 127 leaves n + 127 in its low bits,
// shifted they are 2^n, and r is x less n ln 2 in two parts. NaN passes the bounds.
// CHECK-LABEL: @exp
// CHECK-SAME: %[[GIVEN:.*]]: f32)
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -8.8{{.*}} : f32
// CHECK-DAG: %[[MAGIC:.*]] = arith.constant 0x4B40007F : f32
// CHECK-DAG: %[[MOST:.*]] = arith.constant 0x4B4000FE : f32
// CHECK-DAG: %[[LOG2E:.*]] = arith.constant 1.442{{.*}} : f32
// CHECK-DAG: %[[LN2:.*]] = arith.constant -0.6931{{.*}} : f32
// CHECK-DAG: %[[BITS:.*]] = arith.constant 23 : i32
// CHECK: %[[BELOW:.*]] = arith.cmpf ogt, %[[LEAST]], %[[GIVEN]] : f32
// CHECK: %[[X:.*]] = arith.select %[[BELOW]], %[[LEAST]], %[[GIVEN]] : f32
// CHECK: %[[ANY:.*]] = math.fma %[[X]], %[[LOG2E]], %[[MAGIC]] : f32
// CHECK: %[[ABOVE:.*]] = arith.cmpf olt, %[[MOST]], %[[ANY]] : f32
// CHECK: %[[SHIFTED:.*]] = arith.select %[[ABOVE]], %[[MOST]], %[[ANY]] : f32
// CHECK: %[[N:.*]] = arith.subf %[[SHIFTED]], %[[MAGIC]] : f32
// CHECK: %[[R0:.*]] = math.fma %[[N]], %[[LN2]], %[[X]] : f32
// CHECK: %[[R:.*]] = math.fma %[[N]], {{.*}}, %[[R0]] : f32
// CHECK-COUNT-6: math.fma {{.*}}%[[R]], {{.*}} : f32
// CHECK-NOT: math.fma
// CHECK: %[[INTEGER:.*]] = arith.bitcast %[[SHIFTED]] : f32 to i32
// CHECK: %[[EXPONENT:.*]] = arith.shli %[[INTEGER]], %[[BITS]] : i32
// CHECK: %[[POWER:.*]] = arith.bitcast %[[EXPONENT]] : i32 to f32
// CHECK: arith.mulf {{.*}}, %[[POWER]] : f32
// CHECK-NEXT: return
func.func @exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// exp(-y) is computed of y: its bound, log2 e, ln 2 and every second coefficient
// change their sign.
// CHECK-LABEL: @exp_of_negation
// CHECK-SAME: %[[Y:.*]]: f32)
// CHECK-DAG: %[[MOST:.*]] = arith.constant 8.8{{.*}} : f32
// CHECK-DAG: %[[LOG2E:.*]] = arith.constant -1.442{{.*}} : f32
// CHECK-DAG: %[[LN2:.*]] = arith.constant 0.6931{{.*}} : f32
// CHECK-NOT: arith.negf
// CHECK: arith.cmpf olt, %[[MOST]], %[[Y]] : f32
// CHECK: %[[CUT:.*]] = arith.select {{.*}}, %[[MOST]], %[[Y]] : f32
// CHECK: math.fma %[[CUT]], %[[LOG2E]]
// CHECK: math.fma %{{.*}}, %[[LN2]], %[[CUT]] : f32
// CHECK-NOT: arith.negf
// CHECK: return
func.func @exp_of_negation(%y: f32) -> f32 {
  %0 = arith.negf %y : f32
  %1 = math.exp %0 : f32
  return %1 : f32
}

// Small whole powers are products, by squares; of the inverse where negative.
// CHECK-LABEL: @whole_powers
// CHECK-SAME: %[[X:.*]]: vector<8xf32>)
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1.0{{.*}}> : vector<8xf32>
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[FOURTH:.*]] = arith.mulf %[[SQUARE]], %[[SQUARE]]
// CHECK: %[[FIFTH:.*]] = arith.mulf %[[X]], %[[FOURTH]]
// CHECK: %[[INVERSE:.*]] = arith.divf %[[ONE]], %[[FIFTH]]
// CHECK-NEXT: %[[INVERSE_SQUARE:.*]] = arith.mulf %[[INVERSE]], %[[INVERSE]]
// CHECK-NEXT: return %[[INVERSE_SQUARE]], %[[ONE]]
func.func @whole_powers(%x: vector<8xf32>) -> (vector<8xf32>, vector<8xf32>) {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %five = arith.constant dense<5.0> : vector<8xf32>
  %minus_two = arith.constant dense<-2.0> : vector<8xf32>
  %0 = math.powf %x, %five : vector<8xf32>
  %1 = math.powf %0, %minus_two : vector<8xf32>
  %2 = math.powf %x, %zero : vector<8xf32>
  return %1, %2 : vector<8xf32>, vector<8xf32>
}

// So are those of a constant index, of any size, and of f64.
// CHECK-LABEL: @powers_of_constants
// CHECK-NOT: math.
// CHECK: return
func.func @powers_of_constants(%x: f32, %d: f64) -> (f32, f64) {
  %forty = arith.constant 40 : index
  %hundred = arith.constant -100 : i32
  %0 = math.fpowi %x, %forty : f32, index
  %1 = math.fpowi %d, %hundred : f64, i32
  return %0, %1 : f32, f64
}

// Other powers have the sign of x where they are odd, and NaN where there is
// no real one.
// CHECK-LABEL: @powers
// CHECK-SAME: %[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK: math.trunc %[[Y]]
// CHECK: math.absf %[[X]]
// CHECK: %[[NEGATED:.*]] = math.copysign %{{.*}}, %[[X]]
// CHECK: arith.select %{{.*}}, %[[NEGATED]]
// CHECK: %[[POWER:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: return %[[POWER]]
func.func @powers(%x: f32, %y: f32) -> f32 {
  %0 = math.powf %x, %y : f32
  return %0 : f32
}

// Each function that has no instruction of its own.
// CHECK-LABEL: @all
// CHECK-NOT: math.{{(acos|acosh|asin|asinh|atan|atan2|atanh|cbrt|cos|cosh|erfc|exp2|expm1|log|log10|log1p|log2|powf|fpowi|round |rsqrt|sin|sinh|tan|clampf)}}
// CHECK: return
func.func @all(%a: f32, %i: i32) -> f32 {
  %0 = math.acos %a : f32
  %1 = math.acosh %0 : f32
  %2 = math.asin %1 : f32
  %3 = math.asinh %2 : f32
  %4 = math.atan %3 : f32
  %5 = math.atan2 %4, %a : f32
  %6 = math.atanh %5 : f32
  %7 = math.cbrt %6 : f32
  %8 = math.cos %7 : f32
  %9 = math.cosh %8 : f32
  %10 = math.erfc %9 : f32
  %11 = math.exp2 %10 : f32
  %12 = math.expm1 %11 : f32
  %13 = math.log %12 : f32
  %14 = math.log1p %13 : f32
  %15 = math.log2 %14 : f32
  %16 = math.powf %15, %a : f32
  %17 = math.fpowi %16, %i : f32, i32
  %18 = math.round %17 : f32
  %19 = math.rsqrt %18 : f32
  %20 = math.sin %19 : f32
  %21 = math.sinh %20 : f32
  %22 = math.tan %21 : f32
  %23 = math.clampf %22 to [%a, %0] : f32
  %24 = math.log10 %23 : f32
  return %24 : f32
}

// What has an instruction stays.
// CHECK-LABEL: @instructions
// CHECK: math.absf
// CHECK: math.absi
// CHECK: math.sqrt
// CHECK: math.copysign
// CHECK: math.fma
// CHECK: math.floor
// CHECK: math.ceil
// CHECK: math.trunc
// CHECK: math.roundeven
// CHECK: math.isnan
// CHECK: math.isfinite
func.func @instructions(%a: vector<8xf32>, %i: vector<8xi32>)
    -> (vector<8xf32>, vector<8xi32>, vector<8xi1>, vector<8xi1>) {
  %0 = math.absf %a : vector<8xf32>
  %1 = math.absi %i : vector<8xi32>
  %2 = math.sqrt %0 : vector<8xf32>
  %3 = math.copysign %2, %a : vector<8xf32>
  %4 = math.fma %3, %a, %a : vector<8xf32>
  %5 = math.floor %4 : vector<8xf32>
  %6 = math.ceil %5 : vector<8xf32>
  %7 = math.trunc %6 : vector<8xf32>
  %8 = math.roundeven %7 : vector<8xf32>
  %9 = math.isnan %8 : vector<8xf32>
  %10 = math.isfinite %8 : vector<8xf32>
  return %8, %1, %9, %10 : vector<8xf32>, vector<8xi32>, vector<8xi1>, vector<8xi1>
}

// Round half away from zero stays in f32: no 64-bit integers, whose vectors
// would be longer than the target's.
// CHECK-LABEL: @round
// CHECK-SAME: (%[[X:.*]]: vector<16xf32>)
// CHECK-NOT: i64
// CHECK: %[[CUT:.*]] = math.trunc %[[X]] : vector<16xf32>
// CHECK: %[[REST:.*]] = arith.subf %[[X]], %[[CUT]]
// CHECK: %[[DISTANCE:.*]] = math.absf %[[REST]]
// CHECK: %[[AWAY:.*]] = arith.cmpf oge, %[[DISTANCE]]
// CHECK: %[[STEP:.*]] = math.copysign %{{.*}}, %[[X]]
// CHECK: %[[MOVED:.*]] = arith.addf %[[CUT]], %[[STEP]]
// CHECK: %[[ROUNDED:.*]] = arith.select %[[AWAY]], %[[MOVED]], %[[CUT]]
// CHECK: return %[[ROUNDED]]
func.func @round(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.round %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// Code without math is left alone: even what folds away.
// CHECK-LABEL: @no_math
// CHECK-SAME: (%[[A:.*]]: f32)
// CHECK: %[[ZERO:.*]] = arith.constant 0
// CHECK: arith.select
func.func @no_math(%a: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %0 = arith.select %true, %zero, %a : f32
  return %0 : f32
}

// Divisions that round are made of one that cuts off.
// CHECK-LABEL: @rounded_quotients
// CHECK-NOT: arith.{{(ceildiv|floordiv)}}
// CHECK: arith.divsi
// CHECK-NOT: arith.{{(ceildiv|floordiv)}}
// CHECK: lintel.yield
func.func @rounded_quotients(%x: tensor<4x8xui8>, %w: tensor<16x8xi8>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w : (tensor<4x8xui8>, tensor<16x8xi8>) -> tensor<4x16xf32> {
  ^bb0(%acc: i32):
    %c3 = arith.constant 3 : i32
    %0 = arith.floordivsi %acc, %c3 : i32
    %1 = arith.ceildivsi %0, %c3 : i32
    %2 = arith.ceildivui %1, %c3 : i32
    %3 = arith.sitofp %2 : i32 to f32
    lintel.yield %3 : f32
  }
  return %y : tensor<4x16xf32>
}

// Wide integers are added without a call.
// CHECK-LABEL: @wide
// CHECK-NEXT: arith.addi %{{.*}} : i128
func.func @wide(%a: i128) -> i128 {
  %0 = arith.addi %a, %a : i128
  return %0 : i128
}
