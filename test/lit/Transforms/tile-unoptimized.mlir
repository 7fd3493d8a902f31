// lintel-tile: which functions LLVM is to take as they are written. The driver always
// is one of them. Other micro-kernels keep what their loops carry, but for dot products.
// RUN: lintel-opt %s --lintel-tile --split-input-file | FileCheck %s

#schedule = #lintel.schedule<tile = 8x48>
#target = #lintel.target<isa = avx512, l1 = 32768>

// 64 steps of K are many: nobody notices a few instructions more around them.
// CHECK: func.func private @many_microkernel_8({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "noinline", "optnone"]} {
// CHECK: func.func private @many_prefetch({{[^{]*}}) attributes {passthrough = ["noinline", "optnone"]} {
// CHECK: func.func private @many_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
// CHECK: func.func @many({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @many(%x: tensor<128x64xf32>, %w: tensor<96x64xf32>) -> tensor<128x96xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<128x64xf32>, tensor<96x64xf32>) -> tensor<128x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<128x96xf32>
}

// CHECK: func.func private @few_microkernel_8({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @few_prefetch({{[^{]*}}) {
// CHECK: func.func private @few_block({{[^{]*}}) {
// CHECK: func.func @few({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @few(%x: tensor<128x63xf32>, %w: tensor<96x63xf32>) -> tensor<128x96xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<128x63xf32>, tensor<96x63xf32>) -> tensor<128x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<128x96xf32>
}

// -----

#schedule = #lintel.schedule<tile = 3x48>
#target = #lintel.target<isa = avx512>

// With one row each vector of B is a factor once: LLVM makes its load a part of the
// product.
// CHECK: func.func private @one_row_microkernel_1({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @one_row_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @one_row(%x: tensor<1x64xf32>, %w: tensor<96x64xf32>) -> tensor<1x96xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<1x64xf32>, tensor<96x64xf32>) -> tensor<1x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<1x96xf32>
}

// Each height by itself.
// CHECK: func.func private @any_rows_microkernel_3({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "noinline", "optnone"]} {
// CHECK: func.func private @any_rows_microkernel_2({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "noinline", "optnone"]} {
// CHECK: func.func private @any_rows_microkernel_1({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @any_rows_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @any_rows(%x: tensor<?x64xf32>, %w: tensor<96x64xf32>) -> tensor<?x96xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<?x64xf32>, tensor<96x64xf32>) -> tensor<?x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<?x96xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x16>
#target = #lintel.target<isa = avx512>

// A row of one vector: LLVM makes the broadcast a part of the product.
// CHECK: func.func private @one_vector_microkernel_8({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @one_vector_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @one_vector(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x32, pack = block, epilogue = tile>
#target = #lintel.target<isa = avx512>

// Loops that transpose rows carry their addresses, too. Those that finish
// results carry where they are; what an epilogue is made of is left to LLVM.
// CHECK: func.func private @packed_microkernel_8({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "noinline", "optnone"]} {
// CHECK: func.func private @packed_epilogue({{[^{]*}}) attributes {passthrough = ["lintel-keeps-loops"]} {
// CHECK: func.func private @packed_pack({{[^{]*}}) attributes {passthrough = ["noinline", "optnone"]} {
// CHECK: func.func private @packed_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @packed(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 3x32, pack = block, embed = 2>
#target = #lintel.target<isa = avx512>

// LLVM makes broadcasts a part of products; strips of three rows are packed by
// loops that it improves.
// CHECK: func.func private @embedded_microkernel_3({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @embedded_pack({{[^{]*}}) {
func.func @embedded(%x: tensor<18x64xf32>, %w: tensor<32x64xf32>) -> tensor<18x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<18x64xf32>, tensor<32x64xf32>) -> tensor<18x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<18x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 2x8>
#target = #lintel.target<isa = x86_64>

// A product and a sum.
// CHECK: func.func private @without_fma_microkernel_2({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @without_fma_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @without_fma(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x32, group = 2>
#target = #lintel.target<isa = avx512, extensions = avx512bf16>

// A step takes two elements of bf16.
// CHECK: func.func private @pairs_microkernel_8({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "noinline", "optnone"]} {
// CHECK: func.func private @pairs_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @pairs(%x: tensor<16x128xbf16>, %w: tensor<32x128xbf16>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x128xbf16>, tensor<32x128xbf16>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}

// CHECK: func.func private @few_pairs_microkernel_8({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @few_pairs_block({{[^{]*}}) {
func.func @few_pairs(%x: tensor<16x127xbf16>, %w: tensor<32x127xbf16>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x127xbf16>, tensor<32x127xbf16>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x32, group = 2>
#target = #lintel.target<isa = avx512>

// Where factors are widened in registers a step is more than its products.
// CHECK: func.func private @widened_microkernel_4({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @widened_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @widened(%x: tensor<16x128xbf16>, %w: tensor<32x128xbf16>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x128xbf16>, tensor<32x128xbf16>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}

// CHECK: func.func private @widened_bytes_microkernel_4({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @widened_bytes_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @widened_bytes(%x: tensor<16x256xui8>, %w: tensor<32x256xi8>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x32, group = 2>, target = #target}
      : (tensor<16x256xui8>, tensor<32x256xi8>) -> tensor<16x32xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<16x32xf32>
}

// CHECK: func.func private @halves_microkernel_4({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @halves_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @halves(%x: tensor<16x64xf16>, %w: tensor<32x64xf16>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x32>, target = #target}
      : (tensor<16x64xf16>, tensor<32x64xf16>) -> tensor<16x32xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 8x32, group = 4>
