// Operations that lintel-approximate-math cannot make inline are refused by name.
// RUN: lintel-opt %s --lintel-approximate-math --split-input-file --verify-diagnostics

func.func @remainder(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    // expected-error @+1 {{'arith.remf' op has no inline lowering and kernels call no library}}
    %0 = arith.remf %acc, %acc : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<4x16xf32>
}

// -----

func.func @arithmetic(%a: bf16) -> bf16 {
  // expected-error @+1 {{'arith.addf' op has no inline lowering}}
  %0 = arith.addf %a, %a : bf16
  return %0 : bf16
}

// -----

func.func @from_double(%a: f64) -> f16 {
  // expected-error @+1 {{'arith.truncf' op has no inline lowering}}
  %0 = arith.truncf %a : f64 to f16
  return %0 : f16
}

// -----

func.func @double(%a: f64) -> f64 {
  // expected-error @+1 {{'math.exp' op has no inline lowering}}
  %0 = math.exp %a : f64
  return %0 : f64
}

// -----

func.func @bits(%a: vector<8xi32>) -> vector<8xi32> {
  // expected-error @+1 {{'math.ctlz' op has no inline lowering}}
  %0 = math.ctlz %a : vector<8xi32>
  return %0 : vector<8xi32>
}

// -----

func.func @narrow_infinity(%a: bf16) -> i1 {
  // expected-error @+1 {{'math.isinf' op has no inline lowering}}
  %0 = math.isinf %a : bf16
  return %0 : i1
}

// -----

// Every function is looked at, whatever the first one has.
func.func @first(%a: f32) -> f32 {
  // expected-error @+1 {{'arith.remf' op has no inline lowering}}
  %0 = arith.remf %a, %a : f32
  return %0 : f32
}
func.func @second(%a: f32, %i: i32) -> i32 {
  // expected-error @+1 {{'math.ipowi' op has no inline lowering}}
  %0 = math.ipowi %i, %i : i32
  return %0 : i32
}

// -----

// Of no pattern of lintel-to-llvm.
func.func @scaled(%a: f32, %s: f8E8M0FNU) -> f4E2M1FN {
  // expected-error @+1 {{'arith.scaling_truncf' op has no inline lowering}}
  %0 = arith.scaling_truncf %a, %s : f32, f8E8M0FNU to f4E2M1FN
  return %0 : f4E2M1FN
}

// -----

// Kernels round in one way.
func.func @rounds_up(%a: vector<8xf32>) -> vector<8xf16> {
  // expected-error @+1 {{'arith.truncf' op has no inline lowering}}
  %0 = arith.truncf %a upward : vector<8xf32> to vector<8xf16>
  return %0 : vector<8xf16>
}

// -----

#x86_64 = #lintel.target<isa = x86_64>
module attributes {lintel.target = #x86_64} {
  func.func @both_ways(%a: vector<4xf32>) -> (vector<4xf16>, vector<4xf16>) {
    %0 = arith.truncf %a : vector<4xf32> to vector<4xf16>
    // expected-error @+1 {{'arith.truncf' op has no inline lowering}}
    %1 = arith.truncf %a upward : vector<4xf32> to vector<4xf16>
    return %0, %1 : vector<4xf16>, vector<4xf16>
  }
}

// -----

// Patterns rewrite a function for one target.
func.func @around() {
  // expected-error @+1 {{may have a target of its own; put it beside what it stands in, which is made for one target}}
  builtin.module attributes {lintel.target = #lintel.target<isa = x86_64>} {
  }
  return
}

// -----

// Floats have no conversion from an index.
func.func @power_of_index(%a: f32, %n: index) -> f32 {
  // expected-error @+1 {{'math.fpowi' op has no inline lowering}}
  %0 = math.fpowi %a, %n : f32, index
  return %0 : f32
}

// -----

// It is what was written that is named.
func.func @clamp_of_half(%a: f16) -> f16 {
  // expected-error @+1 {{'math.clampf' op has no inline lowering}}
  %0 = math.clampf %a to [%a, %a] : f16
  return %0 : f16
}

// -----

// Patterns that are applied beside regions go into them, and these are for other targets.
func.func @beside_layers_for_others(%args: !lintel.kernel_args, %s: memref<f32>, %i: index, %x: f32) -> f32 {
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 2x16>, target = #lintel.target<isa = x86_64>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  lintel.apply_epilogue %args acc(%s[%i], %i) at(%i, %i) size(%i, %i)
      attributes {schedule = #lintel.schedule<tile = 2x16>, target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  // expected-error @below {{'math.tanh' op has no inline lowering, and stands beside layers for different targets; put it in a function of its own}}
  %0 = math.tanh %x : f32
  return %0 : f32
}
