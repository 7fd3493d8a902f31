// What lintel-to-llvm cannot convert.
// RUN: lintel-opt %s --lintel-to-llvm --split-input-file --verify-diagnostics

func.func @layer(%x: memref<4x8xf32>, %w: memref<16x8xf32>, %y: memref<4x16xf32>) {
  // expected-error @+1 {{'lintel.linear' op is not lowered; run lintel-tile and lintel-lower-microkernel before lintel-to-llvm}}
  lintel.linear %x, %w outs(%y : memref<4x16xf32>) : (memref<4x8xf32>, memref<16x8xf32>) {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

// expected-error @+1 {{'func.func' op takes or returns tensors and holds no lintel.linear, which lintel-tile would have made a kernel of}}
func.func @takes_tensors(%c: tensor<4xf32>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op takes or returns tensors}}
func.func private @returns_tensors() -> tensor<*xf32>

// -----

// expected-error @+1 {{failed to legalize operation 'func.func'}}
func.func @numbers(%c: complex<f128>, %n: none) {
  return
}

// -----

// From one i24 to the next it is four bytes in memory, and three in a vector.
func.func @uneven(%m: memref<4xi24>, %i: index) -> vector<4xi24> {
  // expected-error @+1 {{'vector.load' op moves the vector 'vector<4xi24>', but elements of 'i24' stand farther apart in memory; use elements of 8 bits or a larger power of two}}
  %0 = vector.load %m[%i] : memref<4xi24>, vector<4xi24>
  return %0 : vector<4xi24>
}

// -----

func.func @long_double(%m: memref<4xf80>, %i: index, %mask: vector<4xi1>, %v: vector<4xf80>) {
  // expected-error @+1 {{'vector.maskedstore' op moves the vector 'vector<4xf80>'}}
  vector.maskedstore %m[%i], %mask, %v : memref<4xf80>, vector<4xi1>, vector<4xf80>
  return
}

// -----

func.func @longer_than_memory(%a: f32) {
  // expected-error @+1 {{'vector.broadcast' op has the vector 'vector<1099511627776xf32>'; vectors of up to 65536 bytes are converted}}
  %0 = vector.broadcast %a : f32 to vector<1099511627776xf32>
  return
}

// -----

// The product of the lengths overflows.
// expected-error @+1 {{'func.func' op has the vector 'vector<4294967296x4294967296xf32>'}}
func.func @longer_than_any_number(%v: vector<4294967296x4294967296xf32>) {
  return
}

// -----

func.func @bits(%m: memref<8xi1>, %i: index, %v: vector<8xi1>) {
  // expected-error @+1 {{'vector.store' op moves the vector 'vector<8xi1>'}}
  vector.store %v, %m[%i] : memref<8xi1>, vector<8xi1>
  return
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx2>} {
  func.func @narrow_sum(%a: bf16, %b: bf16) -> f32 {
    // expected-error @+1 {{'llvm.fadd' op takes 'bf16', where lintel-to-llvm has 'i16' for it; use operations of the dialects arith, math and vector}}
    %0 = llvm.fadd %a, %b : bf16
    %1 = arith.extf %0 : bf16 to f32
    return %1 : f32
  }
}

// -----

// In a function that is otherwise a kernel's.
func.func @no_lowering(%args: !lintel.kernel_args, %v: f32) -> f32 {
  %x = lintel.kernel_arg %args x : memref<f32>
  %0 = memref.load %x[] : memref<f32>
  // expected-error @+1 {{failed to legalize operation 'math.erf'}}
  %1 = math.erf %0 : f32
  return %1 : f32
}

// -----

// What kernels have no types for.
func.func @tensors_in_branches(%which: i1, %args: !lintel.kernel_args) -> index {
  %m = lintel.kernel_arg %args m : index
  // expected-error @+1 {{failed to legalize operation 'arith.constant'}}
  %0 = arith.constant dense<0.0> : tensor<4xf32>
  %1 = scf.if %which -> tensor<4xf32> {
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %0 : tensor<4xf32>
  }
  return %m : index
}

// -----

// expected-error @+1 {{'func.func' op has 'passthrough' = "cold"; it is an array of LLVM's attributes}}
func.func @passes() attributes {passthrough = "cold"} {
  return
}

// -----

func.func @no_bits() {
  // expected-error @+1 {{'arith.constant' op has 'i0'; LLVM's integers have at least one bit}}
  %0 = arith.constant 0 : i0
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'vector<4xi0>'; LLVM's integers have at least one bit}}
func.func @vectors_of_no_bits(%v: vector<4xi0>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has '(i0) -> ()'; LLVM's integers have at least one bit}}
func.func private @declared(i0)

// -----

// expected-error @+1 {{'func.func' op has '() -> i0'; LLVM's integers have at least one bit}}
func.func private @returned() -> i0

// -----

// expected-error @+1 {{'memref.global' op has 'memref<4xi0>'; LLVM's integers have at least one bit}}
memref.global @global : memref<4xi0>

// -----

// expected-error @+1 {{'func.func' op has 'memref<4xvector<2xi0>>'; LLVM's integers have at least one bit}}
func.func @in_memory(%m: memref<4xvector<2xi0>>) {
  return
}
