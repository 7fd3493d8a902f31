// Which tensors lintel.linear and lintel.pack refuse, and what they say.
// RUN: lintel-opt %s --split-input-file --verify-diagnostics

func.func @x(%x: tensor<4x8xi16>, %w: tensor<16x8xi16>) -> tensor<4x16xf32> {
  // expected-error @below {{'lintel.linear' op has x of 'i16'; its elements can be f32, bf16, f16, i8 or ui8}}
  %y = lintel.linear %x, %w : (tensor<4x8xi16>, tensor<16x8xi16>) -> tensor<4x16xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

func.func @half_bytes(%x: tensor<4x8xi4>, %w: tensor<16x8xi4>) -> tensor<4x16xf32> {
  // expected-error @below {{has x of 'i4'; its elements can be}}
  %y = lintel.linear %x, %w : (tensor<4x8xi4>, tensor<16x8xi4>) -> tensor<4x16xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

func.func @w(%x: tensor<4x8xui8>, %w: tensor<16x8xui8>) -> tensor<4x16xf32> {
  // expected-error @below {{has w of 'ui8'; its elements can be f32, bf16, f16 or i8}}
  %y = lintel.linear %x, %w : (tensor<4x8xui8>, tensor<16x8xui8>) -> tensor<4x16xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

func.func @operand(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xi16>) -> tensor<4x16xf32> {
  // expected-error @below {{has operand #0 of 'i16'; its elements can be f32, bf16, f16 or i32}}
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xi16>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %e: i16):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

func.func @index(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xindex>) -> tensor<4x16xf32> {
  // expected-error @below {{has operand #0 of 'index'; its elements can be f32, bf16, f16 or i32}}
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xindex>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %e: index):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

func.func @sums(%x: tensor<4x8xui8>, %w: tensor<16x8xi8>) -> tensor<4x16xi32> {
  // expected-error @below {{has output #0 of 'i32'; its elements can be f32, bf16, f16, i8 or ui8}}
  %y = lintel.linear %x, %w : (tensor<4x8xui8>, tensor<16x8xi8>) -> tensor<4x16xi32> {
  ^bb0(%acc: i32):
    lintel.yield %acc : i32
  }
  return %y : tensor<4x16xi32>
}

// -----

func.func @truth(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xi1> {
  // expected-error @below {{has output #0 of 'i1'; its elements can be}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xi1> {
  ^bb0(%acc: f32):
    %0 = arith.cmpf ogt, %acc, %acc : f32
    lintel.yield %0 : i1
  }
  return %y : tensor<4x16xi1>
}

// -----

// What a type says of how elements lie, a kernel would have to know.
func.func @encoded(%x: tensor<4x8xf32, "columns">, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{has x of type 'tensor<4x8xf32, "columns">'; kernels know no encodings: leave its out}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32, "columns">, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

func.func @elsewhere(%x: memref<4x8xf32, 1>, %w: memref<16x8xf32>, %y: memref<4x16xf32>) {
  // expected-error @below {{has x of type 'memref<4x8xf32, 1>'; kernels know one memory: leave its space out}}
  lintel.linear %x, %w outs(%y : memref<4x16xf32>) : (memref<4x8xf32, 1>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @transposed_x(%x: memref<4x8xf32, strided<[1, 4]>>, %w: memref<16x8xf32>, %y: memref<4x16xf32>) {
  // expected-error @below {{has x of type 'memref<4x8xf32, strided<[1, 4]>>'; its elements must lie side by side along the last dimension}}
  lintel.linear %x, %w outs(%y : memref<4x16xf32>) : (memref<4x8xf32, strided<[1, 4]>>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @transposed_w(%x: memref<4x8xf32>, %w: memref<16x8xf32, strided<[1, 16]>>, %y: memref<4x16xf32>) {
  // expected-error @below {{has w of type 'memref<16x8xf32, strided<[1, 16]>>'; its elements must lie side by side along the last dimension}}
  lintel.linear %x, %w outs(%y : memref<4x16xf32>) : (memref<4x8xf32>, memref<16x8xf32, strided<[1, 16]>>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @transposed_result(%x: memref<4x8xf32>, %w: memref<16x8xf32>, %y: memref<4x16xf32, strided<[1, ?]>>) {
  // expected-error @below {{has output #0 of type 'memref<4x16xf32, strided<[1, ?]>>'; its elements must lie side by side along the last dimension}}
  lintel.linear %x, %w outs(%y : memref<4x16xf32, strided<[1, ?]>>) : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @every_other_column(%x: memref<4x8xf32>, %w: memref<16x8xf32>, %y: memref<4x16xf32>, %b: memref<16xf32, strided<[2]>>) {
  // expected-error @below {{has operand #0 of type 'memref<16xf32, strided<[2]>>'; its elements must lie side by side along the last dimension}}
  lintel.linear %x, %w epilogue(%b : memref<16xf32, strided<[2]>>) outs(%y : memref<4x16xf32>) : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32, %e: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @packs_transposed(%w: memref<16x8xf32, strided<[1, 16]>>) -> !lintel.packed<16x8xf32, n = 16, k = 1> {
  // expected-error @below {{'lintel.pack' op has w of type 'memref<16x8xf32, strided<[1, 16]>>'; its elements must lie side by side along the last dimension}}
  %p = lintel.pack %w : memref<16x8xf32, strided<[1, 16]>> -> !lintel.packed<16x8xf32, n = 16, k = 1>
  return %p : !lintel.packed<16x8xf32, n = 16, k = 1>
}

// -----

// Rows may come in any order.
func.func @last_row_first(%x: memref<4x8xf32>, %w: memref<16x8xf32>, %y: memref<4x16xf32, strided<[-16, 1], offset: 48>>) {
  lintel.linear %x, %w outs(%y : memref<4x16xf32, strided<[-16, 1], offset: 48>>) : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// Those that are read may overlap; those that are written may not, unless there is one.
func.func @one_row(%x: memref<4x8xf32, strided<[0, 1]>>, %w: memref<16x8xf32>, %y: memref<4x16xf32, strided<[16, 1]>>,
                   %z: memref<1x8xf32>, %v: memref<1x16xf32, strided<[1, 1]>>) {
  lintel.linear %x, %w outs(%y : memref<4x16xf32, strided<[16, 1]>>) : (memref<4x8xf32, strided<[0, 1]>>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  lintel.linear %z, %w outs(%v : memref<1x16xf32, strided<[1, 1]>>) : (memref<1x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

func.func @overlapping_rows(%x: memref<4x8xf32>, %w: memref<16x8xf32>, %y: memref<4x16xf32, strided<[15, 1]>>) {
  // expected-error @below {{has output #0 of type 'memref<4x16xf32, strided<[15, 1]>>'; its rows overlap: let them begin at least 16 elements apart}}
  lintel.linear %x, %w outs(%y : memref<4x16xf32, strided<[15, 1]>>) : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @over_x(%x: memref<16x16xf32>, %w: memref<16x16xf32>, %y: memref<16x16xf32>) {
  // expected-error @below {{writes output #0 over x; give it memory of its own}}
  lintel.linear %x, %w outs(%x : memref<16x16xf32>) : (memref<16x16xf32>, memref<16x16xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @over_w(%x: memref<16x16xf32>, %w: memref<16x16xf32>, %y: memref<16x16xf32>) {
  // expected-error @below {{writes output #0 over w; give it memory of its own}}
  lintel.linear %x, %w outs(%w : memref<16x16xf32>) : (memref<16x16xf32>, memref<16x16xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @twice(%x: memref<4x8xf32>, %w: memref<16x8xf32>, %y: memref<4x16xf32>) {
  // expected-error @below {{writes output #1 over another output; give it memory of its own}}
  lintel.linear %x, %w outs(%y, %y : memref<4x16xf32>, memref<4x16xf32>) : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc, %acc : f32, f32
  }
  return
}

// -----

// A full operand is read before its place is written.
func.func @in_place(%x: memref<4x8xf32>, %w: memref<16x8xf32>, %y: memref<4x16xf32>) {
  lintel.linear %x, %w epilogue(%y : memref<4x16xf32>) outs(%y : memref<4x16xf32>) : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32, %r: f32):
    %0 = arith.addf %acc, %r : f32
    lintel.yield %0 : f32
  }
  return
}