#target = #lintel.target<isa = avx512, extensions = avx512vnni>

// Four elements of 8 bits.
// CHECK: func.func private @quads_microkernel_8({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "noinline", "optnone"]} {
// CHECK: func.func private @quads_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @quads(%x: tensor<16x256xui8>, %w: tensor<32x256xi8>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x256xui8>, tensor<32x256xi8>) -> tensor<16x32xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<16x32xf32>
}

// Signed rows in place: LLVM moves what flips their signs in front of the loop.
// CHECK: func.func private @signed_quads_microkernel_8({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @signed_quads_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @signed_quads(%x: tensor<16x256xi8>, %w: tensor<32x256xi8>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x256xi8>, tensor<32x256xi8>) -> tensor<16x32xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<16x32xf32>
}

// Packed rows have been flipped before.
// CHECK: func.func private @packed_quads_microkernel_8({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "noinline", "optnone"]} {
// CHECK: func.func private @packed_quads_pack({{[^{]*}}) attributes {passthrough = ["noinline", "optnone"]} {
// CHECK: func.func private @packed_quads_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @packed_quads(%x: tensor<16x256xi8>, %w: tensor<32x256xi8>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 8x32, group = 4, pack = block>, target = #target}
      : (tensor<16x256xi8>, tensor<32x256xi8>) -> tensor<16x32xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<16x32xf32>
}

// CHECK: func.func private @few_quads_microkernel_8({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @few_quads_block({{[^{]*}}) {
func.func @few_quads(%x: tensor<16x255xui8>, %w: tensor<32x255xi8>) -> tensor<16x32xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x255xui8>, tensor<32x255xi8>) -> tensor<16x32xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<16x32xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x32, streams = 2>
#target = #lintel.target<isa = avx512>

// A turn of all streams has more vectors under way than registers, unless LLVM orders it.
// CHECK: func.func private @streams_microkernel_4({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"]} {
// CHECK: func.func private @streams_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @streams(%x: tensor<4x1024xf32>, %w: tensor<64x1024xf32>) -> tensor<4x64xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<4x1024xf32>, tensor<64x1024xf32>) -> tensor<4x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x64xf32>
}

// -----

#schedule = #lintel.schedule<tile = 4x4, group = 16, epilogue = tile>
#target = #lintel.target<isa = avx512>

// Vectors along K.
// CHECK: func.func private @dots_microkernel_4({{[^{]*}}) attributes {passthrough = ["lintel-microkernel"]} {
// CHECK: func.func private @dots_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
func.func @dots(%x: tensor<16x1024xf32>, %w: tensor<4x1024xf32>) -> tensor<16x4xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<16x1024xf32>, tensor<4x1024xf32>) -> tensor<16x4xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<16x4xf32>
}

// -----

#schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 2, pack = block, epilogue = tile>
#target = #lintel.target<isa = avx512, extensions = "amx-bf16+amx-tile">

// On tile registers 16 steps, of 32 elements of bf16, are many. Whole lines are packed
// by what is written.
// CHECK: func.func private @tiles_microkernel_32({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"], tmm.configured
// CHECK: func.func private @tiles_epilogue({{[^{]*}}) attributes {passthrough = ["lintel-keeps-loops"], tmm.untouched}
// CHECK: func.func private @tiles_pack({{[^{]*}}) attributes {passthrough = ["noinline", "optnone"], tmm.untouched}
// CHECK: func.func private @tiles_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"], tmm.configured
func.func @tiles(%x: tensor<64x512xbf16>, %w: tensor<64x512xbf16>) -> tensor<64x64xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<64x512xbf16>, tensor<64x512xbf16>) -> tensor<64x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x64xf32>
}

// CHECK: func.func private @few_tiles_microkernel_32({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"], tmm.configured
// CHECK: func.func private @few_tiles_epilogue({{[^{]*}}) attributes {passthrough = ["lintel-keeps-loops"], tmm.untouched}
// CHECK: func.func private @few_tiles_pack({{[^{]*}}) attributes {passthrough = ["noinline", "optnone"], tmm.untouched}
// CHECK: func.func private @few_tiles_block({{[^{]*}}) attributes {tmm.configured
func.func @few_tiles(%x: tensor<64x510xbf16>, %w: tensor<64x510xbf16>) -> tensor<64x64xf32> {
  %y = lintel.linear %x, %w {schedule = #schedule, target = #target}
      : (tensor<64x510xbf16>, tensor<64x510xbf16>) -> tensor<64x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x64xf32>
}

// With epilogue = next, too, though the micro-kernel finishes rows in its loop.
// CHECK: func.func private @next_microkernel_32({{[^{]*}}) attributes {passthrough = ["lintel-microkernel", "lintel-keeps-loops"], tmm.configured
// CHECK: func.func private @next_epilogue({{[^{]*}}) attributes {passthrough = ["lintel-keeps-loops"], tmm.untouched}
// CHECK: func.func private @next_pack({{[^{]*}}) attributes {passthrough = ["noinline", "optnone"], tmm.untouched}
// CHECK: func.func private @next_block({{[^{]*}}) attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"], tmm.configured
func.func @next(%x: tensor<64x512xbf16>, %w: tensor<64x512xbf16>) -> tensor<64x64xf32> {
  %y = lintel.linear %x, %w
      {schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 2, pack = block, epilogue = next>, target = #target}
      : (tensor<64x512xbf16>, tensor<64x512xbf16>) -> tensor<64x64xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x64xf32>
}
