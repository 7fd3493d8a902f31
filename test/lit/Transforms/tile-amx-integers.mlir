// lintel-tile with unit = amx and integers.
// RUN: lintel-opt %s --lintel-tile --canonicalize | FileCheck %s

// Operands of integers are asked for like others.
// CHECK-LABEL: func.func private @integer_operand_microkernel_32(
// CHECK: lintel.microkernel {{.*}} touches({{.*}}memref<32x32xi32, strided<[?, 1], offset: ?>>
func.func @integer_operand(%x: tensor<512x256xui8>, %w: tensor<256x256xi8>, %r: tensor<512x256xi32>) -> tensor<512x256xf32> {
  %y = lintel.linear %x, %w epilogue(%r : tensor<512x256xi32>)
      {schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 4, pack = block, epilogue = tile>,
       target = #lintel.target<isa = avx512, extensions = "amx-int8+amx-tile">}
      : (tensor<512x256xui8>, tensor<256x256xi8>) -> tensor<512x256xf32> {
  ^bb0(%acc: i32, %b: i32):
    %0 = arith.addi %acc, %b : i32
    %1 = arith.sitofp %0 : i32 to f32
    lintel.yield %1 : f32
  }
  return %y : tensor<512x256xf32>
}
