// lintel-plan: schedule and inline math; the result is still a layer.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-plan='schedule=tile=8x48,kc=16 target=isa=avx512,cpu=znver4' | FileCheck %s
// RUN: lintel-opt %S/Inputs/layer.mlir --pass-pipeline='builtin.module(lintel-plan{schedule=tile=8x48,kc=16 target=isa=avx512,cpu=znver4})' | FileCheck %s
// The same as its stages one by one.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-plan='target=isa=avx2 threads=2' > %t.plan
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-assign-schedule='target=isa=avx2 threads=2' --lintel-approximate-math | diff %t.plan -
// What only later stages read is refused.
// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-plan='emulate-tiles=true' 2>&1 | FileCheck %s --check-prefix=TILES
// TILES: no such option emulate-tiles
// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-plan='verify-tmm=false' 2>&1 | FileCheck %s --check-prefix=TMM
// TMM: no such option verify-tmm

// CHECK-LABEL: func.func @layer(
// CHECK-SAME: tensor<64x64xf32>
// CHECK: lintel.linear {{.*}} {schedule = #lintel.schedule<tile = 8x48, {{.*}} kc = 16, {{.*}}>, target = #lintel.target<isa = avx512, cpu = "znver4", {{.*}}>}
// CHECK-NOT: math.tanh
// CHECK: math.fma {{.*}} : f32
// CHECK-NOT: math.tanh
// CHECK: lintel.yield
