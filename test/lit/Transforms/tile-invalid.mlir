// What lintel-tile cannot make a kernel of, and what it says.
// RUN: lintel-opt %s --allow-unregistered-dialect --lintel-tile --split-input-file --verify-diagnostics

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @twice(%x: tensor<4x16xf32>, %w: tensor<16x16xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{is not the only operation of '@twice'; put it in a function of its own}}
  %h = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  %y = lintel.linear %h, %w {schedule = #schedule, target = #target}
      : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @before(%x: tensor<4x16xf32>, %c: f32) -> tensor<4x16xf32> {
  %w = tensor.splat %c : tensor<16x16xf32>
  // expected-error @+1 {{is not the only operation of '@before'}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @blocks(%x: tensor<4x16xf32>, %w: tensor<16x16xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{is not the only operation of '@blocks'}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  cf.br ^next
^next:
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @nested(%x: tensor<4x16xf32>, %w: tensor<16x16xf32>, %p: i1) -> tensor<4x16xf32> {
  %r = scf.if %p -> tensor<4x16xf32> {
    // expected-error @+1 {{must stand directly in a func.func to become a kernel}}
    %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
        : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32> {
    ^bb0(%acc: f32):
      lintel.yield %acc : f32
    }
    scf.yield %y : tensor<4x16xf32>
  } else {
    scf.yield %x : tensor<4x16xf32>
  }
  return %r : tensor<4x16xf32>
}

// -----

func.func @unscheduled(%x: tensor<4x16xf32>, %w: tensor<16x16xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{has no schedule; run lintel-assign-schedule before lintel-tile}}
  %y = lintel.linear %x, %w : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

// A schedule alone does not say what a vector is.
func.func @targetless(%x: tensor<4x16xf32>, %w: tensor<16x16xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{has no schedule; run lintel-assign-schedule before lintel-tile}}
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16>}
      : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @swapped(%x: tensor<4x16xf32>, %w: tensor<16x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  // expected-error @+1 {{has results that '@swapped' does not return in the same order}}
  %y:2 = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x16xf32>, tensor<16x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  ^bb0(%acc: f32):
    %0 = arith.negf %acc : f32
    lintel.yield %acc, %0 : f32, f32
  }
  return %y#1, %y#0 : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @dropped(%x: tensor<4x16xf32>, %w: tensor<16x16xf32>) {
  // expected-error @+1 {{has results that '@dropped' does not return in the same order}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

// Of bf16 two elements of K lie side by side, whatever multiplies them.
func.func @plain_group_of_bf16(%x: tensor<4x16xbf16>, %w: tensor<16x16xbf16>) -> tensor<4x16xf32> {
  // expected-error @+1 {{schedule: group (elements of K side by side) is 1; a weight of bf16 takes 2}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x16xbf16>, tensor<16x16xbf16>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16, group = 4>
#target = #lintel.target<isa = avx512>

func.func @quads_of_integers(%x: tensor<4x16xui8>, %w: tensor<16x16xi8>) -> tensor<4x16xf32> {
  // expected-error @+1 {{group (elements of K side by side) is 4; a weight of s8 takes 2 and, on avx512, 32}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x16xui8>, tensor<16x16xi8>) -> tensor<4x16xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16, group = 2, store = stream>
#target = #lintel.target<isa = avx512>

// A schedule has to be one for every output, in whatever order they come.
func.func @another_output(%x: tensor<4x16xui8>, %w: tensor<16x16xi8>) -> (tensor<4x16xf32>, tensor<4x16xi8>) {
  // expected-error @+1 {{schedule: nr (the tile's columns) is 16; store=stream of s8 takes multiples of 64, whole cache lines}}
  %y:2 = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x16xui8>, tensor<16x16xi8>) -> (tensor<4x16xf32>, tensor<4x16xi8>) {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    %1 = arith.trunci %acc : i32 to i8
    lintel.yield %0, %1 : f32, i8
  }
  return %y#0, %y#1 : tensor<4x16xf32>, tensor<4x16xi8>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @dynamic(%x: tensor<4x?xf32>, %w: tensor<16x?xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{w is tensor<16x?xf32>; N and K must be numbers, only M can be '?'}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x?xf32>, tensor<16x?xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @packing(%x: tensor<4x16xf32>, %w: !lintel.packed<96x16xf32, n = 48, k = 1>) -> tensor<4x96xf32> {
  // expected-error @+1 {{has a weight packed with n = 48, k = 1; its schedule reads n = 16, k = 1}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x16xf32>, !lintel.packed<96x16xf32, n = 48, k = 1>) -> tensor<4x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x96xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#wide = #lintel.target<isa = avx512>
#narrow = #lintel.target<isa = avx2>

func.func @first(%x: tensor<4x16xf32>, %w: tensor<96x16xf32>) -> tensor<4x96xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #wide}
      : (tensor<4x16xf32>, tensor<96x16xf32>) -> tensor<4x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x96xf32>
}

func.func @second(%x: tensor<4x16xf32>, %w: tensor<96x16xf32>) -> tensor<4x96xf32> {
  // expected-error @+1 {{but its module is for #lintel.target<isa = avx512, cpu = "generic", l1 = 32768, l2 = 1048576, l3 = 16777216, cores = 1>; put it in a module of its own}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #narrow}
      : (tensor<4x16xf32>, tensor<96x16xf32>) -> tensor<4x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x96xf32>
}

// -----

func.func @spilling(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> {
  // expected-error @below {{'lintel.linear' op schedule: mr (the tile's rows) is 40; with 32 columns the registers of avx512 hold 1 to 14 rows}}
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 40x32>, target = #lintel.target<isa = avx512>}
      : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}

// -----

func.func @dots_on_registers(%x: tensor<16x64xf32>, %w: tensor<4x64xf32>) -> tensor<16x4xf32> {
  // expected-error @below {{schedule: group is 16, which takes pack=none, epilogue=tile and kc=whole, and neither prefetch, ahead, share nor store=stream}}
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x4, group = 16>, target = #lintel.target<isa = avx512>}
      : (tensor<16x64xf32>, tensor<4x64xf32>) -> tensor<16x4xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x4xf32>
}

// -----

func.func @slices_on_registers(%x: tensor<4x64xf32>, %w: tensor<16x64xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{schedule: grid has 2 slices of K, which take pack=none, epilogue=tile, kc=whole and no dot products}}
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16, grid = 1x1x2>, target = #lintel.target<isa = avx512>}
      : (tensor<4x64xf32>, tensor<16x64xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

func.func @slices_of_any_rows(%x: tensor<?x64xf32>, %w: tensor<16x64xf32>) -> tensor<?x16xf32> {
  // expected-error @below {{schedule: grid has 2 slices of K, whose sums need memory for every row, but M has no bound; give a range of rows, e.g. 1..64, or lower the slices to 1}}
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16, epilogue = tile, grid = 1x1x2>, target = #lintel.target<isa = avx512>}
      : (tensor<?x64xf32>, tensor<16x64xf32>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<?x16xf32>
}

// -----

func.func @parts_of_lines(%x: tensor<16x64xf32>, %w: tensor<48x64xf32>) -> tensor<16x48xf32> {
  // expected-error @below {{schedule: nr (the tile's columns) is 24; store=stream of f32 takes multiples of 16, whole cache lines}}
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x24, store = stream>, target = #lintel.target<isa = avx2>}
      : (tensor<16x64xf32>, tensor<48x64xf32>) -> tensor<16x48xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x48xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

// Rows may be any distance apart.
func.func @rows_apart(%x: memref<4x8xf32, strided<[?, 1], offset: ?>>, %w: memref<16x8xf32, strided<[32, 1]>>, %y: memref<4x16xf32, strided<[64, 1], offset: 16>>, %r: memref<f32>) {
  lintel.linear %x, %w epilogue(%r : memref<f32>) outs(%y : memref<4x16xf32, strided<[64, 1], offset: 16>>) {schedule = #schedule, target = #target}
      : (memref<4x8xf32, strided<[?, 1], offset: ?>>, memref<16x8xf32, strided<[32, 1]>>) {
  ^bb0(%acc: f32, %b: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @next_of_vectors(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  // expected-error @+1 {{epilogue is next, which takes unit=amx}}
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 8x32, group = 2, epilogue = next>,
       target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile+avx512bf16">}
      : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x64xf32>
}

// -----

func.func @next_of_slices(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  // expected-error @+1 {{slices of K, which take pack=none, epilogue=tile}}
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 2, grid = 1x1x2, epilogue = next>,
       target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile+avx512bf16">}
      : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x64xf32>
}

// -----

func.func @next_of_streams(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  // expected-error @+1 {{which with epilogue=next takes store=cached}}
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 2, store = stream, epilogue = next>,
       target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile+avx512bf16">}
      : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x64xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

// The kernel has functions of its own.
func.func @f(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{stands in '@f', whose kernel has a function '@f_block'; that name is taken, rename one of them}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}
func.func private @f_block()

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @called(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{stands in '@called', which is called or named elsewhere; a kernel takes other arguments}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}
func.func @caller(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %y = func.call @called(%x, %w) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @attributes(%x: tensor<4x8xf32> {my.name = "x"}, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{stands in '@attributes', which has attributes of arguments or results; a kernel has neither}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @passes(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> attributes {passthrough = ["cold"]} {
  // expected-error @+1 {{stands in '@passes', whose 'passthrough' the kernel decides; leave it out}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @untouched(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> attributes {tmm.untouched} {
  // expected-error @+1 {{stands in '@untouched', whose 'tmm.untouched' is not of its kernel; leave it out}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

// Kernels store, whatever the function was said to do.
func.func @pure(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> attributes {llvm.readnone} {
  // expected-error @+1 {{stands in '@pure', whose 'llvm.readnone' is not of its kernel; leave it out}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

// Conversion takes it for LLVM's.
func.func @inlined(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> attributes {always_inline} {
  // expected-error @+1 {{stands in '@inlined', whose 'always_inline' is not of its kernel; leave it out}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @wrapped(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> attributes {llvm.emit_c_interface} {
  // expected-error @+1 {{stands in '@wrapped', whose 'llvm.emit_c_interface' is not of its kernel; leave it out}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x16>
#target = #lintel.target<isa = avx512>

func.func @perhaps_named(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{stands in '@perhaps_named', which an operation of the module that no dialect knows may name}}
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}
"foo.op"() ({
^bb0:
}) : () -> ()
