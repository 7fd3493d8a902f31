// lintel-lower: a planned layer becomes loops over vectors.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-plan='schedule=tile=8x48 target=isa=avx512' --lintel-lower | FileCheck %s
// The two together, then lintel-to-llvm, are lintel-kernel.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-plan='schedule=tile=8x48 target=isa=avx512' --lintel-lower --lintel-to-llvm > %t.stages
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='schedule=tile=8x48 target=isa=avx512' | diff %t.stages -
// A layer without a plan is refused with the way out.
// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-lower 2>&1 | FileCheck %s --check-prefix=UNPLANNED
// UNPLANNED: layer.mlir:3:8: error: 'lintel.linear' op has no schedule; run lintel-assign-schedule before lintel-tile
// Vectors are checked against the layer's target, which no option replaces.
// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-plan='schedule=tile=8x48 target=isa=avx512' --lintel-lower='target=isa=avx2' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: no such option target
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-plan='schedule=tile=8x48 target=isa=avx512' --lintel-tile | FileCheck %s --check-prefix=TARGET
// TARGET: module attributes {lintel.target = #lintel.target<isa = avx512,

// CHECK-NOT: lintel.{{(linear|microkernel|apply_epilogue|yield)}}
// CHECK-LABEL: func.func private @layer_microkernel_8(
// CHECK-COUNT-24: vector.fma {{.*}} : vector<16xf32>
// CHECK: scf.yield
// CHECK-LABEL: func.func private @layer_block(
// CHECK: call @layer_microkernel_8(
// CHECK-LABEL: func.func @layer(
// CHECK-SAME: !lintel.kernel_args, %{{[^,]*}}: i32, %{{[^,]*}}: i32) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
// CHECK: call @layer_block(
// CHECK-NOT: lintel.{{(linear|microkernel|apply_epilogue|yield)}}
