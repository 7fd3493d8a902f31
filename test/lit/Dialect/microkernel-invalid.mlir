// What lintel.microkernel refuses.
// RUN: lintel-opt %s --split-input-file --verify-diagnostics

func.func @rows_zero(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{computes 1 to 8 rows, the height of its schedule's tile, not 0}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 0, schedule = #lintel.schedule<tile = 8x48, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @rows_many(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{computes 1 to 8 rows, the height of its schedule's tile, not 9}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 9, schedule = #lintel.schedule<tile = 8x48, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @element(%args: !lintel.kernel_args, %a: memref<index>, %b: memref<index>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{multiplies f32, bf16, f16 or integers, not 'index'}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<index>, memref<index>, memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @widened_for_pairs(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<bf16>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{with pack = block, an a of f32 or i16 where the target multiplies in that}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, group = 2, pack = block, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512bf16>, broadcasts = []}
      : memref<f32>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @elements_differ(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<bf16>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{needs a and b of one float type, a of i8 or ui8 and b of i8, or, with pack = block, an a of f32 or i16 where the target multiplies in that, but they hold 'f32' and 'bf16'}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<f32>, memref<bf16>, memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @ragged_tile(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{needs a tile of whole vectors: its 40 columns must be a multiple of 16, the lanes of avx512}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x40, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @accumulator(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %s: memref<bf16>, %i: index, %p: i1) {
  // expected-error @below {{sums products of 'bf16' in 'f32', so its accumulator must be 'f32', not 'bf16'}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<bf16>, memref<bf16>, memref<bf16> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @integer_accumulator(%args: !lintel.kernel_args, %a: memref<i8>, %b: memref<i8>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{sums products of 'i8' in 'i32', so its accumulator must be 'i32', not 'f32'}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<i8>, memref<i8>, memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @broadcast_kind(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{names each broadcast by a string, not 1 : i64}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = [1]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @broadcast_name(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{unknown broadcast "diagonal"}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["diagonal"]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @missing_argument(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{has 1 broadcasts, so its region takes 2 arguments: the accumulator and one scalar for each broadcast; it has 1}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @argument_type(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{holds its sums as 'f32', so its region's first argument must be 'f32', not 'i32'}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: i32, %c: f32):
    lintel.yield %c : f32
  }
  return
}

// -----

func.func @no_output(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{has no output: its region must yield one scalar for each}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield
  }
  return
}

// -----

func.func @body(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = registers>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    // expected-error @below {{'memref.alloc' cannot be in an epilogue: only elementwise operations of the arith and math dialects can}}
    %m = memref.alloc() : memref<f32>
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @tile_with_broadcast(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{leaves the epilogue to lintel.apply_epilogue when its schedule says epilogue = tile: its region and its broadcasts must be empty}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// -----

func.func @tile_with_region(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{its region and its broadcasts must be empty}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @tile_with_operation(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{its region and its broadcasts must be empty}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    %0 = arith.constant 1.0 : f32
    lintel.yield
  }
  return
}

// -----

func.func @tile_with_yield(%args: !lintel.kernel_args, %a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{its region and its broadcasts must be empty}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 7, schedule = #lintel.schedule<tile = 8x48, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    %0 = arith.constant 1.0 : f32
    lintel.yield %0 : f32
  }
  return
}

// -----

func.func @group_of_another_vector(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %true = arith.constant true
  // expected-error @below {{has groups of 32 elements of K; vectors of its target take 16 of 'f32'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 2x4, group = 32, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    lintel.yield
  }
  return
}

// -----

func.func @packed_dot(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %true = arith.constant true
  // expected-error @below {{has groups of K, which take pack = none and epilogue = tile}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 2x4, group = 16, pack = block, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    lintel.yield
  }
  return
}

// -----

func.func @dot_asking_ahead(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %true = arith.constant true
  // expected-error @below {{has groups of K, which take neither prefetch, ahead, share nor store = stream}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 2x4, group = 16, ahead = 4096, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    lintel.yield
  }
  return
}

// -----

func.func @dots_in_streams(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %true = arith.constant true
  %ldacc = arith.constant 4 : index
  // expected-error @below {{has streams = 8, which on vectors takes accumulate = f32, vectors along N and a depth that is a constant}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %ldacc) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 2x4, group = 16, streams = 8, epilogue = tile>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
    lintel.yield
  }
  return
}

// -----

