// Names of the emulation that are taken, and ops that nobody lowered.
// RUN: lintel-opt %s --lintel-lower-tmm=emulate=true --split-input-file --verify-diagnostics
// RUN: not lintel-opt %s --lintel-to-llvm --split-input-file 2>&1 | FileCheck %s

// CHECK: error: 'tmm.release' op is not lowered; run lintel-lower-tmm before lintel-to-llvm

// expected-error @below {{'func.func' op has the name of the emulation's 'lintel_tmm_release', but not its type}}
func.func private @lintel_tmm_release()
func.func @taken() {
  tmm.release
  return
}

// -----

// expected-error @below {{has the name of the emulation's 'lintel_tmm_zero', but not its type, '!llvm.func<void (i32)>'}}
llvm.func @lintel_tmm_zero(i64)
func.func @other_type() {
  tmm.zero 0
  return
}
