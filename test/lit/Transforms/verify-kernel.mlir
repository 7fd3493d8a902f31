// What lintel-verify-kernel lets through, and what it refuses.
// RUN: lintel-opt %s --lintel-verify-kernel --split-input-file --verify-diagnostics
// RUN: not lintel-opt %S/Inputs/lowered.mlir --lintel-verify-kernel=vector-bytes=32 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: lintel-opt %S/Inputs/lowered.mlir --lintel-verify-kernel | diff - %S/Inputs/lowered.mlir

// RUN: not lintel-opt %s --lintel-verify-kernel=vector-bytes=-1 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not lintel-opt %s --lintel-verify-kernel=vector-bytes=1152921504606846976 2>&1 | FileCheck %s --check-prefix=RANGE

// RANGE: error: option vector-bytes is {{-1|1152921504606846976}}; it must be at least 0 and at most 65536
// BYTES: error: {{.*}} makes the vector 'vector<16xf32>', longer than the target's 32 bytes

func.func @good(%a: vector<16xf32>, %m: memref<?xf32>, %i: index) -> vector<16xf32> {
  %0 = vector.load %m[%i] : memref<?xf32>, vector<16xf32>
  %1 = vector.fma %a, %0, %a : vector<16xf32>
  %2 = math.sqrt %1 : vector<16xf32>
  %3 = arith.cmpf ogt, %2, %1 : vector<16xf32>
  %4 = arith.select %3, %1, %2 : vector<16xi1>, vector<16xf32>
  return %4 : vector<16xf32>
}

// -----

func.func @no_bits(%f: f32) -> f32 {
  // expected-error @+1 {{'arith.fptosi' op has no inline lowering on its target}}
  %i = arith.fptosi %f : f32 to i0
  %r = arith.sitofp %i : i0 to f32
  return %r : f32
}

// -----

func.func @constant_without_bits() -> i0 {
  // expected-error @+1 {{makes 'i0'; LLVM's integers have at least one bit}}
  %i = arith.constant 0 : i0
  return %i : i0
}

// -----

// expected-error @+1 {{takes 'vector<16xi0>'; LLVM's integers have at least one bit}}
func.func @vector_without_bits(%v: vector<16xi0>) {
  return
}

// -----

// expected-error @+1 {{takes 'memref<?xi0>'; LLVM's integers have at least one bit}}
func.func @memory_without_bits(%m: memref<?xi0>) {
  return
}

// -----

func.func @layer(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{'lintel.linear' op is left of an earlier stage}}
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

func.func @pack(%w: tensor<16x8xf32>) -> !lintel.packed<16x8xf32, n = 16, k = 1> {
  // expected-error @+1 {{'lintel.pack' op is left of an earlier stage}}
  %p = lintel.pack %w : tensor<16x8xf32> -> !lintel.packed<16x8xf32, n = 16, k = 1>
  return %p : !lintel.packed<16x8xf32, n = 16, k = 1>
}

// -----

