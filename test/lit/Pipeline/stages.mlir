// Each stage of lintel-kernel can be looked at, and a run can be repeated from a
// file.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='schedule=tile=8x48 target=isa=avx512' --mlir-print-ir-after-all -o %t.kernel.mlir 2>&1 | FileCheck %s
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='schedule=tile=8x48 target=isa=avx512' --mlir-print-ir-after=lintel-tile -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='schedule=tile=8x48 target=isa=avx512' --mlir-timing --mlir-timing-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIMES

// CHECK: IR Dump After LintelAssignSchedule (lintel-assign-schedule)
// CHECK: lintel.linear {{.*}} {schedule =
// CHECK: math.tanh
// CHECK: IR Dump After LintelApproximateMath (lintel-approximate-math)
// CHECK: lintel.linear
// CHECK-NOT: math.tanh
// CHECK: IR Dump After LintelTile (lintel-tile)
// CHECK: lintel.microkernel
// CHECK: IR Dump After LintelLowerMicrokernel (lintel-lower-microkernel)
// CHECK-NOT: lintel.microkernel
// CHECK: vector.fma
// CHECK: IR Dump After LintelVerifyKernel (lintel-verify-kernel)
// CHECK: vector.fma
// CHECK: IR Dump After LintelVerifyTmm (lintel-verify-tmm)
// CHECK: IR Dump After LintelLowerTmm (lintel-lower-tmm)
// CHECK: vector.fma
// CHECK: IR Dump After LintelToLLVM (lintel-to-llvm)
// CHECK-NOT: vector.fma
// CHECK: llvm.intr.fma
// CHECK-NOT: IR Dump

// ONE: IR Dump After LintelTile (lintel-tile)
// ONE-NOT: IR Dump

// TIMES-DAG: LintelTile
// TIMES-DAG: LintelToLLVM

// A reproducer holds the passes with their options, and gives the same again.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-plan='schedule=tile=8x48,kc=16 target=isa=avx512,cpu=znver4' --mlir-generate-reproducer=%t.repro.mlir -o %t.plan.mlir
// RUN: FileCheck %s --check-prefix=REPRO < %t.repro.mlir
// RUN: lintel-opt --run-reproducer %t.repro.mlir | diff %t.plan.mlir -
// REPRO: pipeline: "builtin.module(lintel-assign-schedule{schedule=tile=8x48,kc=16 target=isa=avx512,cpu=znver4 threads=1},lintel-approximate-math)"

// One that is written when a pass fails holds the input, and fails the same way.
// RUN: not lintel-opt %S/Inputs/layer.mlir --lintel-kernel='schedule=tile=9x50 target=isa=avx512' --mlir-pass-pipeline-crash-reproducer=%t.crash.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: FileCheck %s --check-prefix=CRASH < %t.crash.mlir
// RUN: not lintel-opt --run-reproducer %t.crash.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: error: 'lintel.linear' op schedule: nr (the tile's columns) is 50; avx512 takes multiples of 16
// CRASH: lintel.linear
// CRASH: pipeline: "builtin.module(lintel-assign-schedule{schedule=tile=9x50 target=isa=avx512 threads=1}, lintel-approximate-math, lintel-tile, lintel-lower-microkernel, lintel-verify-kernel{vector-bytes=0}, lintel-verify-tmm, lintel-lower-tmm{emulate=false}, lintel-to-llvm)"
