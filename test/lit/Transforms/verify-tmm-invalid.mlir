// What lintel-verify-tmm refuses.
// RUN: lintel-opt %s --lintel-verify-tmm --split-input-file --verify-diagnostics

func.func @no_config() {
  // expected-error @below {{'tmm.zero' op needs one tmm.config before it on every path, or a function marked 'tmm.configured'}}
  tmm.zero 0
  return
}

// -----

// A private function is checked too, called or not.
func.func private @config_on_one_path(%p: i1) {
  scf.if %p {
    tmm.config #tmm.config<[16x64]>
  }
  // expected-error @below {{needs one tmm.config before it on every path}}
  tmm.zero 0
  tmm.release
  return
}

// -----

func.func @two_configs(%p: i1) {
  scf.if %p {
    tmm.config #tmm.config<[16x64]>
  } else {
    tmm.config #tmm.config<[15x64]>
  }
  // expected-error @below {{needs one tmm.config before it on every path}}
  tmm.zero 0
  tmm.release
  return
}

// -----

func.func @released() {
  tmm.config #tmm.config<[16x64]>
  tmm.release
  // expected-error @below {{needs one tmm.config before it}}
  tmm.zero 0
  return
}

// -----

func.func @left_out() attributes {tmm.configured = #tmm.config<[16x64, 8x32]>} {
  // expected-error @below {{names tile 2, which #tmm.config<[16x64, 8x32]> leaves out}}
  tmm.zero 2
  return
}

// -----

func.func @left_out_load(%a: memref<f32>, %i: index) attributes {tmm.configured = #tmm.config<[16x64]>} {
  // expected-error @below {{'tmm.load' op names tile 1}}
  tmm.load 1, %a[%i], %i : memref<f32>
  return
}

// -----

func.func @unwritten(%c: memref<f32>, %i: index) attributes {tmm.configured = #tmm.config<[16x64]>} {
  // expected-error @below {{'tmm.store' op reads tile 0, which is not loaded or zeroed on every path to here}}
  tmm.store 0, %c[%i], %i : memref<f32>
  return
}

// -----

// A configuration zeroes the tiles; who relies on that says tmm.zero.
func.func @forgotten(%c: memref<f32>, %i: index) attributes {tmm.configured = #tmm.config<[16x64]>} {
  tmm.zero 0
  tmm.config #tmm.config<[16x64]>
  // expected-error @below {{reads tile 0, which is not loaded or zeroed}}
  tmm.store 0, %c[%i], %i : memref<f32>
  return
}

// -----

// The loop may run no time.
func.func @loop(%c: memref<f32>, %i: index, %n: index) attributes {tmm.configured = #tmm.config<[16x64]>} {
  scf.for %k = %i to %n step %i {
    tmm.zero 0
  }
  // expected-error @below {{reads tile 0, which is not loaded or zeroed on every path}}
  tmm.store 0, %c[%i], %n : memref<f32>
  return
}

// -----

// The second turn finds the tile lost.
func.func private @g()
func.func @second_turn(%c: memref<f32>, %i: index, %n: index) {
  tmm.config #tmm.config<[16x64]>
  tmm.zero 0
  scf.for %k = %i to %n step %i {
    // expected-error @below {{comes after a call that may have changed the configuration; load it again, or mark the callee 'tmm.configured' or 'tmm.untouched'}}
    tmm.store 0, %c[%i], %n : memref<f32>
    func.call @g() : () -> ()
  }
  tmm.release
  return
}

// -----

