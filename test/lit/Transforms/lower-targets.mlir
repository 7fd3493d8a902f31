// One target from the tile ops to LLVM: lintel-lower-microkernel notes it on the module, where later passes look.
// RUN: lintel-opt %s --split-input-file --lintel-approximate-math | FileCheck %s --check-prefix=MATH
// RUN: not lintel-opt %s --split-input-file --lintel-lower-microkernel --lintel-verify-kernel 2>&1 | FileCheck %s
// RUN: not lintel-opt %s --split-input-file --lintel-approximate-math --lintel-lower-microkernel --lintel-verify-kernel | FileCheck %s --check-prefix=LOWERED

// A region is for the target of its op, whatever others of the function are for.
// MATH-LABEL: @each_its_own(
// MATH: target = #lintel.target<isa = x86_64,
// MATH-NOT: math.{{(fma|floor) }}
// MATH: target = #lintel.target<isa = avx512,
// MATH: math.fma
// MATH: math.floor
// CHECK: 'lintel.apply_epilogue' op is for #lintel.target<isa = avx512, {{.*}}>, but its module is for #lintel.target<isa = x86_64, {{.*}}>; put it in a module of its own
func.func @each_its_own(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 2x16>, target = #lintel.target<isa = x86_64>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    %0 = math.fma %acc, %acc, %acc : f32
    %1 = math.floor %0 : f32
    lintel.yield %1 : f32
  }
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 2x16>, target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    %0 = math.fma %acc, %acc, %acc : f32
    %1 = math.floor %0 : f32
    lintel.yield %1 : f32
  }
  return
}

// -----

// What the op is for is not lost with it.
// CHECK: 'math.fma' op has no inline lowering on its target
// LOWERED: module attributes {lintel.target = #lintel.target<isa = x86_64,
// LOWERED-LABEL: @kept(
// LOWERED-NOT: math.fma
// LOWERED: return
func.func @kept(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 2x16>, target = #lintel.target<isa = x86_64>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    %0 = math.fma %acc, %acc, %acc : f32
    lintel.yield %0 : f32
  }
  return
}

// -----

// CHECK: 'lintel.microkernel' op is for #lintel.target<isa = avx2, {{.*}}>, but its module is for #lintel.target<isa = avx512, {{.*}}extensions = "avx512bf16">; put it in a module of its own
module attributes {lintel.target = #lintel.target<isa = avx512, extensions = avx512bf16>} {
  func.func @another(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
    lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
        attributes {rows = 2, schedule = #lintel.schedule<tile = 2x16>, target = #lintel.target<isa = avx2>, broadcasts = []}
        : memref<f32>, memref<f32>, memref<f32> {
    ^bb0(%acc: f32):
      lintel.yield %acc : f32
    }
    return
  }
}

// -----

// Modules inside are for targets of their own.
// LOWERED: module attributes {lintel.target = #lintel.target<isa = avx2,
// LOWERED-NEXT: func.func @around(
// LOWERED: module attributes {lintel.target = #lintel.target<isa = avx512,
// LOWERED-NEXT: func.func @inside(
func.func @around(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 2x16>, target = #lintel.target<isa = avx2>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}
module {
  func.func @inside(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
    lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
        attributes {schedule = #lintel.schedule<tile = 2x16>, target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
    ^bb0(%acc: f32):
      lintel.yield %acc : f32
    }
    return
  }
}
