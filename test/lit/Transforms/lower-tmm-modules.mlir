// lintel-lower-tmm: a function sees the symbols of its own module, and none of the one around it.
// RUN: lintel-opt %s --lintel-lower-tmm | FileCheck %s
// RUN: lintel-opt %s --lintel-lower-tmm | FileCheck %s --check-prefix=TARGETS
// RUN: lintel-opt %s --lintel-lower-tmm=emulate=true | FileCheck %s --check-prefix=EMULATE

// CHECK: module @inner {
// CHECK: llvm.mlir.addressof @tmm_config
// CHECK: llvm.mlir.global internal constant @tmm_config
// CHECK: }
// CHECK: func.func @outer(
// CHECK: llvm.mlir.addressof @tmm_config
// CHECK: llvm.mlir.global internal constant @tmm_config
// EMULATE: module @inner {
// EMULATE: llvm.call @lintel_tmm_zero
// EMULATE: llvm.func @lintel_tmm_zero(i32)
// EMULATE: }
// EMULATE: func.func @outer(
// EMULATE: llvm.call @lintel_tmm_release
// EMULATE: llvm.func @lintel_tmm_release()
module {
  module @inner {
    func.func @tiles() {
      tmm.config #tmm.config<[16x64]>
      tmm.zero 0
      tmm.release
      return
    }
  }
  func.func @outer() {
    tmm.config #tmm.config<[16x64]>
    tmm.release
    return
  }
}

// A target that emulates tiles needs no option.
// TARGETS-LABEL: module @emulated
// TARGETS: llvm.call @lintel_tmm_zero
module @emulated attributes {lintel.target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-emulation+amx-tile">} {
  func.func @zero() {
    tmm.config #tmm.config<[16x64]>
    tmm.zero 0
    tmm.release
    return
  }
}

// TARGETS-LABEL: module @native
// TARGETS: llvm.call_intrinsic "llvm.x86.tilezero"
module @native attributes {lintel.target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">} {
  func.func @zero() {
    tmm.config #tmm.config<[16x64]>
    tmm.zero 0
    tmm.release
    return
  }
}