func.func private @g() attributes {tmm.configured = #tmm.config<[16x64]>}
func.func @across(%c: memref<f32>, %i: index) {
  tmm.config #tmm.config<[16x64]>
  tmm.zero 0
  call @g() : () -> ()
  // expected-error @below {{reads tile 0, which was live across a call: store it before, or mark the callee 'tmm.untouched'}}
  tmm.store 0, %c[%i], %i : memref<f32>
  tmm.release
  return
}

// -----

func.func @indirect(%g: () -> (), %c: memref<f32>, %i: index) {
  tmm.config #tmm.config<[16x64]>
  tmm.zero 0
  call_indirect %g() : () -> ()
  // expected-error @below {{comes after a call that may have changed the configuration}}
  tmm.store 0, %c[%i], %i : memref<f32>
  tmm.release
  return
}

// -----

func.func @one_operand() attributes {tmm.configured = #tmm.config<[16x64, 16x64, 16x64]>} {
  tmm.zero 0
  tmm.zero 1
  // expected-error @below {{'tmm.dpbf16' op reads tile 2, which is not loaded or zeroed}}
  tmm.dpbf16 0, 1, 2
  return
}

// -----

func.func @accumulator() attributes {tmm.configured = #tmm.config<[16x64, 16x64, 16x64]>} {
  tmm.zero 1
  tmm.zero 2
  // expected-error @below {{'tmm.dpbssd' op reads tile 0, which is not loaded or zeroed}}
  tmm.dpbssd 0, 1, 2
  return
}

// -----

func.func @rows() attributes {tmm.configured = #tmm.config<[16x64, 15x64, 16x64]>} {
  tmm.zero 0
  tmm.zero 1
  tmm.zero 2
  // expected-error @below {{multiplies tiles that do not fit: acc 16x64, a 15x64, b 16x64; acc needs the rows of a and the bytes of b, and a 4 bytes for each row of b}}
  tmm.dpbf16 0, 1, 2
  return
}

// -----

func.func @columns() attributes {tmm.configured = #tmm.config<[16x64, 16x64, 16x60]>} {
  tmm.zero 0
  tmm.zero 1
  tmm.zero 2
  // expected-error @below {{multiplies tiles that do not fit: acc 16x64, a 16x64, b 16x60}}
  tmm.dpbuud 0, 1, 2
  return
}

// -----

func.func @depth() attributes {tmm.configured = #tmm.config<[16x64, 16x32, 16x64]>} {
  tmm.zero 0
  tmm.zero 1
  tmm.zero 2
  // expected-error @below {{multiplies tiles that do not fit: acc 16x64, a 16x32, b 16x64}}
  tmm.dpfp16 0, 1, 2
  return
}

// -----

func.func private @g() attributes {tmm.configured = #tmm.config<[16x64]>}
func.func @other_config() {
  tmm.config #tmm.config<[8x64]>
  // expected-error @below {{calls a function that expects #tmm.config<[16x64]>, but #tmm.config<[8x64]> is loaded}}
  call @g() : () -> ()
  tmm.release
  return
}

// -----

func.func private @g() attributes {tmm.configured = #tmm.config<[16x64]>}
func.func @unconfigured() {
  // expected-error @below {{calls a function that expects #tmm.config<[16x64]>, but no configuration is loaded on every path}}
  call @g() : () -> ()
  return
}

// -----

func.func @left_configured() {
  tmm.config #tmm.config<[16x64]>
  // expected-error @below {{'func.return' op leaves tiles configured; tmm.release before it}}
  return
}

// -----

func.func @broken_promise() attributes {tmm.configured = #tmm.config<[16x64]>} {
  tmm.release
  // expected-error @below {{leaves another configuration than the function's 'tmm.configured' promises: #tmm.config<[16x64]>}}
  return
}

// -----

func.func @touched() attributes {tmm.untouched} {
  // expected-error @below {{'tmm.release' op stands in a function marked 'tmm.untouched'}}
  tmm.release
  return
}

// -----

func.func private @g()
func.func @touched_by_call() attributes {tmm.untouched} {
  // expected-error @below {{stands in a function marked 'tmm.untouched', so its callee must be too}}
  call @g() : () -> ()
  return
}

// -----

// What stands in no func.func nobody follows.
llvm.func @elsewhere() {
  // expected-error @below {{'tmm.zero' op must stand in a func.func, and there in no region but of sequential control flow, where the use of tile registers can be followed}}
  tmm.zero 0
  llvm.return
}

// -----

// expected-error @below {{'tmm.release' op must stand in a func.func}}
tmm.release

// -----

// The body of a reduction runs nobody knows when.
func.func @in_a_reduction(%n: index, %c0: index, %c1: index, %z: f32, %c: memref<f32>)
    attributes {tmm.configured = #tmm.config<[16x64]>} {
  tmm.zero 0
  %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init(%z) -> f32 {
    scf.reduce(%z : f32) {
    ^bb0(%a: f32, %b: f32):
      // expected-error @below {{'tmm.config' op must stand in a func.func, and there in no region but of sequential control flow}}
      tmm.config #tmm.config<[1x64]>
      scf.reduce.return %a : f32
    }
  }
  tmm.store 0, %c[%c0], %c1 : memref<f32>
  return
}

// -----

func.func @released_by_an_intrinsic(%c: memref<f32>, %i: index)
    attributes {tmm.configured = #tmm.config<[16x64]>} {
  tmm.zero 0
  // expected-error @below {{'llvm.call_intrinsic' op may change tile registers beside operations of tmm, where nobody follows it}}
  llvm.call_intrinsic "llvm.x86.tilerelease"() : () -> ()
  tmm.store 0, %c[%i], %i : memref<f32>
  return
}

// -----

func.func @touched_by_assembly() attributes {tmm.untouched} {
  // expected-error @below {{'llvm.inline_asm' op may change tile registers}}
  llvm.inline_asm has_side_effects "tilerelease", "" : () -> ()
  return
}

// -----

func.func @multiplied_by_an_intrinsic(%c: memref<f32>, %i: index)
    attributes {tmm.configured = #tmm.config<[16x64, 16x64, 16x64]>} {
  tmm.zero 0
  // expected-error @below {{'llvm.call_intrinsic' op may change tile registers}}
  llvm.call_intrinsic "llvm.x86.tcmmimfp16ps"() : () -> ()
  tmm.store 0, %c[%i], %i : memref<f32>
  return
}

// -----

func.func private @g()
func.func @calls_in_a_reduction(%n: index, %c0: index, %c1: index, %z: f32, %c: memref<f32>)
    attributes {tmm.configured = #tmm.config<[16x64]>} {
  %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init(%z) -> f32 {
    scf.reduce(%z : f32) {
    ^bb0(%a: f32, %b: f32):
      // expected-error @below {{'func.call' op must stand in a func.func, and there in no region but of sequential control flow}}
      func.call @g() : () -> ()
      scf.reduce.return %a : f32
    }
  }
  return
}

// -----

// A body is held to what its function promises, whatever dialect that is of.
llvm.func @ext()
llvm.func @liar() attributes {tmm.untouched} {
  // expected-error @below {{'llvm.call' op stands in a function marked 'tmm.untouched', so its callee must be too}}
  llvm.call @ext() : () -> ()
  llvm.return
}
func.func @believes_it(%c: memref<f32>, %i: index) {
  tmm.config #tmm.config<[16x64]>
  tmm.zero 0
  llvm.call @liar() : () -> ()
  tmm.store 0, %c[%i], %i : memref<f32>
  tmm.release
  return
}

// -----

llvm.func @ext()
llvm.func @liar() attributes {tmm.configured = #tmm.config<[16x64]>} {
  llvm.call @ext() : () -> ()
  // expected-error @below {{'llvm.return' op leaves another configuration than the function's 'tmm.configured' promises: #tmm.config<[16x64]>}}
  llvm.return
}

// -----

// No name leads to what a pointer points at.
llvm.func @through_a_pointer(%p: !llvm.ptr) attributes {tmm.untouched} {
  // expected-error @below {{'llvm.call' op stands in a function marked 'tmm.untouched', so its callee must be too}}
  llvm.call %p() : !llvm.ptr, () -> ()
  llvm.return
}

// -----

llvm.func @tiles() attributes {tmm.configured = #tmm.config<[16x64]>}
llvm.func @unconfigured() {
  // expected-error @below {{'llvm.call' op calls a function that expects #tmm.config<[16x64]>, but no configuration is loaded on every path}}
  llvm.call @tiles() : () -> ()
  llvm.return
}

// -----

llvm.func @tiles() attributes {tmm.configured = #tmm.config<[16x64]>}
llvm.func @other_shapes() attributes {tmm.configured = #tmm.config<[8x64]>} {
  // expected-error @below {{'llvm.call' op calls a function that expects #tmm.config<[16x64]>, but #tmm.config<[8x64]> is loaded}}
  llvm.call @tiles() : () -> ()
  llvm.return
}

// -----

// Not only func.return leads out of a func.func.
func.func @left_by_llvm() {
  tmm.config #tmm.config<[16x64]>
  // expected-error @below {{'llvm.return' op leaves tiles configured; tmm.release before it}}
  llvm.return
}

// -----

func.func @left_from_a_region() {
  tmm.config #tmm.config<[16x64]>
  scf.execute_region {
    // expected-error @below {{'llvm.return' op leaves tiles configured; tmm.release before it}}
    llvm.return
  }
  tmm.release
  return
}

// -----

func.func @left_by_an_exception(%e: !llvm.ptr) {
  tmm.config #tmm.config<[16x64]>
  // expected-error @below {{'llvm.resume' op leaves tiles configured; tmm.release before it}}
  llvm.resume %e : !llvm.ptr
}

// -----

func.func @restored() attributes {tmm.untouched} {
  // expected-error @below {{'llvm.call_intrinsic' op may change tile registers beside operations of tmm}}
  llvm.call_intrinsic "llvm.x86.xrstor64"() : () -> ()
  return
}

// -----

// An instruction in the shape of a function promises nothing.
// expected-error @below {{'llvm.func' op may change tile registers beside operations of tmm}}
llvm.func @llvm.x86.tilerelease() attributes {tmm.untouched}
func.func @released_by_a_function(%c: memref<f32>, %i: index) {
  tmm.config #tmm.config<[16x64]>
  tmm.zero 0
  llvm.call @llvm.x86.tilerelease() : () -> ()
  tmm.store 0, %c[%i], %i : memref<f32>
  tmm.release
  return
}

// -----

// Other threads have other registers.
func.func @read_in_parallel(%c: memref<f32>, %n: index, %c0: index, %c1: index)
    attributes {tmm.configured = #tmm.config<[16x64]>} {
  tmm.zero 0
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @below {{'tmm.store' op must stand in a func.func, and there in no region but of sequential control flow}}
    tmm.store 0, %c[%i], %c1 : memref<f32>
  }
  return
}

// -----

func.func @read_for_all(%c: memref<f32>, %i: index) {
  tmm.config #tmm.config<[16x64]>
  tmm.zero 0
  scf.forall (%a) in (4) {
    // expected-error @below {{'tmm.store' op must stand in a func.func, and there in no region but of sequential control flow}}
    tmm.store 0, %c[%i], %i : memref<f32>
  }
  tmm.release
  return
}

// -----

func.func private @tiles() attributes {tmm.configured = #tmm.config<[16x64]>}
func.func @called_for_all() {
  tmm.config #tmm.config<[16x64]>
  scf.forall (%a) in (4) {
    // expected-error @below {{'func.call' op must stand in a func.func, and there in no region but of sequential control flow}}
    func.call @tiles() : () -> ()
  }
  tmm.release
  return
}

// -----

func.func @configured_on_one_path(%which: i1) {
  scf.if %which {
    tmm.config #tmm.config<[16x64]>
  }
  // expected-error @below {{'func.return' op may leave tiles configured; tmm.release before it, on every path}}
  return
}

// -----

func.func @configured_in_two_ways(%which: i1) {
  scf.if %which {
    tmm.config #tmm.config<[16x64]>
  } else {
    tmm.config #tmm.config<[8x64]>
  }
  // expected-error @below {{may leave tiles configured}}
  return
}

// -----

func.func @released_on_one_path(%which: i1) {
  tmm.config #tmm.config<[16x64]>
  scf.if %which {
    tmm.release
  }
  // expected-error @below {{may leave tiles configured}}
  return
}

// -----

func.func @configured_in_a_loop(%n: index, %step: index) {
  scf.for %i = %n to %n step %step {
    tmm.config #tmm.config<[16x64]>
  }
  // expected-error @below {{may leave tiles configured}}
  return
}

// -----

// Nobody knows what is left then.
func.func private @g()
func.func @left_to_a_callee() {
  tmm.config #tmm.config<[16x64]>
  call @g() : () -> ()
  // expected-error @below {{may leave tiles configured}}
  return
}