func.func @tiles_in_streams(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  %depth = arith.constant 64 : index
  // expected-error @below {{has streams = 2, which with unit = amx takes a prefetch in multiples of 128 and columns in multiples of 2}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, streams = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @runs_in_streams(%args: !lintel.kernel_args, %m: memref<f16>, %s: memref<f32>, %i: index, %t: i1) {
  %depth = arith.constant 64 : index
  // expected-error @below {{has streams = 2, which on vectors takes accumulate = f32}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x32, accumulate = f16, streams = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "avx512fp16">, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}

// -----

func.func @missing_group(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has groups of 1 elements of K; of 'bf16', 2 stand side by side}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 8x16, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @dot_products_of_bf16(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  // expected-error @below {{has groups of 16 elements of K; vectors of its target take 32 of 'bf16'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 8x1, group = 16, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @no_tiles(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has unit = amx, but its target has no tiles of 'bf16'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 16x16, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-int8+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @too_many_tiles(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has unit = amx, whose registers hold no tile of 33x32}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 33, schedule = #lintel.schedule<tile = 48x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @tiles_keep_no_epilogue(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has unit = amx, which takes epilogue = tile or epilogue = next}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @pending_is_missing(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{takes 'pending', a tile to apply the epilogue to, with epilogue = next, and only then}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, epilogue = next>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @pending_is_finished(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{takes 'pending', a tile to apply the epilogue to, with epilogue = next, and only then}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) pending(%i) at(%i, %i) rows(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @pending_and_streamed(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has epilogue = next, which takes store = cached}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) pending(%i) at(%i, %i) rows(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, epilogue = next, store = stream>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @pending_on_vectors(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has epilogue = next, which takes unit = amx}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) pending(%i) at(%i, %i) rows(%i)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x16, epilogue = next>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @next_is_missing(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{takes 'next', where the next panel begins, with unit = amx and a prefetch or on vectors with a share, and only then}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, prefetch = 128, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @next_sums_on_vectors(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{takes 'next_acc', where the sums of the next tile wait, with unit = amx alone}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) next_acc(%i)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x16>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @touches_other_memory(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %y: memref<32x32xbf16, 5>, %i: index, %t: i1) {
  %ldacc = arith.constant 32 : index
  // expected-error @below {{takes 'touches' in no memory space of its own, but one is 'memref<32x32xbf16, 5>'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %ldacc) first(%t) last(%t)
      at(%i, %i) columns(%i) touches(%y : memref<32x32xbf16, 5>)
      attributes {rows = 32, schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    lintel.yield %0 : bf16
  }
  return
}

// -----

func.func @touches_no_rows(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %y: memref<32x32xbf16, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>, %i: index, %t: i1) {
  %ldacc = arith.constant 32 : index
  // expected-error @below {{takes 'touches' whose rows are a stride apart, but one is 'memref<32x32xbf16, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %ldacc) first(%t) last(%t)
      at(%i, %i) columns(%i) touches(%y : memref<32x32xbf16, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>)
      attributes {rows = 32, schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    lintel.yield %0 : bf16
  }
  return
}

// -----

func.func @touches_on_vectors(%args: !lintel.kernel_args, %m: memref<f32>, %y: memref<8x16xf32>, %i: index, %t: i1) {
  // expected-error @below {{takes 'touches', what the epilogue will touch, with unit = amx alone}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) touches(%y : memref<8x16xf32>)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x16>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @touches_no_rows(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  %ldacc = arith.constant 16 : index
  // expected-error @below {{must be variadic of 2D memref of 32-bit float or 16-bit float or bfloat16 type or 32-bit signless integer or 8-bit signless integer or 8-bit unsigned integer values, but got 'memref<f32>'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %ldacc) first(%t) last(%t)
      at(%i, %i) columns(%i) touches(%s : memref<f32>)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @touches_no_elements(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %y: memref<16x32xindex>, %i: index, %t: i1) {
  %ldacc = arith.constant 16 : index
  // expected-error @below {{must be variadic of 2D memref of 32-bit float or 16-bit float or bfloat16 type or 32-bit signless integer or 8-bit signless integer or 8-bit unsigned integer values, but got 'memref<16x32xindex>'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %ldacc) first(%t) last(%t)
      at(%i, %i) columns(%i) touches(%y : memref<16x32xindex>)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @part_of_a_line_ahead(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has unit = amx, which takes ahead in multiples of 64 bytes, not 100}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, ahead = 100, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @part_of_a_line(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has unit = amx, which takes prefetch in multiples of 64 bytes, not 96}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) next(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, prefetch = 96, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @unsigned_weight(%args: !lintel.kernel_args, %m: memref<ui8>, %s: memref<i32>, %i: index, %t: i1) {
  // expected-error @below {{needs a and b of one float type, a of i8 or ui8 and b of i8, or, with pack = block, an a of f32 or i16 where the target multiplies in that, but they hold 'ui8' and 'ui8'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, group = 4, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "avx512vnni">, broadcasts = []}
      : memref<ui8>, memref<ui8>, memref<i32> {
  }
  return
}

// -----

func.func @pairs_of_f32(%args: !lintel.kernel_args, %m: memref<f32>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has accumulate = s16, which takes an a of ui8 or i8, not 'f32'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, accumulate = s16, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// -----

func.func @pairs_beside_quads(%args: !lintel.kernel_args, %a: memref<ui8>, %b: memref<i8>, %s: memref<i32>, %i: index, %t: i1) {
  // expected-error @below {{has accumulate = s16, which takes a target of avx2 or avx512 without VNNI}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, accumulate = s16, group = 4, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512vnni>, broadcasts = []}
      : memref<ui8>, memref<i8>, memref<i32> {
  }
  return
}

// -----

func.func @pairs_of_dot_products(%args: !lintel.kernel_args, %a: memref<ui8>, %b: memref<i8>, %s: memref<i32>, %i: index, %t: i1) {
  %depth = arith.constant 64 : index
  // expected-error @below {{has accumulate = s16, which takes unit = vector and no dot products}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x4, accumulate = s16, group = 64, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<ui8>, memref<i8>, memref<i32> {
  }
  return
}

// -----

func.func @pairs_on_tiles(%args: !lintel.kernel_args, %a: memref<ui8>, %b: memref<i8>, %s: memref<i32>, %i: index, %t: i1) {
  // expected-error @below {{has accumulate = s16, which takes unit = vector and no dot products}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x16, unit = amx, accumulate = s16, group = 4, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-tile+amx-int8">, broadcasts = []}
      : memref<ui8>, memref<i8>, memref<i32> {
  }
  return
}

// -----

func.func @pairs_in_streams(%args: !lintel.kernel_args, %a: memref<ui8>, %b: memref<i8>, %s: memref<i32>, %i: index, %t: i1) {
  %depth = arith.constant 64 : index
  // expected-error @below {{has streams = 2, which on vectors takes accumulate = f32}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %depth) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, accumulate = s16, streams = 2, group = 4, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<ui8>, memref<i8>, memref<i32> {
  }
  return
}

// -----

func.func @half_sums_of_f32(%args: !lintel.kernel_args, %m: memref<f32>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has accumulate = f16, which takes a and b of f16, not 'f32'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x32, accumulate = f16, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512fp16>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// -----

func.func @half_sums_without_arithmetic(%args: !lintel.kernel_args, %m: memref<f16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has accumulate = f16, but its target has no avx512fp16}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x32, accumulate = f16, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}

// -----

func.func @half_sums_of_part_of_a_vector(%args: !lintel.kernel_args, %m: memref<f16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has accumulate = f16 and 48 columns; vectors of f16 take multiples of 32}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x48, accumulate = f16, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512fp16>, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}

// -----

func.func @half_sums_on_registers(%args: !lintel.kernel_args, %m: memref<f16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has accumulate = f16, which takes unit = vector, epilogue = tile and no dot products}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x32, accumulate = f16>,
                  target = #lintel.target<isa = avx512, extensions = avx512fp16>, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @half_sums_of_dot_products(%args: !lintel.kernel_args, %m: memref<f16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has accumulate = f16, which takes unit = vector, epilogue = tile and no dot products}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x32, accumulate = f16, group = 16, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512fp16>, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}

// -----

// The group of a vector is none of tile registers.
func.func @tiles_of_dot_products(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  // expected-error @below {{has groups of 32 elements of K; of 'bf16', 2 stand side by side}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x16, unit = amx, group = 32, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @doubles(%args: !lintel.kernel_args, %m: memref<f64>, %i: index) {
  %t = arith.constant true
  // expected-error @below {{multiplies f32, bf16, f16 or integers, not 'f64'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 2x1, group = 16, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f64>, memref<f64>, memref<f64> {
  }
  return
}

