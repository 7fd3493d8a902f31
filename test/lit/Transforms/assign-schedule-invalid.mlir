// What lintel-assign-schedule refuses, and what it says.
// RUN: lintel-opt %s --lintel-assign-schedule --split-input-file --verify-diagnostics

// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-assign-schedule='schedule=tile=8by48' 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: schedule 'tile=8by48': tile takes ROWSxCOLUMNS, e.g. 8x48, not '8by48'

// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-assign-schedule='schedule=tile=8x48,depth=3' 2>&1 | FileCheck %s --check-prefix=FIELD
// FIELD: error: schedule 'tile=8x48,depth=3': a schedule has no field 'depth'; its fields are tile, unit, accumulate, hint, group, prefetch, ahead, share, streams, pack,

// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-assign-schedule='schedule=kc=16' 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: schedule 'kc=16': 'tile' is missing

// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-assign-schedule='schedule=tile=8x48 target=isa=avx2' 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: error: 'lintel.linear' op schedule: mr (the tile's rows) is 8; with 48 columns the registers of avx2 hold 1 row{{$}}

// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-assign-schedule='schedule=tile=4x24 target=isa=avx512' 2>&1 | FileCheck %s --check-prefix=LANES
// LANES: error: 'lintel.linear' op schedule: nr (the tile's columns) is 24; avx512 takes multiples of 16

// Sums of f16 are the layer's to permit.
// RUN: not lintel-opt %S/../Pipeline/Inputs/layer-f16.mlir --lintel-assign-schedule='schedule=tile=8x96,accumulate=f16,epilogue=tile target=isa=avx512,extensions=avx512fp16' 2>&1 | FileCheck %s --check-prefix=SUMS
// SUMS: error: 'lintel.linear' op schedule: accumulate is f16, which a layer of types "f16" does not permit; it takes x and w of f16 and accumulate=f16
// RUN: not lintel-opt %S/../Pipeline/Inputs/layer-f16-sums.mlir --lintel-assign-schedule='schedule=tile=8x96,accumulate=f16,epilogue=tile target=isa=avx512' 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: error: 'lintel.linear' op schedule: accumulate is f16, which takes a target with avx512fp16

// So are those of pairs in s16.
// RUN: not lintel-opt %S/../Pipeline/Inputs/layer-u8s8.mlir --lintel-assign-schedule='schedule=tile=4x16,accumulate=s16,group=4 target=isa=avx2' 2>&1 | FileCheck %s --check-prefix=PAIRS
// PAIRS: error: 'lintel.linear' op schedule: accumulate is s16, which a layer of types "u8s8:u8" does not permit; it takes integers and accumulate=s16

// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-assign-schedule='target=isa=avx2,cpu=nonsuch' 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: target: cpu takes a name that LLVM knows, such as znver4 or generic, not 'nonsuch'
// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-assign-schedule='target=isa=sse9' 2>&1 | FileCheck %s --check-prefix=ISA
// ISA: error: target 'isa=sse9': isa takes x86_64, avx2 or avx512, not 'sse9'

// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-assign-schedule='threads=0' 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: option threads is 0; it must be at least 1 and at most 1024
// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-assign-schedule='threads=-3' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: option threads is -3; it must be at least 1 and at most 1024
// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-plan='threads=4294967298' 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: option threads is 4294967298; it must be at least 1 and at most 1024

// Options are read where no layer takes them, too.
// RUN: not lintel-opt %S/Inputs/planned.mlir --lintel-assign-schedule='schedule=tile=bogus' 2>&1 | FileCheck %s --check-prefix=UNUSED-SCHEDULE
// UNUSED-SCHEDULE: error: schedule 'tile=bogus': tile takes ROWSxCOLUMNS, e.g. 8x48, not 'bogus'
// RUN: not lintel-opt %S/Inputs/planned.mlir --lintel-assign-schedule='target=isa=nonsense' 2>&1 | FileCheck %s --check-prefix=UNUSED-TARGET
// UNUSED-TARGET: error: target 'isa=nonsense': isa takes x86_64, avx2 or avx512, not 'nonsense'

func.func @dynamic_n(%x: tensor<4x8xf32>, %w: tensor<?x8xf32>) -> tensor<4x?xf32> {
  // expected-error @+1 {{w is tensor<?x8xf32>; N and K must be numbers, only M can be '?'}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<4x?xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x?xf32>
}

// -----

func.func @dynamic_k(%x: tensor<4x?xf32>, %w: tensor<16x?xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{w is tensor<16x?xf32>; N and K must be numbers, only M can be '?'}}
  %y = lintel.linear %x, %w : (tensor<4x?xf32>, tensor<16x?xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

// The op's own schedule is checked like any other.
func.func @own(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{mr (the tile's rows) is 100; with 8 columns the registers of avx2 hold 1 to 14 rows}}
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 100x8>}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

func.func @workspace(%x: tensor<?x4096xf32>, %w: tensor<4096x4096xf32>) -> tensor<?x4096xf32> {
  // expected-error @+1 {{when M is large, most of it for packed rows; lower mc or kc}}
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16, pack = block>}
      : (tensor<?x4096xf32>, tensor<4096x4096xf32>) -> tensor<?x4096xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<?x4096xf32>
}

// -----

func.func @workspace_of_sums(%x: tensor<?x64xf32>, %w: tensor<20000000x64xf32>) -> tensor<?x20000000xf32> {
  // expected-error @+1 {{when M is large, most of it for sums; lower mc or nc}}
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16, mc = 4, kc = 32>}
      : (tensor<?x64xf32>, tensor<20000000x64xf32>) -> tensor<?x20000000xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<?x20000000xf32>
}

// -----

func.func @workspace_of_whole_rows(%x: tensor<64x20000000xf32>, %w: tensor<64x20000000xf32>) -> tensor<64x64xf32> {
  // expected-error @+1 {{MiB, more than 256 MiB, most of it for packed rows; lower mc, or take pack=block with a kc}}
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16, pack = whole, mc = 4, kc = 1024>}
      : (tensor<64x20000000xf32>, tensor<64x20000000xf32>) -> tensor<64x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x64xf32>
}

// -----

func.func @packed(%x: tensor<4x8xf32>, %w: !lintel.packed<16x8xf32, n = 20, k = 1>) -> tensor<4x16xf32> {
  // expected-error @+1 {{no schedule of the search space reads panels of n = 20 columns and k = 1, as the weight is packed}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, !lintel.packed<16x8xf32, n = 20, k = 1>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

// Panels as wide, but of another group: tiles of dot products do not read them.
func.func @panels_of_another_group(%x: tensor<4x8xf32>, %w: !lintel.packed<8x8xf32, n = 4, k = 2>) -> tensor<4x8xf32> {
  // expected-error @+1 {{no schedule of the search space reads panels of n = 4 columns and k = 2, as the weight is packed}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, !lintel.packed<8x8xf32, n = 4, k = 2>) -> tensor<4x8xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x8xf32>
}

// -----

// Vectors that are emulated for AMX multiply no integers.
func.func @no_schedule(%x: tensor<17x17xi8>, %w: tensor<3x17xi8>) -> tensor<17x3xf32> {
  // expected-error @+1 {{the search space has no schedule of s8s8 for the target}}
  %y = lintel.linear %x, %w {target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-emulation+amx-tile+avx512-emulation">}
      : (tensor<17x17xi8>, tensor<3x17xi8>) -> tensor<17x3xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<17x3xf32>
}
