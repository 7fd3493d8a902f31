// What lintel-verify-tmm lets through: the module comes out as it went in.
// RUN: lintel-opt %s > %t.before
// RUN: lintel-opt %s --lintel-verify-tmm | diff %t.before -

func.func private @quiet() attributes {tmm.untouched}
func.func private @loud()

// A 2x2 micro-kernel whose caller configures.
func.func @microkernel(%a: memref<bf16>, %b: memref<bf16>, %c: memref<f32>, %i: index, %n: index)
    attributes {tmm.configured = #tmm.config<[16x64, 16x64, 13x64, 13x64, 16x64, 13x64, 16x64, 16x64]>} {
  tmm.zero 0
  tmm.zero 1
  tmm.zero 2
  tmm.zero 3
  scf.for %k = %i to %n step %i {
    tmm.load 4, %a[%k], %n : memref<bf16>
    tmm.load 6, %b[%k], %n : memref<bf16>
    tmm.dpbf16 0, 4, 6
    tmm.load 5, %a[%k], %n : memref<bf16>
    tmm.dpbf16 2, 5, 6
    tmm.load 7, %b[%k], %n : memref<bf16>
    tmm.dpbf16 1, 4, 7
    tmm.dpbf16 3, 5, 7
  }
  tmm.store 0, %c[%i], %n : memref<f32>
  tmm.store 1, %c[%i], %n : memref<f32>
  tmm.store 2, %c[%i], %n : memref<f32>
  tmm.store 3, %c[%i], %n : memref<f32>
  return
}

// Its caller: calls of tiles' functions and of others, one configuration.
func.func @driver(%a: memref<bf16>, %c: memref<f32>, %i: index, %n: index) {
  tmm.config #tmm.config<[16x64, 16x64, 13x64, 13x64, 16x64, 13x64, 16x64, 16x64]>
  scf.for %k = %i to %n step %i {
    func.call @microkernel(%a, %a, %c, %i, %n) : (memref<bf16>, memref<bf16>, memref<f32>, index, index) -> ()
    func.call @quiet() : () -> ()
  }
  tmm.release
  call @loud() : () -> ()
  return
}

// Tiles live across a call of a function that leaves them alone.
func.func @across(%c: memref<f32>, %i: index) {
  tmm.config #tmm.config<[16x64]>
  tmm.zero 0
  call @quiet() : () -> ()
  tmm.store 0, %c[%i], %i : memref<f32>
  tmm.release
  return
}

// Both ways give tile 0 a value.
func.func @ways(%c: memref<f32>, %i: index, %first: i1) {
  tmm.config #tmm.config<[16x64]>
  scf.if %first {
    tmm.zero 0
  } else {
    tmm.load 0, %c[%i], %i : memref<f32>
  }
  tmm.store 0, %c[%i], %i : memref<f32>
  tmm.release
  return
}

// The same with branches.
func.func @branches(%c: memref<f32>, %i: index, %first: i1) {
  tmm.config #tmm.config<[16x64]>
  cf.cond_br %first, ^zero, ^load
^zero:
  tmm.zero 0
  cf.br ^store
^load:
  tmm.load 0, %c[%i], %i : memref<f32>
  cf.br ^store
^store:
  tmm.store 0, %c[%i], %i : memref<f32>
  tmm.release
  return
}

// A second configuration, with other shapes.
func.func @again(%c: memref<f32>, %i: index) {
  tmm.config #tmm.config<[16x64]>
  tmm.zero 0
  tmm.store 0, %c[%i], %i : memref<f32>
  tmm.config #tmm.config<[16x64, 4x16, 4x64]>
  tmm.load 1, %c[%i], %i : memref<f32>
  tmm.release
  return
}

// Written anew after a call that took the tiles.
func.func @rewritten(%c: memref<f32>, %i: index)
    attributes {tmm.configured = #tmm.config<[16x64, 16x64, 13x64, 13x64, 16x64, 13x64, 16x64, 16x64]>} {
  tmm.zero 0
  call @rewritten(%c, %i) : (memref<f32>, index) -> ()
  tmm.zero 0
  tmm.store 0, %c[%i], %i : memref<f32>
  return
}

// Functions of other kinds hold no tiles, and may call what they like where they
// promise nothing.
llvm.func @other()
llvm.func @calls() {
  llvm.call @other() : () -> ()
  llvm.return
}

// Else, what promises as much.
llvm.func @calls_quietly(%again: i1) attributes {tmm.untouched} {
  llvm.cond_br %again, ^call, ^end
^call:
  llvm.call @calls_quietly(%again) : (i1) -> ()
  llvm.br ^end
^end:
  llvm.return
}
llvm.func @calls_with_tiles(%again: i1) attributes {tmm.configured = #tmm.config<[16x64]>} {
  llvm.call @calls_quietly(%again) : (i1) -> ()
  llvm.call @calls_with_tiles(%again) : (i1) -> ()
  llvm.return
}

// Beside tiles threads may run what leaves them alone.
func.func @quiet_threads(%c: memref<f32>, %i: index) {
  tmm.config #tmm.config<[16x64]>
  tmm.zero 0
  scf.forall (%a) in (4) {
    func.call @quiet() : () -> ()
  }
  tmm.store 0, %c[%i], %i : memref<f32>
  tmm.release
  return
}

// Where nobody comes nothing is left behind.
func.func @unreachable(%p: i1) {
  tmm.config #tmm.config<[16x64]>
  cf.cond_br %p, ^never, ^end
^never:
  ub.unreachable
^end:
  tmm.release
  return
}

// What is configured in different ways is released in one.
func.func @released_on_every_path(%which: i1) {
  scf.if %which {
    tmm.config #tmm.config<[16x64]>
  } else {
    tmm.config #tmm.config<[8x64]>
  }
  tmm.release
  return
}
