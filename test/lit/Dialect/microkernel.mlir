// lintel.microkernel and lintel.apply_epilogue parse, print and survive generic form.
// RUN: lintel-opt %s | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --mlir-print-op-generic | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --emit-bytecode | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

#registers = #lintel.schedule<tile = 8x48>
#tile = #lintel.schedule<tile = 8x48, epilogue = tile>
#target = #lintel.target<isa = avx512>

// CHECK-LABEL: func.func @in_registers
// GENERIC: "lintel.microkernel"(
func.func @in_registers(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
  // CHECK: lintel.microkernel %[[ARGS:.*]] a(%[[M:.*]][%[[I:.*]]], %[[I]]) b(%[[M]][%[[I]]], %[[I]]) acc(%[[M]][%[[I]]], %[[I]]) first(%[[P:.*]]) last(%[[P]]) at(%[[I]], %[[I]]) columns(%[[I]]) attributes {broadcasts = ["scalar", "column", "row", "full"], rows = 7 : i64, schedule = #lintel.schedule<{{.*}}>, target = #lintel.target<{{.*}}>} : memref<f32>, memref<f32>, memref<f32> {
  // CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: bf16):
  // CHECK-NEXT: lintel.yield %[[ACC]], %[[ACC]] : f32, f32
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #registers, target = #target, broadcasts = ["scalar", "column", "row", "full"]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32, %s: f32, %c: f32, %r: f32, %f: bf16):
    lintel.yield %acc, %acc : f32, f32
  }
  return
}

// CHECK-LABEL: func.func @by_tile
func.func @by_tile(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
  // CHECK: lintel.microkernel {{.*}} attributes {broadcasts = [], rows = 8 : i64, {{.*}}} : memref<f32>, memref<f32>, memref<f32> {
  // CHECK-NEXT: }
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 8, schedule = #tile, target = #target, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  // CHECK: lintel.apply_epilogue %{{.*}} acc(%{{.*}}[%[[I:.*]]], %[[I]]) at(%[[I]], %[[I]]) size(%[[I]], %[[I]]) attributes {broadcasts = ["column"], schedule = #lintel.schedule<{{.*}}>, target = #lintel.target<{{.*}}>} : memref<f32> {
  // CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[B:.*]]: f32):
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[ACC]], %[[B]] : f32
  // CHECK-NEXT: lintel.yield %[[SUM]] : f32
  // GENERIC: "lintel.apply_epilogue"(
  lintel.apply_epilogue %args acc(%m[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #tile, target = #target, broadcasts = ["column"]} : memref<f32> {
  ^bb0(%acc: f32, %b: f32):
    %0 = arith.addf %acc, %b : f32
    lintel.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @short_strip
func.func @short_strip(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
  // CHECK: lintel.microkernel {{.*}} columns(%[[I:.*]]) valid(%[[I]]) attributes {broadcasts = [], rows = 7 : i64,
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i) valid(%i)
      attributes {rows = 7, schedule = #registers, target = #target, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// CHECK-LABEL: func.func @next_in_other_memory
func.func @next_in_other_memory(%args: !lintel.kernel_args, %m: memref<f32>, %w: memref<f16>, %i: index, %p: i1) {
  // CHECK: lintel.microkernel {{.*}} next(%[[I:.*]]) next_step(%[[I]]) next_in(%{{.*}} : memref<f16>) attributes {
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      next(%i) next_step(%i) next_in(%w : memref<f16>)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x48, share = 1>, target = #target, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// CHECK-LABEL: func.func @on_tiles
func.func @on_tiles(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %p: i1, %y: memref<16x16xf32>,
                    %r: memref<16x16xbf16, strided<[?, 1], offset: ?>>) {
  %ldacc = arith.constant 16 : index
  // CHECK: lintel.microkernel {{.*}} columns(%[[I:.*]]) next(%[[I]]) next_acc(%[[I]]) touches(%{{.*}}, %{{.*}} : memref<16x16xf32>, memref<16x16xbf16, strided<[?, 1], offset: ?>>) attributes {broadcasts = [], rows = 16 : i64,
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %ldacc) first(%p) last(%p) at(%i, %i) columns(%i) next(%i) next_acc(%i)
      touches(%y, %r : memref<16x16xf32>, memref<16x16xbf16, strided<[?, 1], offset: ?>>)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x16, unit = amx, group = 2, prefetch = 64, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// CHECK-LABEL: func.func @with_a_pending_tile
func.func @with_a_pending_tile(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %p: i1, %j: index) {
  %ldacc = arith.constant 16 : index
  // CHECK: lintel.microkernel {{.*}} at(%[[I:.*]], %{{.*}}) columns(%[[I]]) pending(%[[J:.*]]) at(%[[I]], %[[J]]) rows(%[[I]]) attributes {broadcasts = ["column"], rows = 16 : i64,
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %ldacc) first(%p) last(%p) at(%i, %i) columns(%i)
      pending(%j) at(%i, %j) rows(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x16, unit = amx, group = 2, epilogue = next>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = ["column"]}
      : memref<bf16>, memref<bf16>, memref<f32> {
  ^bb0(%acc: f32, %bias: f32):
    %0 = arith.addf %acc, %bias : f32
    lintel.yield %0 : f32
  }
  return
}
