// lintel-assign-schedule without a schedule attaches the analytic best for the target.
// RUN: lintel-opt %s --lintel-assign-schedule='target=isa=avx512,cpu=znver4,cores=2 threads=2' | FileCheck %s --check-prefix=AVX512
// RUN: lintel-opt %s --lintel-assign-schedule='target=isa=x86_64' | FileCheck %s --check-prefix=SSE
// Without a target: a generic AVX2 CPU with one thread, never the host.
// RUN: lintel-opt %s --lintel-assign-schedule | FileCheck %s --check-prefix=GENERIC
// The same answer every time.
// RUN: lintel-opt %s --lintel-assign-schedule='target=isa=avx512 threads=2' > %t.first
// RUN: lintel-opt %s --lintel-assign-schedule='target=isa=avx512 threads=2' | diff %t.first -

// AVX512: {schedule = #lintel.schedule<tile = {{[0-9]+}}x{{(16|32|48|64|80|96|112|128)}}, {{.*}} grid = {{1x2|2x1}}>, target = #lintel.target<isa = avx512, cpu = "znver4", {{.*}} cores = 2>}
// SSE: {schedule = #lintel.schedule<tile = {{[0-9]+}}x{{(4|8|12|16|20|24|28|32)}}, {{.*}} grid = 1x1>, target = #lintel.target<isa = x86_64, cpu = "generic", {{.*}} cores = 1>}
// GENERIC: {schedule = #lintel.schedule<tile = {{[0-9]+}}x{{(8|16|24|32|40|48)}}, {{.*}} grid = 1x1>, target = #lintel.target<isa = avx2, cpu = "generic", {{.*}} cores = 1>}
func.func @layer(%x: tensor<?x768xf32>, %w: tensor<3072x768xf32>, %b: tensor<3072xf32>) -> tensor<?x3072xf32> {
  %y = lintel.linear %x, %w epilogue(%b : tensor<3072xf32>)
      : (tensor<?x768xf32>, tensor<3072x768xf32>) -> tensor<?x3072xf32> {
  ^bb0(%acc: f32, %bias: f32):
    %0 = arith.addf %acc, %bias : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<?x3072xf32>
}

// One row: no tile is taller.
// AVX512: tile = 1x
// SSE: tile = 1x
// GENERIC: tile = 1x
func.func @one_row(%x: tensor<1x768xf32>, %w: tensor<3072x768xf32>) -> tensor<1x3072xf32> {
  %y = lintel.linear %x, %w : (tensor<1x768xf32>, tensor<3072x768xf32>) -> tensor<1x3072xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<1x3072xf32>
}

// A weight that is packed leaves only the tiles as wide as its panels.
// AVX512: tile = {{[0-9]+}}x16,
// SSE: tile = {{[0-9]+}}x16,
// GENERIC: tile = {{[0-9]+}}x16,
func.func @packed(%x: tensor<64x768xf32>, %w: !lintel.packed<3072x768xf32, n = 16, k = 1>) -> tensor<64x3072xf32> {
  %y = lintel.linear %x, %w
      : (tensor<64x768xf32>, !lintel.packed<3072x768xf32, n = 16, k = 1>) -> tensor<64x3072xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x3072xf32>
}

// Nothing to compute still has a schedule.
// AVX512: tile = 1x16
// SSE: tile = 1x4
// GENERIC: tile = 1x8
func.func @nothing(%x: tensor<0x0xf32>, %w: tensor<0x0xf32>) -> tensor<0x0xf32> {
  %y = lintel.linear %x, %w : (tensor<0x0xf32>, tensor<0x0xf32>) -> tensor<0x0xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<0x0xf32>
}

// An epilogue so long that its copies for one tile would be a large kernel is applied on the tile,
// and it counts for the choice: it is not that of a layer without one.
// AVX512: {schedule = #lintel.schedule<{{.*}} epilogue = tile, {{.*}}>
func.func @dear(%x: tensor<128x768xf32>, %w: tensor<3072x768xf32>) -> tensor<128x3072xf32> {
  %y = lintel.linear %x, %w : (tensor<128x768xf32>, tensor<3072x768xf32>) -> tensor<128x3072xf32> {
  ^bb0(%acc: f32):
    %a = math.erf %acc : f32
    %b = math.sinh %a : f32
    %c = math.powf %b, %a : f32
    %d = math.atan2 %c, %a : f32
    %e = math.sin %d : f32
    lintel.yield %e : f32
  }
  return %y : tensor<128x3072xf32>
}
