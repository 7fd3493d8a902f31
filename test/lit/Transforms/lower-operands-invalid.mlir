// What lintel-lower-microkernel refuses of operands that are constants, or are none. Verifiers do not ask, so that passes
// may make constants of them.
// RUN: lintel-opt %s --split-input-file --canonicalize -o /dev/null
// RUN: lintel-opt %s --split-input-file --canonicalize --lintel-lower-microkernel --verify-diagnostics
// RUN: not lintel-opt %s --split-input-file --canonicalize --lintel-lower-microkernel --mlir-print-ir-after-failure 2>&1 | FileCheck %s

func.func @rows_too_far_apart(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  %far = arith.constant 9223372036854775807 : index
  // expected-error @below {{has 'lda' of 9223372036854775807; it is at least 0 and at most}}
  lintel.microkernel %args a(%a[%i], %far) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 3, schedule = #lintel.schedule<tile = 3x16, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// -----

func.func @streams_of_unknown_depth(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has streams = 2, which on vectors takes accumulate = f32, vectors along N and a depth that is a constant}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x16, streams = 2>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @unfinished_dot(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %first: i1) {
  // expected-error @below {{has groups of K, which begin at zero: 'first' must be the constant true}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%first) last(%first) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 2x4, group = 16, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    lintel.yield
  }
  return
}

// -----

func.func @narrow_dot_products_without_masks(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  // expected-error @below {{has groups of 16 elements of 'bf16', which avx2 cuts where it knows the depth: that must be a constant}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 8x1, group = 16, epilogue = tile>,
                  target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

// Rows of sums on tile registers are those of one register, however wide the tile is.
func.func @sums_row_by_row(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  %ldacc = arith.constant 32 : index
  // expected-error @below {{has unit = amx, whose sums have ldacc = 16, a constant}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %ldacc) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @sums_any_distance_apart(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has unit = amx, whose sums have ldacc = 16, a constant}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

// A tree adds up the lanes of sums that stand side by side.
func.func @dots_apart(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %true = arith.constant true
  %ldacc = arith.constant 99 : index
  // expected-error @below {{has groups of K, whose sums stand side by side: 'ldacc' must be 2, a constant}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 4x2, group = 16, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// -----

// Rows that are not packed end where x ends.
func.func @part_of_a_line(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %p: i1) {
  %ldacc = arith.constant 16 : index
  %depth = arith.constant 40 : index
  // expected-error @below {{has unit = amx and pack = none, which reads whole lines of 32 elements of K, but a depth of 40}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%s[%i], %ldacc) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 32, schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @less_than_nothing(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
  %depth = arith.constant -5 : index
  // expected-error @below {{has 'depth' of -5; it is at least 0 and at most 2147483648}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, streams = 16>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @depth_too_large(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
  %depth = arith.constant 9223372036854775807 : index
  // expected-error @below {{has 'depth' of 9223372036854775807; it is at least 0 and at most 2147483648}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, streams = 16>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @embeds_rows_anywhere(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has embed = 4, whose rows are packed, or lie a known distance apart: 'lda' must be a constant}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x32, embed = 4>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// Without masks every vector is stored whole.
func.func @ragged_without_masks(%args: !lintel.kernel_args, %m: memref<f32>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  %five = arith.constant 5 : index
  // expected-error @below {{writes 5 of 8 columns, but avx2 has no masks, so that 'columns' must be 8; of a ragged tile 'last' is the constant false, and lintel.apply_epilogue follows}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%five)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x8>,
                  target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @nothing_without_masks(%args: !lintel.kernel_args, %m: memref<f32>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  %p = arith.cmpi eq, %i, %i : index
  %none = arith.constant 0 : index
  // expected-error @below {{writes 0 of 8 columns, but avx2 has no masks}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%p)
      at(%i, %i) columns(%none)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x8>,
                  target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// What does not apply the epilogue, and whole tiles.
func.func @right_without_masks(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %t = arith.constant true
  %f = arith.constant false
  %five = arith.constant 5 : index
  %eight = arith.constant 8 : index
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%f)
      at(%i, %i) columns(%five)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x8>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%eight)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x8>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @columns_of_no_tile(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
  %columns = arith.constant -1 : index
  // expected-error @below {{has 'columns' of -1; it is at least 0 and at most 16}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%columns)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @more_rows_than_there_are(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
  %valid = arith.constant 100 : index
  // expected-error @below {{has 'valid' of 100; it is at least 6 and at most 7}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i) valid(%valid)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x16>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @sums_that_are_infinitely_far_apart(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
  %ldacc = arith.constant -9223372036854775808 : index
  // expected-error @below {{has 'ldacc' of -9223372036854775808; it is at least 0}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %ldacc) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// Rows of sums on tile registers are those of one register, however wide the tile is.
func.func @finished_sums_row_by_row(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  %ldacc = arith.constant 32 : index
  // expected-error @below {{has unit = amx, whose sums have ldacc = 16, a constant}}
  lintel.apply_epilogue %args acc(%s[%i], %ldacc) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @finished_sums_any_distance_apart(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  // expected-error @below {{has unit = amx, whose sums have ldacc = 16, a constant}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// Beyond the tile are sums of others.
func.func @columns_beyond_the_tile(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  %columns = arith.constant 100 : index
  // expected-error @below {{has 'columns' of 100; it is at least 0 and at most 48}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %columns)
      attributes {schedule = #lintel.schedule<tile = 8x48>, target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @rows_beyond_the_tile(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  %rows = arith.constant 9 : index
  // expected-error @below {{has 'rows' of 9; it is at least 0 and at most 8}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%rows, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48>, target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @before_the_first_column(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  %column = arith.constant -9223372036854775808 : index
  // expected-error @below {{has 'column' of -9223372036854775808; it is at least 0 and at most 2147483648}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %column) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48>, target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// What is worked out here is a constant where canonicalization has been.
func.func @worked_out(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
  %four = arith.constant 4 : index
  %five = arith.constant 5 : index
  %columns = arith.addi %four, %five : index
  // expected-error @below {{writes 9 of 16 columns, but avx2 has no masks, so that 'columns' must be 16}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%columns)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 2x16>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// One that cannot be lowered leaves those before it as they are.
// CHECK-LABEL: func.func @behind_another(
// CHECK-NEXT: %[[ROWS:.*]] = arith.constant 9 : index
// CHECK-NEXT: lintel.apply_epilogue
// CHECK: lintel.apply_epilogue {{.*}} size(%[[ROWS]],
func.func @behind_another(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  %rows = arith.constant 9 : index
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48>, target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  // expected-error @below {{has 'rows' of 9; it is at least 0 and at most 8}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%rows, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48>, target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}
