// Names of the emulation that are taken, ops that nobody lowered, and ops outside
// of functions.
// RUN: lintel-opt %s --allow-unregistered-dialect --lintel-lower-tmm=emulate=true --split-input-file --verify-diagnostics
// RUN: not lintel-opt %s --allow-unregistered-dialect --lintel-to-llvm --split-input-file 2>&1 | FileCheck %s

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

// -----

// expected-error @below {{has the name of the emulation's 'lintel_tmm_zero' and a body of its own; leave that to the emulation}}
llvm.func @lintel_tmm_zero(%tile: i32) {
  llvm.return
}
func.func @own_body() {
  tmm.zero 0
  return
}

// -----

%m, %i = "foo.values"() : () -> (memref<bf16>, index)
// expected-error @below {{'tmm.load' op must stand in a func.func to be lowered}}
tmm.load 4, %m[%i], %i : memref<bf16>
