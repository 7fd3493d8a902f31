// What #lintel.target refuses; the message stands at the field.
// RUN: lintel-opt %s --split-input-file --verify-diagnostics

// missing_isa
// expected-error @below {{'isa' is missing}}
module attributes {test.target = #lintel.target<cores = 2>} {}

// -----

// unknown_field
// expected-error @below {{a target has no field 'l4'; its fields are isa, cpu, l1, l2, l3, cores and extensions}}
module attributes {test.target = #lintel.target<isa = avx2, l4 = 1>} {}

// -----

// twice
// expected-error @below {{'isa' is given twice}}
module attributes {test.target = #lintel.target<isa = avx2, isa = avx2>} {}

// -----

// isa_word
// expected-error @below {{isa takes x86_64, avx2 or avx512, not 'neon'}}
module attributes {test.target = #lintel.target<isa = neon>} {}

// -----

// cpu_characters
// expected-error @below {{cpu takes a name of letters, digits, '.', '_' and '-', not 'znver4,+amx'}}
module attributes {test.target = #lintel.target<isa = avx512, cpu = "znver4,+amx">} {}

// -----

// cpu_unknown
// expected-error @below {{cpu takes a name that LLVM knows, such as znver4 or generic, not 'x86-64_v3.a'}}
module attributes {test.target = #lintel.target<isa = avx2, cpu = "x86-64_v3.a">} {}

// -----

// cpu_empty
// expected-error @below {{cpu takes a name of letters, digits, '.', '_' and '-', not ''}}
module attributes {test.target = #lintel.target<isa = avx512, cpu = "">} {}

// -----

// cache_zero
// expected-error @below {{l1 takes a number from 1 to 1099511627776, not '0'}}
module attributes {test.target = #lintel.target<isa = avx512, l1 = 0>} {}

// -----

// cache_word
// expected-error @below {{l2 takes a number from 1 to 1099511627776, not 'big'}}
module attributes {test.target = #lintel.target<isa = avx512, l2 = big>} {}

// -----

// cores
// expected-error @below {{cores takes a number from 1 to 1048576, not '-4'}}
module attributes {test.target = #lintel.target<isa = avx512, cores = -4>} {}

// -----

// extension_unknown
// expected-error @below {{extensions takes names joined by '+', of amx-bf16, amx-emulation, amx-fp16, amx-int8, amx-tile, avx512-emulation, avx512bf16, avx512fp16, avx512vnni, avxvnni, not 'amx'}}
module attributes {test.target = #lintel.target<isa = avx512, extensions = "amx-tile+amx">} {}

// -----

// extension_level
// expected-error @below {{extension amx-tile needs isa=avx512, not avx2}}
module attributes {test.target = #lintel.target<isa = avx2, extensions = "amx-tile">} {}

// -----

// extension_of_a_lower_level
// expected-error @below {{extension avxvnni needs isa=avx2, not avx512}}
module attributes {test.target = #lintel.target<isa = avx512, extensions = avxvnni>} {}

// -----

// extension_alone
// expected-error @below {{extensions amx-bf16+amx-int8 need amx-tile too}}
module attributes {test.target = #lintel.target<isa = avx512, extensions = "amx-int8+amx-bf16">} {}

// -----

// The attribute of modules, by name and kind.
// expected-error @below {{the dialect lintel knows the attribute 'lintel.target', not 'lintel.taget'}}
module attributes {lintel.taget = #lintel.target<isa = avx2>} {}

// -----

// expected-error @below {{takes a #lintel.target as 'lintel.target', not "isa=avx2"}}
module attributes {lintel.target = "isa=avx2"} {}

// -----

// expected-error @below {{is no module: 'lintel.target' says what the kernels of a module run on}}
func.func private @f() attributes {lintel.target = #lintel.target<isa = avx2>}

// -----

// expected-error @below {{has 'lintel.target' on an argument or a result, of which the dialect lintel knows no attributes}}
func.func private @of_an_argument(f32 {lintel.target = #lintel.target<isa = avx2>})

// -----

// expected-error @below {{has 'lintel.rows' on an argument or a result}}
func.func private @of_a_result() -> (f32 {lintel.rows})
