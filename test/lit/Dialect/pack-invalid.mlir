// What lintel.pack and !lintel.packed refuse.
// RUN: lintel-opt %s --split-input-file --verify-diagnostics

func.func @dynamic(%w: tensor<?x8xf32>) {
  // expected-error @below {{needs a weight of known N and K, not 'tensor<?x8xf32>'}}
  %p = lintel.pack %w : tensor<?x8xf32> -> !lintel.packed<16x8xf32, n = 16, k = 1>
  return
}

// -----

func.func @rows(%w: tensor<15x8xf32>) {
  // expected-error @below {{keeps shape and element type: a weight of type 'tensor<15x8xf32>' cannot become '!lintel.packed<16x8xf32, n = 16, k = 1>'}}
  %p = lintel.pack %w : tensor<15x8xf32> -> !lintel.packed<16x8xf32, n = 16, k = 1>
  return
}

// -----

func.func @depth(%w: tensor<16x9xf32>) {
  // expected-error @below {{keeps shape and element type}}
  %p = lintel.pack %w : tensor<16x9xf32> -> !lintel.packed<16x8xf32, n = 16, k = 1>
  return
}

// -----

func.func @element(%w: tensor<16x8xbf16>) {
  // expected-error @below {{keeps shape and element type}}
  %p = lintel.pack %w : tensor<16x8xbf16> -> !lintel.packed<16x8xf32, n = 16, k = 1>
  return
}

// -----

// expected-error @below {{a packed weight has two dimensions, NxK, not 1}}
func.func private @rank(!lintel.packed<16xf32, n = 16, k = 1>)

// -----

// expected-error @below {{expected static shape}}
func.func private @unknown(!lintel.packed<?x8xf32, n = 16, k = 1>)

// -----

// expected-error @below {{panel width n and group k must be at least 1, not 0 and 1}}
func.func private @panel(!lintel.packed<16x8xf32, n = 0, k = 1>)

// -----

// expected-error @below {{panel width n and group k must be at least 1, not 16 and -2}}
func.func private @group(!lintel.packed<16x8xf32, n = 16, k = -2>)

// -----

// expected-error @below {{a packed weight holds f32, bf16, f16 or i8, as those of layers do, not 'index'}}
func.func private @indices(!lintel.packed<16x8xindex, n = 16, k = 1>)

// -----

// expected-error @below {{takes more than the 2^47 bytes that a process can address}}
func.func private @padded(!lintel.packed<9223372036854775807x1xf32, n = 16, k = 1>)

// -----

// expected-error @below {{takes more than the 2^47 bytes that a process can address}}
func.func private @huge(!lintel.packed<4611686018427387904x4xf32, n = 1, k = 1>)

// -----

// All of it, and not one sum of a column more.
func.func private @largest(!lintel.packed<1x35184372088831xf32, n = 1, k = 1>)

// -----

// expected-error @below {{a packed weight of 1x35184372088832 with n = 1 and k = 1 takes more than the 2^47 bytes}}
func.func private @beyond(!lintel.packed<1x35184372088832xf32, n = 1, k = 1>)

// -----

// Lines of 64 elements of i8.
// expected-error @below {{takes more than the 2^47 bytes that a process can address}}
func.func private @whole_lines(!lintel.packed<1x9223372036854775807xi8, n = 1, k = 1>)

// -----

// Nor would a group of a panel be of an empty one.
// expected-error @below {{takes more than the 2^47 bytes that a process can address}}
func.func private @empty(!lintel.packed<1x0xi8, n = 1099511627776, k = 8388608>)

// -----

// expected-error @below {{expected 'n'}}
func.func private @no_panel(!lintel.packed<16x8xf32, k = 1>)

// -----

// expected-error @below {{a packed weight holds f32, bf16, f16 or i8, as those of layers do, not 'i128'}}
func.func private @wide(!lintel.packed<16x8xi128, n = 16, k = 1>)

// -----

// expected-error @below {{a packed weight holds f32, bf16, f16 or i8, as those of layers do, not 'ui8'}}
func.func private @unsigned(!lintel.packed<16x8xui8, n = 16, k = 4>)
