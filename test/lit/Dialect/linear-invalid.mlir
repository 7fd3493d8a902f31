// What lintel.linear refuses, and what it says.
// RUN: lintel-opt %s --split-input-file --verify-diagnostics

func.func @tensors_with_outs(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %y: memref<4x16xf32>) {
  // expected-error @below {{on tensors returns its outputs: give it results and no outs, or make every operand a memref}}
  lintel.linear %x, %w outs(%y : memref<4x16xf32>) : (tensor<4x8xf32>, tensor<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @memrefs_with_results(%x: memref<4x8xf32>, %w: memref<16x8xf32>) {
  // expected-error @below {{on memrefs has no results: name the memrefs to write to with outs(...)}}
  %y = lintel.linear %x, %w : (memref<4x8xf32>, memref<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @mixed(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: memref<16xf32>) {
  // expected-error @below {{mixes tensors and memrefs: x is 'tensor<4x8xf32>', another operand is 'memref<16xf32>'}}
  %y = lintel.linear %x, %w epilogue(%b : memref<16xf32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %b: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @no_result(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{computes nothing: give it a result}}
  lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @no_outs(%x: memref<4x8xf32>, %w: memref<16x8xf32>) {
  // expected-error @below {{computes nothing: name the memrefs to write to with outs(...)}}
  lintel.linear %x, %w : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @depth(%x: tensor<4x8xf32>, %w: tensor<16x9xf32>) {
  // expected-error @below {{multiplies x [M, K] with w [N, K], but K is 8 in x and 9 in w}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x9xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @packed_depth(%x: tensor<4x8xf32>, %w: !lintel.packed<16x9xf32, n = 16, k = 1>) {
  // expected-error @below {{multiplies x [M, K] with w [N, K], but K is 8 in x and 9 in w}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, !lintel.packed<16x9xf32, n = 16, k = 1>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @element_types(%x: tensor<4x8xf32>, %w: tensor<16x8xbf16>) {
  // expected-error @below {{needs x and w of one element type, or both of integers, but x holds 'f32' and w holds 'bf16'}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xbf16>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @short_column(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<15xf32>) {
  // expected-error @below {{cannot broadcast operand #0 of type 'tensor<15xf32>' over [4, 16]: its shape must be [] (one scalar), [16] (one a column), [4, 1] (one a row) or [4, 16]}}
  %y = lintel.linear %x, %w epilogue(%b : tensor<15xf32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %b: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @one_column(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<1xf32>) {
  // expected-error @below {{cannot broadcast operand #0 of type 'tensor<1xf32>' over [4, 16]: its shape must be [] (one scalar), [16] (one a column), [4, 1] (one a row) or [4, 16]}}
  %y = lintel.linear %x, %w epilogue(%b : tensor<1xf32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %b: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @wrong_rows(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<5x16xf32>) {
  // expected-error @below {{cannot broadcast operand #0 of type 'tensor<5x16xf32>' over [4, 16]: its shape must be [] (one scalar), [16] (one a column), [4, 1] (one a row) or [4, 16]}}
  %y = lintel.linear %x, %w epilogue(%b : tensor<5x16xf32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %b: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @wrong_row_vector(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<1x16xf32>) {
  // expected-error @below {{cannot broadcast operand #0 of type 'tensor<1x16xf32>' over [4, 16]: its shape must be [] (one scalar), [16] (one a column), [4, 1] (one a row) or [4, 16]}}
  %y = lintel.linear %x, %w epilogue(%b : tensor<1x16xf32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %b: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @cube(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<4x16x1xf32>) {
  // expected-error @below {{cannot broadcast operand #0 of type 'tensor<4x16x1xf32>' over [4, 16]: its shape must be [] (one scalar), [16] (one a column), [4, 1] (one a row) or [4, 16]}}
  %y = lintel.linear %x, %w epilogue(%b : tensor<4x16x1xf32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %b: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @dynamic_rows(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>, %b: tensor<15xf32>) {
  // expected-error @below {{cannot broadcast operand #0 of type 'tensor<15xf32>' over [?, 16]}}
  %y = lintel.linear %x, %w epilogue(%b : tensor<15xf32>) : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32, %b: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @output_rows(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{has output #0 of type 'tensor<5x16xf32>', but its shape must be [M, N] = [4, 16]}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<5x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @output_columns(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{has output #0 of type 'tensor<4x15xf32>', but its shape must be [M, N] = [4, 16]}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x15xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @output_rank(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{has output #0 of type 'tensor<16xf32>', but its shape must be [M, N] = [4, 16]}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @outs_columns(%x: memref<4x8xf32>, %w: memref<16x8xf32>, %y: memref<4x16xf32>, %z: memref<4x15xf32>) {
  // expected-error @below {{has output #1 of type 'memref<4x15xf32>', but its shape must be [M, N] = [4, 16]}}
  lintel.linear %x, %w outs(%y, %z : memref<4x16xf32>, memref<4x15xf32>) : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc, %acc : f32, f32
  }
  return
}

// -----

func.func @missing_argument(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<f32>) {
  // expected-error @below {{has 1 epilogue operands, so its region takes 2 arguments: the accumulator and one scalar for each operand; it has 1}}
  %y = lintel.linear %x, %w epilogue(%b : tensor<f32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @no_argument(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{has 0 epilogue operands, so its region takes 1 arguments: the accumulator and one scalar for each operand; it has 0}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
    %0 = arith.constant 1.0 : f32
    lintel.yield %0 : f32
  }
  return
}

// -----

func.func @argument_type(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xbf16>) {
  // expected-error @below {{has operand #0 of 'bf16', so its region's argument #1 must be 'bf16', not 'f32'}}
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xbf16>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %b: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @doubles(%x: tensor<4x8xf64>, %w: tensor<16x8xf64>) {
  // expected-error @below {{multiplies f32, bf16, f16 or integers, not 'f64'}}
  %y = lintel.linear %x, %w : (tensor<4x8xf64>, tensor<16x8xf64>) -> tensor<4x16xf32> {
  ^bb0(%acc: f64):
    %0 = arith.truncf %acc : f64 to f32
    lintel.yield %0 : f32
  }
  return
}

// -----

func.func @float_accumulator(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{sums products of 'f32' in 'f32', so its accumulator must be 'f32', not 'f64'}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f64):
    %0 = arith.truncf %acc : f64 to f32
    lintel.yield %0 : f32
  }
  return
}

// -----

func.func @integer_accumulator(%x: tensor<4x8xi8>, %w: tensor<16x8xi8>) {
  // expected-error @below {{sums products of 'i8' in 'i32', so its accumulator must be 'i32', not 'f32'}}
  %y = lintel.linear %x, %w : (tensor<4x8xi8>, tensor<16x8xi8>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @sums_of_floats(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{takes the sums of columns or rows of integers alone, but x and w hold 'f32'}}
  %y = lintel.linear %x, %w {column_sums} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %sum: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @sums_are_arguments(%x: tensor<4x8xi8>, %w: tensor<16x8xi8>, %b: tensor<16xf32>) {
  // expected-error @below {{has 1 epilogue operands, so its region takes 4 arguments: the accumulator, the column's sum, the row's sum and one scalar for each operand; it has 2}}
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xf32>) {column_sums, row_sums}
      : (tensor<4x8xi8>, tensor<16x8xi8>) -> tensor<4x16xf32> {
  ^bb0(%acc: i32, %bias: f32):
    lintel.yield %bias : f32
  }
  return
}

// -----

func.func @sums_are_integers(%x: tensor<4x8xi8>, %w: tensor<16x8xi8>) {
  // expected-error @below {{sums columns or rows in 'i32', so its region's argument #1 must be 'i32', not 'f32'}}
  %y = lintel.linear %x, %w {row_sums} : (tensor<4x8xi8>, tensor<16x8xi8>) -> tensor<4x16xf32> {
  ^bb0(%acc: i32, %sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// -----

// In a region integers have no sign.
func.func @signed_scalar(%x: tensor<4x8xui8>, %w: tensor<16x8xi8>) {
  %y = lintel.linear %x, %w : (tensor<4x8xui8>, tensor<16x8xi8>) -> tensor<4x16xui8> {
  ^bb0(%acc: i32):
    %0 = arith.trunci %acc : i32 to i16
    // expected-error @below {{must yield 'i8' for output #0, not 'i16'}}
    lintel.yield %0 : i16
  }
  return
}

// -----

func.func @yield_count(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    // expected-error @below {{must yield one scalar for each of the 1 outputs, but yields 2}}
    lintel.yield %acc, %acc : f32, f32
  }
  return
}

// -----

func.func @yield_nothing(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    // expected-error @below {{must yield one scalar for each of the 1 outputs, but yields 0}}
    lintel.yield
  }
  return
}

// -----

func.func @yield_type(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xbf16> {
  ^bb0(%acc: f32):
    // expected-error @below {{must yield 'bf16' for output #0, not 'f32'}}
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @foreign_operation(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    // expected-error @below {{'memref.alloc' cannot be in an epilogue: only elementwise operations of the arith and math dialects can}}
    %m = memref.alloc() : memref<f32>
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @vector_result(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    // expected-error @below {{'arith.constant' cannot be in an epilogue: its result is of type 'vector<4xf32>', not a scalar float or signless integer}}
    %v = arith.constant dense<1.0> : vector<4xf32>
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @index(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xi32>) {
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xi32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %i: i32):
    // expected-error @below {{'arith.index_cast' cannot be in an epilogue: its result is of type 'index', not a scalar float or signless integer}}
    %v = arith.index_cast %i : i32 to index
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @division(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xi32>) {
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xi32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %i: i32):
    // expected-error @below {{'arith.divsi' cannot be in an epilogue: it can trap or has side effects; divide integers by a constant other than 0 and -1}}
    %v = arith.divsi %i, %i : i32
    lintel.yield %acc : f32
  }
  return
}

// -----

// MLIR takes these for pure, whatever they divide by.
func.func @remainder(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xi32>) {
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xi32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %i: i32):
    // expected-error @below {{'arith.remsi' cannot be in an epilogue: it can trap or has side effects; divide integers by a constant other than 0 and -1}}
    %v = arith.remsi %i, %i : i32
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @unsigned_remainder_by_zero(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xi32>) {
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xi32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %i: i32):
    %zero = arith.constant 0 : i32
    // expected-error @below {{'arith.remui' cannot be in an epilogue: it can trap}}
    %v = arith.remui %i, %zero : i32
    lintel.yield %acc : f32
  }
  return
}

// -----

// The least integer has no quotient by -1.
func.func @rounded_down(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xi32>) {
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xi32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %i: i32):
    %minus = arith.constant -1 : i32
    // expected-error @below {{'arith.floordivsi' cannot be in an epilogue: it can trap}}
    %v = arith.floordivsi %i, %minus : i32
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @rounded_up(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xi32>) {
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xi32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %i: i32):
    // expected-error @below {{'arith.ceildivui' cannot be in an epilogue: it can trap}}
    %v = arith.ceildivui %i, %i : i32
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @narrow_arithmetic(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xbf16>) {
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xbf16>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %a: bf16):
    // expected-error @below {{'arith.addf' cannot be in an epilogue: it works on 'bf16'; widen operands with arith.extf to f32, and round the result with arith.truncf}}
    %0 = arith.addf %a, %a : bf16
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @narrower_than_known(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    // expected-error @below {{'arith.truncf' cannot be in an epilogue: it works on 'f8E5M2'; epilogues compute in f32 and integers of 1 to 32 bits, and convert bf16 and f16 from and to f32}}
    %0 = arith.truncf %acc : f32 to f8E5M2
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @bits_of_narrower(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xi32>) {
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xi32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %a: i32):
    %0 = arith.trunci %a : i32 to i8
    // expected-error @below {{'arith.bitcast' cannot be in an epilogue: it works on 'f8E5M2'}}
    %1 = arith.bitcast %0 : i8 to f8E5M2
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @double(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    // expected-error @below {{'arith.extf' cannot be in an epilogue: it works on 'f64'; epilogues compute in f32}}
    %0 = arith.extf %acc : f32 to f64
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @quadruple(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    // expected-error @below {{'arith.constant' cannot be in an epilogue: it works on 'f128'}}
    %0 = arith.constant 1.0 : f128
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @no_bits(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    // expected-error @below {{'arith.fptosi' cannot be in an epilogue: it works on 'i0'; epilogues compute in f32 and integers of 1 to 32 bits}}
    %i = arith.fptosi %acc : f32 to i0
    %r = arith.sitofp %i : i0 to f32
    lintel.yield %r : f32
  }
  return
}

// -----

func.func @wide_integer(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xi32>) {
  %y = lintel.linear %x, %w epilogue(%b : tensor<16xi32>) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32, %i: i32):
    // expected-error @below {{'arith.extsi' cannot be in an epilogue: it works on 'i64'; epilogues compute in f32 and integers of 1 to 32 bits}}
    %0 = arith.extsi %i : i32 to i64
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @rounds_up(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xbf16> {
  ^bb0(%acc: f32):
    // expected-error @below {{'arith.truncf' cannot be in an epilogue: it rounds 'upward', and epilogues round to nearest and even; leave its rounding mode out}}
    %0 = arith.truncf %acc upward : f32 to bf16
    lintel.yield %0 : bf16
  }
  return
}

// -----

func.func @weight_rank(%x: tensor<4x8xf32>, %w: tensor<128xf32>) {
  // expected-error @below {{operand #1 must be}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<128xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @schedule_kind(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{attribute 'schedule' failed to satisfy constraint}}
  %y = lintel.linear %x, %w {schedule = "tile=4x16"} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @three_inputs(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected 2 operands}}
  %y = lintel.linear %x, %x, %x : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @empty_operands(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{expected ':'}}
  %y = lintel.linear %x, %w epilogue() : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @stray_yield(%a: f32) {
  // expected-error @below {{'lintel.yield' op expects parent op to be one of 'lintel.linear, lintel.microkernel, lintel.apply_epilogue'}}
  lintel.yield %a : f32
}

// -----

// How many operands there are is what the text says.
func.func @other_segments(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{spells out what 'operandSegmentSizes' is before its attributes; leave it out of them}}
  %y = lintel.linear %x, %w {operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// Nor by the name that MLIR had for it.
func.func @old_segments(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{spells out what 'operand_segment_sizes' is before its attributes; leave it out of them}}
  %y = lintel.linear %x, %w {operand_segment_sizes = array<i32: 1, 0, 1, 0>} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @two_blocks(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{expects region #0 to have 0 or 1 blocks}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  ^bb1:
    lintel.yield
  }
  return
}

// -----

func.func @captured(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %outside: f32) {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    // expected-error @below {{use of undeclared SSA value name}}
    %0 = arith.addf %acc, %outside : f32
    lintel.yield %0 : f32
  }
  return
}

// -----

func.func @rows_of_a_known_m(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{has 4 rows, a known number: it takes no attribute 'rows'}}
  %y = lintel.linear %x, %w {rows = array<i64: 1, 4>} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @three_rows(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{takes rows = array<i64: LEAST, MOST>, not 3 numbers}}
  %y = lintel.linear %x, %w {rows = array<i64: 1, 4, 5>} : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @rows_reversed(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>) {
  // expected-error @below {{has rows from 9 to 4; a range has 0 <= LEAST <= MOST <= 2147483648}}
  %y = lintel.linear %x, %w {rows = array<i64: 9, 4>} : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @sums_of_f32(%x: tensor<4x8xf16>, %w: tensor<16x8xf16>) {
  // expected-error @below {{takes accumulate = f16 or i16, or none, which sums in f32 or i32; not 'f32'}}
  %y = lintel.linear %x, %w {accumulate = f32} : (tensor<4x8xf16>, tensor<16x8xf16>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @sums_of_bf16(%x: tensor<4x8xbf16>, %w: tensor<16x8xbf16>) {
  // expected-error @below {{takes accumulate = f16 where x and w are of f16, and i16 where they are of integers; x holds 'bf16'}}
  %y = lintel.linear %x, %w {accumulate = f16} : (tensor<4x8xbf16>, tensor<16x8xbf16>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @sums_of_si16(%x: tensor<4x8xui8>, %w: tensor<16x8xi8>) {
  // expected-error @below {{takes accumulate = f16 or i16, or none, which sums in f32 or i32; not 'si16'}}
  %y = lintel.linear %x, %w {accumulate = si16} : (tensor<4x8xui8>, tensor<16x8xi8>) -> tensor<4x16xf32> {
  ^bb0(%acc: i32):
    %0 = arith.sitofp %acc : i32 to f32
    lintel.yield %0 : f32
  }
  return
}

// -----

func.func @sums_of_i16(%x: tensor<4x8xf16>, %w: tensor<16x8xf16>) {
  // expected-error @below {{takes accumulate = f16 where x and w are of f16, and i16 where they are of integers; x holds 'f16'}}
  %y = lintel.linear %x, %w {accumulate = i16} : (tensor<4x8xf16>, tensor<16x8xf16>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @accumulator_of_f16(%x: tensor<4x8xf16>, %w: tensor<16x8xf16>) {
  // expected-error @below {{sums products of 'f16' in 'f32', so its accumulator must be 'f32', not 'f16'}}
  %y = lintel.linear %x, %w {accumulate = f16} : (tensor<4x8xf16>, tensor<16x8xf16>) -> tensor<4x16xf16> {
  ^bb0(%acc: f16):
    lintel.yield %acc : f16
  }
  return
}

// -----

// Where x leaves the rows open, nothing else may contradict.
func.func @rows_of_output(%x: memref<?x8xf32>, %w: memref<16x8xf32>, %y: memref<3x16xf32>) {
  // expected-error @below {{has rows from 17 to 40, but an output or epilogue operand of 3}}
  lintel.linear %x, %w outs(%y : memref<3x16xf32>) {rows = array<i64: 17, 40>} : (memref<?x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @rows_of_two(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>, %r: tensor<5x16xf32>) {
  // expected-error @below {{cannot broadcast operand #0 of type 'tensor<5x16xf32>' over [3, 16]}}
  %y = lintel.linear %x, %w epilogue(%r : tensor<5x16xf32>) : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<3x16xf32> {
  ^bb0(%acc: f32, %v: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @rows_of_operands(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>, %r: tensor<5x16xf32>, %s: tensor<4x1xf32>) {
  // expected-error @below {{cannot broadcast operand #1 of type 'tensor<4x1xf32>' over [5, 16]}}
  %y = lintel.linear %x, %w epilogue(%r, %s : tensor<5x16xf32>, tensor<4x1xf32>) : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32, %v: f32, %u: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// A kernel would be one for any M.
func.func @open_rows_of_x(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>) -> tensor<5x16xf32> {
  // expected-error @below {{has ? rows of x, but 5 of an output; give x as many, or leave them open everywhere}}
  %y = lintel.linear %x, %w : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<5x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<5x16xf32>
}

// -----

func.func @open_rows_beside_an_operand(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>, %r: tensor<5x16xf32>) -> tensor<?x16xf32> {
  // expected-error @below {{has ? rows of x, but 5 of an epilogue operand; give x as many, or leave them open everywhere}}
  %y = lintel.linear %x, %w epilogue(%r : tensor<5x16xf32>) : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32, %v: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<?x16xf32>
}

// -----

// For each row, its author may think.
func.func @one_row(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>, %b: tensor<1x16xf32>) {
  // expected-error @below {{cannot broadcast operand #0 of type 'tensor<1x16xf32>' over [?, 16]: its shape must be [] (one scalar), [16] (one a column)}}
  %y = lintel.linear %x, %w epilogue(%b : tensor<1x16xf32>) : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32, %v: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// Rows that are not known are looked for in outputs, of which there are as many as are written.
func.func @both_and_any_rows(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>, %y: memref<?x16xf32>) -> tensor<?x16xf32> {
  // expected-error @below {{on tensors returns its outputs: give it results and no outs, or make every operand a memref}}
  %r = lintel.linear %x, %w outs(%y : memref<?x16xf32>) : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc, %acc : f32, f32
  }
  return %r : tensor<?x16xf32>
}