// -----

// Tiles of dot products have any number of columns, others whole vectors.
func.func @dots_then_not(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x5, group = 32, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  // expected-error @below {{needs a tile of whole vectors: its 5 columns must be a multiple of 16, the lanes of avx512}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x5, group = 3, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// Where a begins is a[offset] and nothing else.
func.func @begins_elsewhere(%args: !lintel.kernel_args, %a: memref<f32, strided<[], offset: ?>>, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{takes plain memory, e.g. 'memref<f32>', not 'memref<f32, strided<[], offset: ?>>'}}
  lintel.microkernel %args a(%a[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 8x16, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32, strided<[], offset: ?>>, memref<f32>, memref<f32> {
  }
  return
}

// -----

// A tile is unrolled: its code must end somewhere.
func.func @many_sums(%args: !lintel.kernel_args, %m: memref<f32>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  // expected-error @below {{has a tile of 4000x64000, whose sums are 16000000 vectors; it may have 256, 8 for each register of avx512: lower its rows or columns}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 4000, schedule = #lintel.schedule<tile = 4000x64000, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// -----

func.func @wide(%args: !lintel.kernel_args, %m: memref<f32>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  // expected-error @below {{has a tile of 1x1032, whose sums are 129 vectors; it may have 128, 8 for each register of avx2}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x1032, epilogue = tile>,
                  target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// -----

func.func @many_dots(%args: !lintel.kernel_args, %m: memref<f32>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  %ldacc = arith.constant 8 : index
  // expected-error @below {{has a tile of 33x8, whose sums are 264 vectors; it may have 256}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %ldacc) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 33, schedule = #lintel.schedule<tile = 33x8, group = 16, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// -----

func.func @many_half_sums(%args: !lintel.kernel_args, %m: memref<f16>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  // expected-error @below {{has a tile of 65x128, whose sums are 260 vectors; it may have 256}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 65, schedule = #lintel.schedule<tile = 65x128, accumulate = f16, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = avx512fp16>, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}

// -----

// More than the registers hold is slow and right. What counts is rows, not the height of tiles that others have.
func.func @spills(%args: !lintel.kernel_args, %m: memref<f32>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 4000x512, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// -----

func.func @column_sums_of_floats(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
  // expected-error @below {{takes 'column_sums' with sums of i32, not of 'f32'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 2, schedule = #lintel.schedule<tile = 4x16>, target = #lintel.target<isa = avx512>, broadcasts = ["column_sums"]}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @share_without_a_step(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{takes 'next_step', how far apart turns ask for the next panel, with a share, and only then}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) next(%i)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x16, share = 1>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @next_panel_that_nobody_asks_for(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{takes 'next_in', where the next panel is if not in b, with a share or with unit = amx and widen = panel alone}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) next_in(%m : memref<f32>)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x16>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @next_panel_of_nothing(%args: !lintel.kernel_args, %m: memref<f32>, %w: memref<i1>, %i: index, %t: i1) {
  // expected-error @below {{'lintel.microkernel' op operand #17 must be 0D memref of 32-bit float or 16-bit float or bfloat16 type or 8-bit signless integer values, but got 'memref<i1>'}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) next(%i) next_step(%i) next_in(%w : memref<i1>)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x16, share = 1>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @next_panel_elsewhere(%args: !lintel.kernel_args, %m: memref<f32>, %w: memref<f16, 3>, %i: index, %t: i1) {
  // expected-error @below {{takes plain memory}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) next(%i) next_step(%i) next_in(%w : memref<f16, 3>)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x16, share = 1>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @widens_by_itself(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has widen = panel, which is for what calls it: a panel that was widened is a b of f32}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x16, pack = block, widen = panel, tiles = nm>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @embeds_pairs(%args: !lintel.kernel_args, %a: memref<bf16>, %s: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has embed = 4, which takes products of f32, unit = vector and group = 1}}
  lintel.microkernel %args a(%a[%i], %i) b(%a[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x32, group = 2, pack = block, embed = 4>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @embeds_on_avx2(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has embed = 4, which takes avx512}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 4, schedule = #lintel.schedule<tile = 4x16, pack = block, embed = 4>,
                  target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @share_in_streams(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has a share, which takes unit = vector and streams = 1}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) next(%i) next_step(%i)
      attributes {rows = 8, schedule = #lintel.schedule<tile = 8x16, share = 1, streams = 2>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @hint_on_vectors(%args: !lintel.kernel_args, %m: memref<f32>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  // expected-error @below {{has a hint, which takes unit = amx; vector loads have none}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, hint = a, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// -----

func.func @prefetch_of_more_than_a_step(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  %ldacc = arith.constant 16 : index
  // expected-error @below {{has unit = amx, which with 16 columns takes a prefetch of at most 1024 bytes, not 1048576}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %ldacc) first(%t) last(%t)
      at(%i, %i) columns(%i) next(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 16x16, unit = amx, group = 2, pack = block, prefetch = 1048576, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @streamed_dots(%args: !lintel.kernel_args, %m: memref<f32>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  %ldacc = arith.constant 16 : index
  // expected-error @below {{has groups of K, which take neither prefetch, ahead, share nor store = stream}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %ldacc) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, group = 16, epilogue = tile, store = stream>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  }
  return
}

// -----

func.func @share_of_more_than_a_step(%args: !lintel.kernel_args, %m: memref<bf16>, %s: memref<f32>, %i: index) {
  %t = arith.constant true
  // expected-error @below {{has a share of 3 lines; a turn of 16 columns of 'bf16' has 1}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%s[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) next(%i) next_step(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, group = 2, share = 3, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

// Four bytes at a time, without widening.
func.func @widened_bytes_of_vnni(%args: !lintel.kernel_args, %a: memref<i16>, %b: memref<i8>, %s: memref<i32>, %i: index, %t: i1) {
  // expected-error @below {{but they hold 'i16' and 'i8'}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%t) last(%t) at(%i, %i) columns(%i)
      attributes {rows = 4, schedule = #lintel.schedule<tile = 4x16, group = 4, pack = block>,
                  target = #lintel.target<isa = avx512, extensions = avx512vnni>, broadcasts = []}
      : memref<i16>, memref<i8>, memref<i32> {
  }
  return
}

// -----

func.func @quads_without_vnni(%args: !lintel.kernel_args, %a: memref<ui8>, %b: memref<i8>, %s: memref<i32>, %i: index, %t: i1) {
  // expected-error @below {{has groups of 4 elements of K; of 'i8', 2 stand side by side}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%t) last(%t) at(%i, %i) columns(%i)
      attributes {rows = 4, schedule = #lintel.schedule<tile = 4x16, group = 4>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<ui8>, memref<i8>, memref<i32> {
  }
  return
}

// -----

func.func @widened_bytes_in_place(%args: !lintel.kernel_args, %a: memref<i16>, %b: memref<i8>, %s: memref<i32>, %i: index, %t: i1) {
  // expected-error @below {{but they hold 'i16' and 'i8'}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%t) last(%t) at(%i, %i) columns(%i)
      attributes {rows = 4, schedule = #lintel.schedule<tile = 4x16, group = 2>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<i16>, memref<i8>, memref<i32> {
  }
  return
}

// -----

func.func @widened_bytes_of_unsigned_weight(%args: !lintel.kernel_args, %a: memref<i16>, %b: memref<ui8>, %s: memref<i32>, %i: index, %t: i1) {
  // expected-error @below {{but they hold 'i16' and 'ui8'}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%s[%i], %i) first(%t) last(%t) at(%i, %i) columns(%i)
      attributes {rows = 4, schedule = #lintel.schedule<tile = 4x16, group = 2, pack = block>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<i16>, memref<ui8>, memref<i32> {
  }
  return
}

// -----

func.func @halves_in_place(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has unit = amx and widen = panel, which takes rows that are packed and no ahead}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, widen = panel, tiles = nm, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @halves_asked_for_ahead(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has unit = amx and widen = panel, which takes rows that are packed and no ahead}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, ahead = 1024, pack = block, widen = panel, tiles = nm, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @next_halves_in_b(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has unit = amx and widen = panel, where 'next' and 'next_in', f16 that are yet to be split, take each other}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) next(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, prefetch = 1024, pack = block, widen = panel, tiles = nm, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @next_halves_split(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{has unit = amx and widen = panel, where 'next' and 'next_in', f16 that are yet to be split, take each other}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) next(%i) next_in(%b : memref<bf16>)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, prefetch = 1024, pack = block, widen = panel, tiles = nm, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}

// -----

func.func @halves_of_f16(%args: !lintel.kernel_args, %a: memref<f16>, %b: memref<f16>, %m: memref<f32>, %i: index, %t: i1) {
  // expected-error @below {{takes a and b of bf16, the halves of f16, not 'f16'}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, pack = block, widen = panel, tiles = nm, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-fp16+amx-tile">, broadcasts = []}
      : memref<f16>, memref<f16>, memref<f32> {
  }
  return
}

// -----

func.func @next_in_of_no_next(%args: !lintel.kernel_args, %a: memref<bf16>, %b: memref<bf16>, %m: memref<f32>, %w: memref<f16>, %i: index, %t: i1) {
  // expected-error @below {{has unit = amx and widen = panel, where 'next' and 'next_in', f16 that are yet to be split, take each other}}
  lintel.microkernel %args a(%a[%i], %i) b(%b[%i], %i) acc(%m[%i], %i) first(%t) last(%t)
      at(%i, %i) columns(%i) next_in(%w : memref<f16>)
      attributes {rows = 16, schedule = #lintel.schedule<tile = 16x32, unit = amx, group = 2, pack = block, widen = panel, tiles = nm, epilogue = tile>,
                  target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">, broadcasts = []}
      : memref<bf16>, memref<bf16>, memref<f32> {
  }
  return
}
