// What the description of lintel-approximate-math shows.
// RUN: lintel-opt %s --lintel-approximate-math | FileCheck %s

// CHECK-LABEL: @tanh(
// CHECK-SAME: %[[ACC:.*]]: f32)
// CHECK-DAG: %[[TINY:.*]] = arith.constant 4.000000e-04 : f32
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -7.99881172 : f32
// CHECK-DAG: %[[MOST:.*]] = arith.constant 7.99881172 : f32
// CHECK: %[[BELOW:.*]] = arith.cmpf ult, %[[ACC]], %[[MOST]] : f32
// CHECK-NEXT: %[[LOW:.*]] = arith.select %[[BELOW]], %[[ACC]], %[[MOST]] : f32
// CHECK-NEXT: %[[ABOVE:.*]] = arith.cmpf ugt, %[[LOW]], %[[LEAST]] : f32
// CHECK-NEXT: %[[X:.*]] = arith.select %[[ABOVE]], %[[LOW]], %[[LEAST]] : f32
// CHECK-NEXT: %[[SIZE:.*]] = math.absf %[[ACC]] : f32
// CHECK-NEXT: %[[IS_TINY:.*]] = arith.cmpf olt, %[[SIZE]], %[[TINY]] : f32
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK: %[[QUOTIENT:.*]] = arith.divf
// CHECK-NEXT: %[[TANH:.*]] = arith.select %[[IS_TINY]], %[[X]], %[[QUOTIENT]] : f32
// CHECK-NEXT: return %[[TANH]] : f32
func.func @tanh(%acc: f32) -> f32 {
  %0 = math.tanh %acc : f32
  return %0 : f32
}

// CHECK-LABEL: @narrow(
// CHECK-SAME: %[[ACC:.*]]: f32)
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[SIXTEEN:.*]] = arith.constant 16 : i32
// CHECK-DAG: %[[NAN:.*]] = arith.constant 32704 : i16
// CHECK-DAG: %[[BELOW_HALF:.*]] = arith.constant 32767 : i32
// CHECK: %[[IS_NAN:.*]] = arith.cmpf une, %[[ACC]], %[[ACC]] : f32
// CHECK-NEXT: %[[BITS:.*]] = arith.bitcast %[[ACC]] : f32 to i32
// CHECK-NEXT: %[[UPPER:.*]] = arith.shrui %[[BITS]], %[[SIXTEEN]] : i32
// CHECK-NEXT: %[[ODD:.*]] = arith.andi %[[UPPER]], %[[ONE]] : i32
// CHECK-NEXT: %[[MORE:.*]] = arith.addi %[[ODD]], %[[BELOW_HALF]] : i32
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[BITS]], %[[MORE]] : i32
// CHECK-NEXT: %[[ROUNDED:.*]] = arith.shrui %[[SUM]], %[[SIXTEEN]] : i32
// CHECK-NEXT: %[[CUT:.*]] = arith.trunci %[[ROUNDED]] : i32 to i16
// CHECK-NEXT: %[[CHOSEN:.*]] = arith.select %[[IS_NAN]], %[[NAN]], %[[CUT]] : i16
// CHECK-NEXT: %[[HALF:.*]] = arith.bitcast %[[CHOSEN]] : i16 to bf16
// CHECK-NEXT: return %[[HALF]] : bf16
func.func @narrow(%acc: f32) -> bf16 {
  %0 = arith.truncf %acc : f32 to bf16
  return %0 : bf16
}
