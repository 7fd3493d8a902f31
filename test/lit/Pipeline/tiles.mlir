// A kernel on tile registers goes through the pipeline like any other.
// RUN: lintel-opt %s --lintel-kernel | FileCheck %s --check-prefixes=CHECK,AMX
// RUN: lintel-opt %s --lintel-kernel=emulate-tiles=true | FileCheck %s --check-prefixes=CHECK,EMULATE
// RUN: lintel-opt %s --mlir-print-op-generic | sed 's/"tmm.zero"() <{tile = 0/"tmm.zero"() <{tile = 1/' | not lintel-opt --lintel-kernel 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: lintel-opt %s --mlir-print-op-generic | sed 's/"tmm.zero"() <{tile = 0/"tmm.zero"() <{tile = 1/' | lintel-opt --lintel-kernel=verify-tmm=false | FileCheck %s --check-prefixes=CHECK,AMX

// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME: !llvm.ptr
// AMX: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// AMX: llvm.call_intrinsic "llvm.x86.tilezero"
// AMX: llvm.call_intrinsic "llvm.x86.tilestored64"
// AMX: llvm.call_intrinsic "llvm.x86.tilerelease"
// EMULATE: llvm.call @lintel_tmm_config
// EMULATE: llvm.call @lintel_tmm_zero
// EMULATE: llvm.call @lintel_tmm_store
// EMULATE: llvm.call @lintel_tmm_release
// WRONG: error: 'tmm.store' op reads tile 0, which is not loaded or zeroed on every path to here
func.func @kernel(%args: !lintel.kernel_args, %tid: i32, %threads: i32) {
  %c0 = arith.constant 0 : index
  %out = lintel.kernel_arg %args output[0] : memref<f32>
  tmm.config #tmm.config<[16x64, 16x64]>
  tmm.zero 0
  tmm.store 0, %out[%c0], %c0 : memref<f32>
  tmm.release
  return
}
