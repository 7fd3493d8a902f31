// lintel-assign-schedule: a schedule pinned by option, or kept from the op.
// RUN: lintel-opt %s --lintel-assign-schedule='schedule=tile=4x24,kc=16,grid=2x1 target=isa=avx2,cores=2' | FileCheck %s
// Idempotent: what is attached stays, whatever the options say then.
// RUN: lintel-opt %s --lintel-assign-schedule='schedule=tile=4x24,kc=16,grid=2x1 target=isa=avx2,cores=2' --lintel-assign-schedule='schedule=tile=8x48 target=isa=avx512' | FileCheck %s

// CHECK-LABEL: @pinned
// CHECK: lintel.linear {{.*}} {note = "kept", schedule = #lintel.schedule<tile = 4x24, pack = none, epilogue = registers, mc = whole, nc = whole, kc = 16, blocks = mn, tiles = mn, grid = 2x1>, target = #lintel.target<isa = avx2, cpu = "generic", l1 = 32768, l2 = 1048576, l3 = 16777216, cores = 2>}
// CHECK: arith.addf
func.func @pinned(%x: tensor<64x64xf32>, %w: tensor<96x64xf32>, %b: tensor<96xf32>) -> tensor<64x96xf32> {
  %y = lintel.linear %x, %w epilogue(%b : tensor<96xf32>) {note = "kept"}
      : (tensor<64x64xf32>, tensor<96x64xf32>) -> tensor<64x96xf32> {
  ^bb0(%acc: f32, %bias: f32):
    %0 = arith.addf %acc, %bias : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<64x96xf32>
}

// The op's own attributes win over the options.
// CHECK-LABEL: @own
// CHECK: {schedule = #lintel.schedule<tile = 8x48, pack = block, epilogue = tile, mc = 16, nc = 96, kc = 8, blocks = nm, tiles = nm, grid = 1x2>, target = #lintel.target<isa = avx512, cpu = "znver4", l1 = 16384, l2 = 524288, l3 = 4194304, cores = 3>}
func.func @own(%x: tensor<64x64xf32>, %w: tensor<96x64xf32>) -> tensor<64x96xf32> {
  %y = lintel.linear %x, %w {
      schedule = #lintel.schedule<tile = 8x48, pack = block, epilogue = tile, mc = 16, nc = 96, kc = 8, blocks = nm, tiles = nm, grid = 1x2>,
      target = #lintel.target<isa = avx512, cpu = "znver4", l1 = 16384, l2 = 524288, l3 = 4194304, cores = 3>}
      : (tensor<64x64xf32>, tensor<96x64xf32>) -> tensor<64x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x96xf32>
}

// Each of the two is the op's own or the option's by itself.
// CHECK-LABEL: @own_target
// CHECK: {schedule = #lintel.schedule<tile = 4x24, {{.*}} grid = 2x1>, target = #lintel.target<isa = avx2, cpu = "haswell", {{.*}} cores = 1>}
func.func @own_target(%x: tensor<64x64xf32>, %w: tensor<96x64xf32>) -> tensor<64x96xf32> {
  %y = lintel.linear %x, %w {target = #lintel.target<isa = avx2, cpu = "haswell">}
      : (tensor<64x64xf32>, tensor<96x64xf32>) -> tensor<64x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x96xf32>
}
// CHECK-LABEL: @own_schedule
// CHECK: {schedule = #lintel.schedule<tile = 6x16, {{.*}} grid = 1x1>, target = #lintel.target<isa = avx2, cpu = "generic", {{.*}} cores = 2>}
func.func @own_schedule(%x: tensor<64x64xf32>, %w: tensor<96x64xf32>) -> tensor<64x96xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 6x16>}
      : (tensor<64x64xf32>, tensor<96x64xf32>) -> tensor<64x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x96xf32>
}

// No layer, nothing to do.
// CHECK-LABEL: @empty
// CHECK-NEXT: return
func.func @empty() {
  return
}
