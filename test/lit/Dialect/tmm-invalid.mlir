// What operations on tile registers and #tmm.config refuse.
// RUN: lintel-opt %s --split-input-file --verify-diagnostics

func.func @zero() {
  // expected-error @below {{'tmm.zero' op takes a tile register from 0 to 7, not 8}}
  tmm.zero 8
  return
}

// -----

func.func @negative() {
  // expected-error @below {{takes a tile register from 0 to 7, not -1}}
  tmm.zero -1
  return
}

// -----

func.func @load(%a: memref<bf16>, %i: index) {
  // expected-error @below {{'tmm.load' op takes a tile register from 0 to 7, not 16}}
  tmm.load 16, %a[%i], %i : memref<bf16>
  return
}

// -----

func.func @store(%a: memref<f32>, %i: index) {
  // expected-error @below {{'tmm.store' op takes a tile register from 0 to 7, not 9}}
  tmm.store 9, %a[%i], %i : memref<f32>
  return
}

// -----

func.func @product() {
  // expected-error @below {{'tmm.dpbuud' op takes a tile register from 0 to 7, not 8}}
  tmm.dpbuud 0, 1, 8
  return
}

// -----

func.func @acc_is_a() {
  // expected-error @below {{takes three different tile registers, not 3, 3 and 6: the instruction traps on equal ones}}
  tmm.dpbf16 3, 3, 6
  return
}

// -----

func.func @acc_is_b() {
  // expected-error @below {{takes three different tile registers, not 3, 6 and 3}}
  tmm.dpfp16 3, 6, 3
  return
}

// -----

func.func @a_is_b() {
  // expected-error @below {{takes three different tile registers, not 0, 6 and 6}}
  tmm.dpbssd 0, 6, 6
  return
}

// -----

func.func @rank(%a: memref<?xbf16>, %i: index) {
  // expected-error @below {{operand #0 must be 0D memref of}}
  tmm.load 4, %a[%i], %i : memref<?xbf16>
  return
}

// -----

func.func @element(%a: memref<f64>, %i: index) {
  // expected-error @below {{operand #0 must be 0D memref of}}
  tmm.load 4, %a[%i], %i : memref<f64>
  return
}

// -----

func.func @layout(%a: memref<f32, strided<[], offset: ?>>, %i: index) {
  // expected-error @below {{takes plain memory, e.g. 'memref<f32>', not 'memref<f32, strided<[], offset: ?>>'}}
  tmm.load 4, %a[%i], %i : memref<f32, strided<[], offset: ?>>
  return
}

// -----

func.func @space(%a: memref<f32, 1>, %i: index) {
  // expected-error @below {{takes plain memory}}
  tmm.store 4, %a[%i], %i : memref<f32, 1>
  return
}

// -----

func.func @hint(%a: memref<f32>, %i: index) {
  // expected-error @below {{a load's hint is 'default' or 'streamed', not 'cached'}}
  tmm.load 4, %a[%i], %i hint(cached) : memref<f32>
  return
}

// -----

func.func @no_tiles() {
  // expected-error @below {{a configuration has 1 to 8 tiles, not 0}}
  tmm.config #tmm.config<[]>
  return
}

// -----

func.func @nine_tiles() {
  // expected-error @below {{a configuration has 1 to 8 tiles, not 9}}
  tmm.config #tmm.config<[1x4, 1x4, 1x4, 1x4, 1x4, 1x4, 1x4, 1x4, 1x4]>
  return
}

// -----

func.func @no_rows() {
  // expected-error @below {{tile 0 has 1 to 16 rows, not 0}}
  tmm.config #tmm.config<[0x64]>
  return
}

// -----

func.func @many_rows() {
  // expected-error @below {{tile 1 has 1 to 16 rows, not 17}}
  tmm.config #tmm.config<[16x64, 17x64]>
  return
}

// -----

func.func @no_bytes() {
  // expected-error @below {{rows of tile 0 have 4 to 64 bytes, a multiple of 4, not 0}}
  tmm.config #tmm.config<[16x0]>
  return
}

// -----

func.func @odd_bytes() {
  // expected-error @below {{rows of tile 0 have 4 to 64 bytes, a multiple of 4, not 62}}
  tmm.config #tmm.config<[16x62]>
  return
}

// -----

func.func @many_bytes() {
  // expected-error @below {{rows of tile 0 have 4 to 64 bytes, a multiple of 4, not 68}}
  tmm.config #tmm.config<[16x68]>
  return
}

// -----

func.func @three_numbers() {
  // expected-error @below {{a tile's shape is rows x bytes per row, e.g. 16x64}}
  tmm.config #tmm.config<[16x64x2]>
  return
}

// -----

// expected-error @below {{the dialect tmm knows the attributes 'tmm.configured' and 'tmm.untouched', not 'tmm.clean'}}
func.func private @unknown() attributes {tmm.clean}

// -----

// expected-error @below {{takes a #tmm.config as 'tmm.configured', not 3}}
func.func private @number() attributes {tmm.configured = 3}

// -----

// expected-error @below {{cannot be both 'tmm.configured' and 'tmm.untouched'}}
func.func private @both() attributes {tmm.configured = #tmm.config<[16x64]>, tmm.untouched}

// -----

func.func @no_function() {
  // expected-error @below {{is no function: 'tmm.untouched' says what a function does to the tile registers}}
  %0 = arith.constant {tmm.untouched} 0 : i32
  return
}

// -----

// expected-error @below {{takes 'tmm.untouched' without a value, not false}}
func.func private @touched() attributes {tmm.untouched = false}

// -----

// expected-error @below {{has 'tmm.configured' on an argument or a result; what a function does to the tile registers is said by attributes of the function}}
func.func private @of_an_argument(f32 {tmm.configured})

// -----

// expected-error @below {{has 'tmm.untouched' on an argument or a result}}
func.func private @of_a_result() -> (f32 {tmm.untouched})
