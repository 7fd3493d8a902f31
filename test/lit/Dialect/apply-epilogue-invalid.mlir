// What lintel.apply_epilogue refuses.
// RUN: lintel-opt %s --split-input-file --verify-diagnostics

func.func @ragged_tile(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  // expected-error @below {{needs a tile of whole vectors: its 12 columns must be a multiple of 8, the lanes of avx2}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x12, epilogue = tile>,
                  target = #lintel.target<isa = avx2>, broadcasts = ["column"]} : memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// Dot products may have any number of columns, and streamed stores may not.
func.func @streamed_dot_products(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  // expected-error @below {{needs a tile of whole vectors: its 3 columns must be a multiple of 16, the lanes of avx512}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 4x3, group = 16, epilogue = tile, store = stream>,
                  target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @broadcast_kind(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  // expected-error @below {{names each broadcast by a string, not unit}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = [unit]} : memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @broadcast_name(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  // expected-error @below {{unknown broadcast "columns"}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["columns"]} : memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @missing_argument(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  // expected-error @below {{has 2 broadcasts, so its region takes 3 arguments: the accumulator and one scalar for each broadcast; it has 2}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["row", "full"]} : memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @argument_type(%args: !lintel.kernel_args, %s: memref<i32>, %i: index) {
  // expected-error @below {{holds its sums as 'i32', so its region's first argument must be 'i32', not 'f32'}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]} : memref<i32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @no_output(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  // expected-error @below {{has no output: its region must yield one scalar for each}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]} : memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield
  }
  return
}

// -----

func.func @body(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["column"]} : memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    // expected-error @below {{'arith.constant' cannot be in an epilogue: its result is of type 'index', not a scalar float or signless integer}}
    %n = arith.constant 1 : index
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @bits(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  // expected-error @below {{takes and yields elements of tensors, which are f32, bf16, f16, i8 and i32, not 'i1'}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    %positive = arith.cmpf ogt, %acc, %acc : f32
    lintel.yield %positive : i1
  }
  return
}

// -----

func.func @indices(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  // expected-error @below {{takes and yields elements of tensors, which are f32, bf16, f16, i8 and i32, not 'index'}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = ["full"]} : memref<f32> {
  ^bb0(%acc: f32, %full: index):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @odd_bytes(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  // expected-error @below {{takes and yields elements of tensors, which are f32, bf16, f16, i8 and i32, not 'i24'}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, epilogue = tile, store = stream>,
                  target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    %whole = arith.fptosi %acc : f32 to i24
    lintel.yield %whole : i24
  }
  return
}

// -----

func.func @sums_elsewhere(%args: !lintel.kernel_args, %s: memref<f32, 1>, %i: index) {
  // expected-error @below {{'lintel.apply_epilogue' op takes plain memory, e.g. 'memref<f32>', not 'memref<f32, 1>'}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x16, epilogue = tile>,
                  target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32, 1> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @sums_of_doubles(%args: !lintel.kernel_args, %s: memref<f64>, %i: index) {
  // expected-error @below {{operand #1 must be 0D memref of 32-bit float or 32-bit signless integer values, but got 'memref<f64>'}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48>, target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f64> {
  ^bb0(%acc: f64):
    lintel.yield %acc : f64
  }
  return
}

// -----

func.func @operand_of_doubles(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  // expected-error @below {{takes and yields elements of tensors, which are f32, bf16, f16, i8 and i32, not 'f64'}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48>, target = #lintel.target<isa = avx512>, broadcasts = ["column"]} : memref<f32> {
  ^bb0(%acc: f32, %c: f64):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @column_sums_of_floats(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  // expected-error @below {{takes 'column_sums' with sums of i32, not of 'f32'}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48>, target = #lintel.target<isa = avx512>, broadcasts = ["column_sums"]} : memref<f32> {
  ^bb0(%acc: f32, %c: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @column_sums_as_floats(%args: !lintel.kernel_args, %s: memref<i32>, %i: index) {
  // expected-error @below {{takes 'column_sums' as 'i32', not 'f32'}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, group = 2>, target = #lintel.target<isa = avx512>, broadcasts = ["column_sums"]} : memref<i32> {
  ^bb0(%acc: i32, %c: f32):
    lintel.yield %c : f32
  }
  return
}

// -----

func.func @sums_twice(%args: !lintel.kernel_args, %s: memref<i32>, %i: index) {
  // expected-error @below {{names 'row_sums' too late or twice: broadcasts begin with 'column_sums', then 'row_sums', as far as the epilogue takes them}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, group = 2>, target = #lintel.target<isa = avx512>, broadcasts = ["row_sums", "row_sums"]} : memref<i32> {
  ^bb0(%acc: i32, %c: i32, %d: i32):
    lintel.yield %c : i32
  }
  return
}

// -----

func.func @sums_out_of_order(%args: !lintel.kernel_args, %s: memref<i32>, %i: index) {
  // expected-error @below {{names 'column_sums' too late or twice}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, group = 2>, target = #lintel.target<isa = avx512>, broadcasts = ["row_sums", "column_sums"]} : memref<i32> {
  ^bb0(%acc: i32, %c: i32, %d: i32):
    lintel.yield %c : i32
  }
  return
}

// -----

func.func @sums_behind_operands(%args: !lintel.kernel_args, %s: memref<i32>, %i: index) {
  // expected-error @below {{names 'column_sums' too late or twice}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, group = 2>, target = #lintel.target<isa = avx512>, broadcasts = ["column", "column_sums"]} : memref<i32> {
  ^bb0(%acc: i32, %c: f32, %d: i32):
    lintel.yield %c : f32
  }
  return
}

// -----

// Scalars in a region have no sign.
func.func @unsigned(%args: !lintel.kernel_args, %s: memref<i32>, %i: index) {
  // expected-error @below {{takes and yields elements of tensors, which are f32, bf16, f16, i8 and i32, not 'ui8'}}
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x48, group = 2>, target = #lintel.target<isa = avx512>, broadcasts = ["full"]} : memref<i32> {
  ^bb0(%acc: i32, %c: ui8):
    lintel.yield %c : ui8
  }
  return
}

// -----

// Sums of tiles stand sixteen columns apart, as vectors of avx512 do.
func.func @tiles_of_short_vectors(%args: !lintel.kernel_args, %s: memref<f32>, %i: index) {
  %c16 = arith.constant 16 : index
  // expected-error @below {{has unit = amx, whose sums take an avx512 target}}
  lintel.apply_epilogue %args acc(%s[%i], %c16) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 32x32, unit = amx, group = 2, epilogue = tile>, target = #lintel.target<isa = avx2>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}