func.func @microkernel(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %p: i1) {
  // expected-error @+1 {{'lintel.microkernel' op is left of an earlier stage}}
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 8x16>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @epilogue(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  // expected-error @+1 {{'lintel.apply_epilogue' op is left of an earlier stage}}
  lintel.apply_epilogue %args acc(%m[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 8x16>, target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return
}

// -----

func.func @stack() {
  // expected-error @+1 {{'memref.alloca' op allocates inside a kernel; use the workspace}}
  %0 = memref.alloca() : memref<16xf32>
  return
}

// -----

func.func @heap() {
  // expected-error @+1 {{'memref.alloc' op allocates inside a kernel; use the workspace}}
  %0 = memref.alloc() : memref<16xf32>
  return
}

// -----

func.func @arithmetic_on_tensors() {
  // expected-error @+1 {{'arith.constant' op makes the tensor 'tensor<4xf32>'; kernels compute on scalars and vectors, not on tensors}}
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  %1 = arith.addf %0, %0 : tensor<4xf32>
  return
}

// -----

func.func @tensor(%a: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{'math.exp' op has no inline lowering on its target; kernels compute on scalars and vectors, not on tensors}}
  %0 = math.exp %a : tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

func.func @call(%a: vector<16xf32>) -> vector<16xf32> {
  // expected-error @+1 {{'math.exp' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
  %0 = math.exp %a : vector<16xf32>
  return %0 : vector<16xf32>
}

// -----

func.func @long(%m: memref<?xf32>, %i: index) -> vector<17xf32> {
  // expected-error @+1 {{makes the vector 'vector<17xf32>', longer than the target's 64 bytes}}
  %0 = vector.load %m[%i] : memref<?xf32>, vector<17xf32>
  return %0 : vector<17xf32>
}

// -----

// More bits than an integer counts.
func.func @longest(%a: f32) {
  // expected-error @+1 {{makes the vector 'vector<576460752303423488xf32>', longer than the target's 64 bytes}}
  %0 = vector.broadcast %a : f32 to vector<576460752303423488xf32>
  return
}

// -----

func.func @plane(%m: memref<?x?xf32>, %i: index) -> vector<4x4xf32> {
  // expected-error @+1 {{makes the vector 'vector<4x4xf32>'; kernels use one dimension}}
  %0 = vector.load %m[%i, %i] : memref<?x?xf32>, vector<4x4xf32>
  return %0 : vector<4x4xf32>
}

// -----

// Nested, and on results of any kind of operation.
func.func @nested(%a: f32, %p: i1) -> f32 {
  %r = scf.if %p -> f32 {
    // expected-error @+1 {{makes the vector 'vector<32xf32>', longer than the target's 64 bytes}}
    %v = vector.broadcast %a : f32 to vector<32xf32>
    %e = vector.extract %v[0] : f32 from vector<32xf32>
    scf.yield %e : f32
  } else {
    scf.yield %a : f32
  }
  return %r : f32
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx2>} {
  func.func @too_wide(%a: f32) {
    // expected-error @+1 {{makes the vector 'vector<16xf32>', longer than the target's 32 bytes}}
    %0 = vector.broadcast %a : f32 to vector<16xf32>
    return
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512, extensions = avx512bf16>} {
  func.func @narrows(%a: vector<16xf32>) -> vector<16xbf16> {
    %0 = arith.truncf %a : vector<16xf32> to vector<16xbf16>
    return %0 : vector<16xbf16>
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @narrows(%a: vector<16xf32>) -> vector<16xbf16> {
    // expected-error @+1 {{'arith.truncf' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = arith.truncf %a : vector<16xf32> to vector<16xbf16>
    return %0 : vector<16xbf16>
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = x86_64>} {
  func.func @widens(%a: vector<4xf16>) -> vector<4xf32> {
    // expected-error @+1 {{'arith.extf' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = arith.extf %a : vector<4xf16> to vector<4xf32>
    return %0 : vector<4xf32>
  }
}

// -----

// An index has 64 bits.
func.func @indices() -> vector<8xindex> {
  %0 = vector.step : vector<8xindex>
  return %0 : vector<8xindex>
}

// -----

func.func @many_indices() -> vector<16xindex> {
  // expected-error @+1 {{makes the vector 'vector<16xindex>', longer than the target's 64 bytes}}
  %0 = vector.step : vector<16xindex>
  return %0 : vector<16xindex>
}

// -----

func.func @pointers(%p: !llvm.ptr) -> vector<4x!llvm.ptr> {
  // expected-error @+1 {{makes the vector 'vector<4x!llvm.ptr>'; kernels use vectors of integers, floats and index}}
  %0 = vector.broadcast %p : !llvm.ptr to vector<4x!llvm.ptr>
  return %0 : vector<4x!llvm.ptr>
}

// -----

module attributes {lintel.target = #lintel.target<isa = x86_64>} {
  func.func @fma(%a: vector<4xf32>) -> vector<4xf32> {
    // expected-error @+1 {{'math.fma' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = math.fma %a, %a, %a : vector<4xf32>
    return %0 : vector<4xf32>
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = x86_64>} {
  func.func @vector_fma(%a: vector<4xf32>) -> vector<4xf32> {
    // expected-error @+1 {{'vector.fma' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = vector.fma %a, %a, %a : vector<4xf32>
    return %0 : vector<4xf32>
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = x86_64>} {
  func.func @floor(%a: f64) -> f64 {
    // expected-error @+1 {{'math.floor' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = math.floor %a : f64
    return %0 : f64
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = x86_64>} {
  func.func @ceil(%a: f64) -> f64 {
    // expected-error @+1 {{'math.ceil' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = math.ceil %a : f64
    return %0 : f64
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = x86_64>} {
  func.func @trunc(%a: f64) -> f64 {
    // expected-error @+1 {{'math.trunc' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = math.trunc %a : f64
    return %0 : f64
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = x86_64>} {
  func.func @roundeven(%a: f64) -> f64 {
    // expected-error @+1 {{'math.roundeven' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = math.roundeven %a : f64
    return %0 : f64
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @half_fma(%a: vector<16xf16>) -> vector<16xf16> {
    // expected-error @+1 {{'vector.fma' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = vector.fma %a, %a, %a : vector<16xf16>
    return %0 : vector<16xf16>
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512, extensions = avx512fp16>} {
  func.func @has_half_fma(%a: vector<16xf16>) -> vector<16xf16> {
    %0 = vector.fma %a, %a, %a : vector<16xf16>
    return %0 : vector<16xf16>
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @half_floor(%a: vector<16xbf16>) -> vector<16xbf16> {
    // expected-error @+1 {{'math.floor' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = math.floor %a : vector<16xbf16>
    return %0 : vector<16xbf16>
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx2>} {
  func.func @has_floor(%a: vector<4xf64>) -> vector<4xf64> {
    %0 = math.floor %a : vector<4xf64>
    return %0 : vector<4xf64>
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @quadruple(%a: f128) -> f128 {
    // expected-error @+1 {{'arith.addf' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = arith.addf %a, %a : f128
    return %0 : f128
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @quadruple_floor(%a: f128) -> f128 {
    // expected-error @+1 {{'math.floor' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = math.floor %a : f128
    return %0 : f128
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @wide_quotient(%a: i128) -> i128 {
    // expected-error @+1 {{'arith.divsi' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = arith.divsi %a, %a : i128
    return %0 : i128
  }
}

// -----

// In parts of 64 bits.
module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @wide_sum(%a: i128) -> i128 {
    %0 = arith.addi %a, %a : i128
    return %0 : i128
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @from_wide(%a: i128) -> f32 {
    // expected-error @+1 {{'arith.sitofp' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = arith.sitofp %a : i128 to f32
    return %0 : f32
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @rounded_quotient(%a: i32) -> i32 {
    // expected-error @+1 {{'arith.floordivsi' op has no inline lowering on its target; lintel-approximate-math makes some operations inline}}
    %0 = arith.floordivsi %a, %a : i32
    return %0 : i32
  }
}

// -----

// expected-error @+1 {{'func.func' op takes the vector 'vector<32xf32>', longer than the target's 64 bytes}}
func.func @taken(%a: vector<32xf32>) {
  return
}

// -----

func.func @carried(%n: index, %v: vector<16xf32>) {
  cf.br ^next(%n, %v : index, vector<16xf32>)
^next(%i: index, %w: vector<16xf32>):
  return
}

// -----

// expected-error @+1 {{'func.func' op takes the vector 'vector<2x2xf32>'; kernels use one dimension}}
func.func @taken_plane(%a: vector<2x2xf32>) {
  return
}

// -----

func.func @llvm_stack() {
  %n = llvm.mlir.constant(1 : i64) : i64
  // expected-error @+1 {{'llvm.alloca' op allocates inside a kernel; use the workspace}}
  %0 = llvm.alloca %n x f32 : (i64) -> !llvm.ptr
  return
}

// -----

func.func @more_heap(%m: memref<?xf32>, %n: index) {
  // expected-error @+1 {{'memref.realloc' op allocates inside a kernel; use the workspace}}
  %0 = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
  return
}

// -----

func.func @tensors() -> tensor<4xf32> {
  // expected-error @+1 {{'tensor.empty' op is left of an earlier stage, or of no stage}}
  %0 = tensor.empty() : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @index_dialect(%a: index) -> index {
  // expected-error @+1 {{'index.add' op is left of an earlier stage, or of no stage}}
  %0 = index.add %a, %a
  return %0 : index
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @scalable(%a: f32) {
    // expected-error @+1 {{'vector.broadcast' op makes the vector 'vector<[4]xf32>'; kernels use vectors of a known length}}
    %0 = vector.broadcast %a : f32 to vector<[4]xf32>
    return
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @copies(%a: memref<4xf32>, %b: memref<4xf32>) {
    // expected-error @+1 {{'memref.copy' op would become a library call}}
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    return
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @frees(%a: memref<4xf32>) {
    // expected-error @+1 {{'memref.dealloc' op would become a library call}}
    memref.dealloc %a : memref<4xf32>
    return
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @prints(%a: vector<16xf32>) {
    // expected-error @+1 {{'vector.print' op would become a library call}}
    vector.print %a : vector<16xf32>
    return
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = x86_64>} {
  func.func @reduces(%a: vector<4xf32>, %b: vector<4xi32>) -> (f32, i32) {
    %0 = vector.reduction <add>, %a : vector<4xf32> into f32
    %1 = vector.reduction <maxsi>, %b : vector<4xi32> into i32
    return %0, %1 : f32, i32
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = x86_64>} {
  func.func @reduces_halves(%a: vector<8xf16>) -> f16 {
    // expected-error @+1 {{'vector.reduction' op has no inline lowering on its target}}
    %0 = vector.reduction <add>, %a : vector<8xf16> into f16
    return %0 : f16
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @compares_bfloats(%a: vector<8xbf16>) -> bf16 {
    // expected-error @+1 {{'vector.reduction' op has no inline lowering on its target}}
    %0 = vector.reduction <maximumf>, %a : vector<8xbf16> into bf16
    return %0 : bf16
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = x86_64>} {
  func.func @adds_in_memory(%a: f16, %m: memref<4xf16>, %i: index) {
    // expected-error @+1 {{'memref.atomic_rmw' op has no inline lowering on its target}}
    %0 = memref.atomic_rmw addf %a, %m[%i] : (f16, memref<4xf16>) -> f16
    return
  }
}

// -----

// By a call of __atomic_compare_exchange_16.
func.func @exchanges_wide_integers(%m: memref<4xi128>, %i: index) {
  // expected-error @+1 {{'memref.generic_atomic_rmw' op has no inline lowering on its target}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi128> {
  ^bb0(%old: i128):
    memref.atomic_yield %old : i128
  }
  return
}

// -----

func.func @adds_odd_integers(%a: i24, %m: memref<4xi24>, %i: index) {
  // expected-error @+1 {{'memref.atomic_rmw' op has no inline lowering on its target}}
  %0 = memref.atomic_rmw addi %a, %m[%i] : (i24, memref<4xi24>) -> i24
  return
}

// -----

func.func @adds_integers(%a: i32, %m: memref<4xi32>, %i: index) {
  %0 = memref.atomic_rmw addi %a, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}

// -----

// Numbers are compared and exchanged as integers alone.
func.func @exchanges_floats(%m: memref<4xf32>, %i: index) {
  // expected-error @+1 {{'memref.generic_atomic_rmw' op has no inline lowering on its target}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %old : f32
  }
  return
}

// -----

func.func @exchanges_integers(%m: memref<4xi32>, %i: index, %n: memref<4xf32>, %a: f32) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%old: i32):
    memref.atomic_yield %old : i32
  }
  %1 = memref.atomic_rmw addf %a, %n[%i] : (f32, memref<4xf32>) -> f32
  return
}

// -----

func.func private @sinf(f32) -> f32

func.func @calls_a_library(%a: f32) -> f32 {
  // expected-error @+1 {{'func.call' op calls '@sinf', which has no body here: kernels call no library}}
  %0 = func.call @sinf(%a) : (f32) -> f32
  return %0 : f32
}

// -----

func.func private @cosf(f32) -> f32

func.func @points_at_a_library(%a: f32) -> f32 {
  // expected-error @+1 {{'func.constant' op calls '@cosf', which has no body here: kernels call no library}}
  %f = func.constant @cosf : (f32) -> f32
  %0 = func.call_indirect %f(%a) : (f32) -> f32
  return %0 : f32
}
