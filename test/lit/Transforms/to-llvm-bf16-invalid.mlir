// lintel-to-llvm: what computes with bf16 where it is the integer of its bits is refused by its own name.
// RUN: lintel-opt %s --lintel-to-llvm --split-input-file --verify-diagnostics

module attributes {lintel.target = #lintel.target<isa = avx2>} {
  func.func @product(%x: vector<8xbf16>) -> vector<8xbf16> {
    // expected-error @+1 {{'vector.fma' op has no inline lowering on 'bf16', which avx2 without avx512bf16 only moves and widens to 'f32'; compute in that, and let lintel-approximate-math round}}
    %0 = vector.fma %x, %x, %x : vector<8xbf16>
    return %0 : vector<8xbf16>
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx512>} {
  func.func @sum(%x: vector<8xbf16>) -> bf16 {
    // expected-error @+1 {{'vector.reduction' op has no inline lowering on 'bf16', which avx512 without avx512bf16}}
    %0 = vector.reduction <add>, %x : vector<8xbf16> into bf16
    return %0 : bf16
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx2>} {
  func.func @from_integer(%x: i32) -> bf16 {
    // expected-error @+1 {{'arith.sitofp' op has no inline lowering on 'bf16'}}
    %0 = arith.sitofp %x : i32 to bf16
    return %0 : bf16
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx2>} {
  func.func @in_memory(%m: memref<?xbf16>, %i: index, %x: bf16) -> bf16 {
    // expected-error @+1 {{'memref.atomic_rmw' op has no inline lowering on 'bf16'}}
    %0 = memref.atomic_rmw addf %x, %m[%i] : (bf16, memref<?xbf16>) -> bf16
    return %0 : bf16
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx2>} {
  func.func @rounded(%x: f32) -> bf16 {
    // expected-error @+1 {{'arith.truncf' op has no inline lowering on 'bf16'}}
    %0 = arith.truncf %x : f32 to bf16
    return %0 : bf16
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx2>} {
  func.func @widened_too_far(%x: bf16) -> f64 {
    // expected-error @+1 {{'arith.extf' op has no inline lowering on 'bf16'}}
    %0 = arith.extf %x : bf16 to f64
    return %0 : f64
  }
}

// -----

module attributes {lintel.target = #lintel.target<isa = avx2>} {
  func.func @compared(%x: bf16) -> i1 {
    // expected-error @+1 {{'arith.cmpf' op has no inline lowering on 'bf16'}}
    %0 = arith.cmpf olt, %x, %x : bf16
    return %0 : i1
  }
}
